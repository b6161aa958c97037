#!/bin/bash
# Time and memory of compiling a small program: `cufc compile_vadd.cuf` against `nvcc -O3 compile_vadd.cu`, in pairs.
#
#   [CUFC=path] [NVCC=path] [PAIRS=9] tests/bench/compile_time.sh [PROGRAM...]
#
# Prints the median time of each, the median of the paired ratios nvcc/cufc (above 1: cufc is faster) and the
# largest resident memory of any one process of each compilation. PROGRAM names some of tests/bench/gpu, such as solvers, or `all`:
# files of five to twenty kernels, both compilers with -O3 and for cc90.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/compilers.sh"
exec python3 - "$here" "$cufc" "$nvcc" "${PAIRS:-9}" "$@" <<'PYTHON'
import math, os, resource, statistics, subprocess, sys, tempfile, time
from pathlib import Path

here, cufc, nvcc, pairs, programs = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5:]


def compile_once(command):
    """Seconds and peak memory in MB; a child of its own, because RUSAGE_CHILDREN never goes down."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        start = time.perf_counter()
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        seconds = time.perf_counter() - start
        if done.returncode:
            sys.stderr.buffer.write(done.stdout)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        os.write(write, f"{done.returncode} {seconds} {peak}".encode())
        os._exit(0)
    os.close(write)
    status, seconds, peak = os.read(read, 200).split()
    os.close(read)
    os.waitpid(child, 0)
    if int(status):
        sys.exit(f"{command[0]} failed with status {int(status)}")
    return float(seconds), float(peak)


def compare(commands):
    """The median of nvcc's time over cufc's."""
    times = {name: [] for name in commands}
    peaks = dict.fromkeys(commands, 0.0)
    for name in commands:  # warm the file cache
        compile_once(commands[name])
    for pair in range(pairs):
        for name in sorted(commands, reverse=pair % 2 == 1):
            seconds, peak = compile_once(commands[name])
            times[name].append(seconds)
            peaks[name] = max(peaks[name], peak)
    ratios = sorted(n / c for c, n in zip(times["cufc"], times["nvcc"]))
    for name in commands:
        print(f"{name}: median {statistics.median(times[name]) * 1000:.0f} ms, "
              f"{min(times[name]) * 1000:.0f}..{max(times[name]) * 1000:.0f} ms, peak {peaks[name]:.0f} MB")
    print(f"nvcc/cufc: median {statistics.median(ratios):.2f}, {ratios[0]:.2f}..{ratios[-1]:.2f}, {pairs} pairs", flush=True)
    return statistics.median(ratios)


def of_suite(name):
    suite = Path(here) / "gpu"
    sources = [suite / "timing.f90", suite / f"{name}.cuf", *suite.glob(f"{name}_program.cuf")]
    return {"cufc": [cufc, "-O3", "-gpu=cc90", *map(str, sources), "-o", "a"],
            "nvcc": [nvcc, "-O3", "-arch=sm_90", f"{suite}/{name}.cu", "-o", "b"]}


if programs == ["all"]:
    programs = sorted(file.stem for file in (Path(here) / "gpu").glob("*.cu"))
with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    if not programs:
        compare({"cufc": [cufc, f"{here}/compile_vadd.cuf", "-o", "a"],
                 "nvcc": [nvcc, "-O3", f"{here}/compile_vadd.cu", "-o", "b"]})
    ratios = []
    for name in programs:
        print(f"== {name}")
        ratios.append(compare(of_suite(name)))
if len(ratios) > 1:
    print(f"{len(ratios)} programs, geometric mean {math.exp(statistics.fmean(map(math.log, ratios))):.2f}")
PYTHON
