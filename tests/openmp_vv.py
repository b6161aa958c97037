#!/usr/bin/env python3
"""Counts the Fortran programs of the OpenMP Validation and Verification suite (the repository OpenMP_VV of
OpenMP-Validation-and-Verification) that pass: those about threads of the host, without TARGET, DECLARE VARIANT and
REQUIRES.

Usage: openmp_vv.py FOLDER [--cufc PATH] [WORD...]    FOLDER is a checkout of the suite; WORDs select programs by path
"""

import argparse
import re
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

OF_DEVICES = re.compile(r"^ *!\$omp.*(target|declare variant|requires)", re.IGNORECASE | re.MULTILINE)
SECONDS = 120


def verdict(source: Path, suite: Path, cufc: str, work: Path) -> "tuple[str, str]":
    command = [cufc, "-mp", "-cpp", "-w", "-DVERBOSE_MODE=1", "-I", str(suite / "ompvv"), str(source), "-o", "program"]
    built = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    if built.returncode:
        errors = [line for line in built.stderr.splitlines() if "error: " in line]
        return "not compiled", errors[0].split("error: ", 1)[1] if errors else built.stderr[-200:]
    try:
        ran = subprocess.run(["./program"], cwd=work, capture_output=True, text=True, timeout=SECONDS, check=False,
                             env={"OMP_NUM_THREADS": "8"})
    except subprocess.TimeoutExpired:
        return "failed", f"more than {SECONDS} seconds"
    return ("passed", "") if ran.returncode == 0 else ("failed", (ran.stdout + ran.stderr)[-200:].replace("\n", " "))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--cufc", default=str(Path(__file__).resolve().parent.parent / "build/bin/cufc"))
    arguments = parser.parse_args()
    # Some programs have arrays of 16 MB on the stack.
    _, most = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, (most, most))
    suite = arguments.folder.resolve()
    counts = Counter()
    for source in sorted((suite / "tests").rglob("*.F90")):
        name = str(source.relative_to(suite))
        if OF_DEVICES.search(source.read_text(errors="replace")) or not all(word in name for word in arguments.words):
            continue
        with tempfile.TemporaryDirectory() as work:
            result, reason = verdict(source, suite, arguments.cufc, Path(work))
        counts[result] += 1
        if result != "passed":
            print(f"{result}: {name}: {reason}")
    print(", ".join(f"{number} {result}" for result, number in sorted(counts.items())))
    sys.exit(counts["failed"] > 0)


main()
