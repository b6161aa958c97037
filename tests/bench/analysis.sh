#!/bin/bash
# Speed of `cufls check` and `cufls build` on large sources (large_sources.py), against `flang -fsyntax-only` for each
# file and `make` with rules as one writes them for nvfortran, in the same run.
#
#   [CUFC=path] [FLANG=path] [ROUNDS=5] [JOBS=N] tests/bench/analysis.sh [FOLDER]
#
# Prints a line for each measurement: the median time, that of what it is compared with, and the ratio (above 1: cufls
# is faster), and how many files were compiled. FOLDER keeps the sources; otherwise they are temporary.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
cufc=$(realpath "${CUFC:-$root/build/bin/cufc}")
flang=${FLANG:-$(command -v flang-22 || command -v flang || echo /usr/lib/llvm-22/bin/flang)}
work=${1:-}
if [ -z "$work" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
python3 "$here/large_sources.py" "$work"
python3 - "$work" "$cufc" "$flang" "${ROUNDS:-5}" "${JOBS:-$(nproc)}" <<'PYTHON'
import os, re, shutil, statistics, subprocess, sys, tempfile, time
from pathlib import Path

work, cufc, flang, rounds, jobs = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5]
cufls = str(Path(cufc).parent / "cufls")
modules = str(Path(cufc).parent.parent / "lib/cufc/modules")
large, project = work / "large/large.cuf", work / "project"
order = (project / "order.txt").read_text().split()
edits = 0


def run(*command, cwd=project, status=(0,)):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode not in status:
        sys.exit(f"{command[0]} failed with status {done.returncode}: {(done.stderr or done.stdout)[:500]}")
    return done


def seconds(action, before=lambda: None, times=rounds):
    found = []
    for _ in range(times):
        before()
        start = time.perf_counter()
        action()
        found.append(time.perf_counter() - start)
    return statistics.median(found)


def edit(path, pattern, text):
    """Puts a new number into the first place that fits."""
    global edits
    edits += 1
    source = path.read_text()
    changed = re.sub(pattern, text.format(edits), source, count=1)
    assert changed != source, f"{path}: nothing fits {pattern}"
    path.write_text(changed)


def row(name, time, other="", other_time=None, remark=""):
    ratio = f"{other} {other_time * 1000:9.0f} ms  ratio {other_time / time:7.1f}" if other_time else ""
    print(f"{name:42} {time * 1000:9.1f} ms  {ratio:52} {remark}".rstrip(), flush=True)


def compiled(text):
    return f"{len(re.findall(r'compile ', text))} compiled, {len(re.findall(r'link ', text))} linked"


def syntax(path, folder):
    return run(flang, "-fsyntax-only", "-w", f"-fintrinsic-modules-path={modules}", f"-I{folder}", "-module-dir", folder,
               path, cwd=folder)


with tempfile.TemporaryDirectory() as scratch:
    # A module of 14,000 lines
    flang_large = seconds(lambda: syntax(large, scratch), times=3)
    check = lambda: run(cufls, "check", "--format=json", large, cwd=work / "large", status=(0, 1))
    row("check 14,000 lines", seconds(check), "flang", flang_large)
    row("  again", seconds(check), "flang", flang_large)
    row("  after an edit in one body",
        seconds(check, lambda: edit(large, r"weight \* total( \+ [\d.]+)?", "weight * total + {}.0")), "flang", flang_large)
    row("  after an edit of an interface",
        seconds(check, lambda: edit(large, r"size_01 = \d+", "size_01 = {}")), "flang", flang_large)

    # A project of 300 modules
    flang_all = seconds(lambda: [syntax(project / f"src/{name}.cuf", scratch) for name in order], times=1)
    check = lambda: run(cufls, "check", "--format=json", project, status=(0, 1))
    row("check 300 modules", seconds(check, times=1), "flang", flang_all)
    row("  again", seconds(check), "flang", flang_all)
    middle = project / f"src/{order[len(order) // 2]}.cuf"
    body = lambda: edit(middle, r"total = real\(depth \+ \w+\)( \+ \d+)?", "total = real(depth) + {}")
    interface = lambda: edit(middle, r"_width = \d+", "_width = {}")
    row("  after an edit in one body", seconds(check, body), "flang", flang_all)
    row("  after an edit of an interface", seconds(check, interface), "flang", flang_all)

build = lambda: run(cufls, "build", "-j", jobs, "-v")
make = lambda: run("make", f"FC={cufc}", f"-j{jobs}")
seen = []
note = lambda action: lambda: seen.append(compiled(action().stderr))


def cold():
    run(cufls, "build", "--clean")
    shutil.rmtree(project / "obj", ignore_errors=True)
    (project / "obj").mkdir()


make_time = seconds(make, cold, times=1)
row("build 300 modules", seconds(note(build), cold, times=1), "make ", make_time, seen[-1])
build()
row("  nothing to do", seconds(note(build)), "make ", seconds(make), seen[-1])
make_time = seconds(make, body, times=1)
row("  after an edit in one body", seconds(note(build), body), "make ", make_time, seen[-1])
make_time = seconds(make, interface, times=1)
row("  after an edit of an interface", seconds(note(build), interface), "make ", make_time, seen[-1])
PYTHON
