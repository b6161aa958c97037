#!/usr/bin/env python3
"""Links the five files of tests/run/device_link_files in every way that a build system may.

Objects in several orders, through an archive, some compiled together; by cufc, for one GPU and for several, and by nvcc
where there is one. Every program must print PASS on each of the devices; those that nvcc links have kernels for the GPU alone
where their device code is of several files. A mistake in one source ends the link of device code that waits for it.

Usage: orders.py [--cufc PATH] [--devices gpu,host] [-v]      CUFC in the environment is the default
"""

import argparse
import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCES = sorted((Path(__file__).resolve().parent.parent / "run/device_link_files").glob("*.cuf"))
OBJECTS = [source.stem + ".o" for source in SOURCES]
ORDERS = 4  # of 120
SECONDS = 300
NVCC_LIBRARIES = ["-Xlinker", "-u,cufrt_cuda_device", "-lcufrt_modules", "-lcufrt", "-lcufrt_cuda",
                  "-lflang_rt.runtime", "-lcufrt"]


class Failure(Exception):
    """A command that failed; the text says which and how."""


def command(words, work, **more):
    process = subprocess.run([str(word) for word in words], cwd=work, stdin=subprocess.DEVNULL, capture_output=True,
                             text=True, timeout=SECONDS, check=False, **more)
    if process.returncode:
        raise Failure(f"{' '.join(map(str, words))}: status {process.returncode}\n{process.stderr[:2000]}")
    return process.stdout


def some_orders():
    """The order of the modules, its reverse, and others, the same in every run."""
    orders = list(itertools.permutations(OBJECTS))
    return [orders[0], orders[-1], *random.Random(5).sample(orders[1:-1], ORDERS - 2)]


def nvcc_link(nvcc, cufc, objects):
    library = Path(cufc).resolve().parent.parent / "lib/cufc"
    return [nvcc, *objects, "-arch=sm_90", "-o", "program", f"-L{library}", *NVCC_LIBRARIES]


def ways(cufc, nvcc):
    """(name, commands that make ./program) for every way."""
    compile_all = [cufc, "-c", *SOURCES]
    yield "all at once", [[cufc, *SOURCES, "-o", "program"]]
    yield "all at once, in reverse", [[cufc, *reversed(SOURCES), "-o", "program"]]
    yield "objects for two GPUs", [[cufc, "-c", "-gpu=cc80,cc90", *SOURCES],
                                   [cufc, "-gpu=cc80,cc90", *OBJECTS, "-o", "program"]]
    for number, order in enumerate(some_orders(), 1):
        yield f"objects in order {number}", [compile_all, [cufc, *order, "-o", "program"]]
    yield "an archive", [compile_all, ["ar", "rc", "libparts.a", *(name for name in OBJECTS if name != "main.o")],
                         [cufc, "main.o", "libparts.a", "-o", "program"]]
    first = [source for source in SOURCES if source.stem in ("consts_mod", "flux_mod")]
    rest = [source for source in SOURCES if source not in first]
    yield "objects with sources", [[cufc, "-c", *first], [cufc, *rest, *(s.stem + ".o" for s in first), "-o", "program"]]
    if nvcc:
        for number, order in enumerate(some_orders(), 1):
            yield f"nvcc, order {number}", [[cufc, "-c", "-gpu=cc90", *SOURCES], nvcc_link(nvcc, cufc, order)]


def perform(name, commands, devices):
    """What is wrong with one way, or an empty text."""
    with tempfile.TemporaryDirectory() as work:
        try:
            for words in commands:
                command(words, work)
            for device in devices:
                if device == "host" and name.startswith("nvcc"):
                    continue
                output = command(["./program"], work, env={**os.environ, "CUF_DEVICE": device})
                if output.strip() != "PASS":
                    return f"on the {device}: prints {output.strip()[:300]}"
        except (Failure, OSError, subprocess.TimeoutExpired) as failure:
            return str(failure)
    return ""


def mistake(cufc):
    """What is wrong after a mistake in the last source, for whose device code the link of all others waits."""
    with tempfile.TemporaryDirectory() as work:
        scratch = Path(work) / "scratch"
        scratch.mkdir()
        wrong = Path(work) / "wrong.cuf"
        wrong.write_text("subroutine wrong\n  x = (\nend subroutine\n")
        process = subprocess.Popen([cufc, *SOURCES, wrong, "-o", "program"], cwd=work, stdin=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True,
                                   env={**os.environ, "TMPDIR": str(scratch)})
        message = process.communicate(timeout=SECONDS)[1]
        if process.returncode != 1 or message.count("error:") != 1 or "wrong.cuf:2:" not in message:
            return f"status {process.returncode}\n{message[:2000]}"
        try:
            os.killpg(process.pid, 0)
            return "a process goes on"
        except ProcessLookupError:
            return f"left: {left}" if (left := os.listdir(scratch)) else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cufc", default=os.environ.get("CUFC", "cufc"))
    parser.add_argument("--devices", default="host")
    parser.add_argument("-v", action="store_true", help="show what passes too")
    arguments = parser.parse_args()
    cufc = str(Path(shutil.which(arguments.cufc) or arguments.cufc).resolve())
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    failed = 0
    for name, commands in ways(cufc, nvcc):
        fault = perform(name, commands, arguments.devices.split(","))
        failed += bool(fault)
        if fault or arguments.v:
            print(f"{name}: {fault or 'passed'}", flush=True)
    if fault := mistake(cufc):
        failed += 1
        print(f"a mistake in a source: {fault}")
    if not nvcc:
        print("no nvcc: not linked by it")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
