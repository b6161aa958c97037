#!/usr/bin/env python3
"""compute-sanitizer over the programs of tests/debug/planted, which have one mistake each, on the GPU, beside `-gpu=check` on the CPU.

Prints a row for each program: the tools of compute-sanitizer that report something, whether one names the line of the mistake, and whether
the checks of the compiler do. Then the same over correct programs, where each report is a false alarm.

Usage: sanitizer.py [--cufc PATH] [--jobs N] [CORRECT_PROGRAM...]
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PLANTED = Path(__file__).resolve().parents[1] / "debug/planted"
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
SECONDS = 40


def output_of(command: list, folder: Path, **variables: str) -> str:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False,
                              env=os.environ | variables)
        return done.stdout + done.stderr
    except subprocess.TimeoutExpired as expired:
        return f"no end after {SECONDS} s\n" + (expired.stdout or b"").decode(errors="replace")


def summary(text: str) -> int:
    """How many errors and hazards a tool has counted."""
    return sum(int(number) for number in re.findall(r"(?:ERROR SUMMARY|RACECHECK SUMMARY): (\d+)", text))


def try_program(source: Path, cufc: str) -> "tuple[str, dict[str, bool], bool, str]":
    """Its name; the tools that report something, with whether the line is named; whether the checks name it; what went wrong."""
    lines = source.read_text(encoding="utf-8").splitlines()
    number = next((i for i, text in enumerate(lines, 1) if "! mistake" in text), 0)
    place = f"{source.name}:{number}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built = output_of([cufc, "-O1", "-gpu=lineinfo", source, "-o", "program"], folder)
        checked = output_of([cufc, "-gpu=check,host", source, "-o", "checked"], folder)
        if not (folder / "program").exists() or not (folder / "checked").exists():
            return source.stem, {}, False, built + checked
        found = {}
        for tool in TOOLS:
            text = output_of(["compute-sanitizer", "--tool", tool, "./program"], folder, CUF_DEVICE="gpu")
            if summary(text):
                found[tool] = place in text
        said = output_of(["./checked"], folder, CUF_DEVICE="host")
        return source.stem, found, f"{place}:" in said if number else "cufrt: error" in said or " error: " in said, ""


def show(rows: list, correct: bool) -> None:
    for name, found, checks, problem in rows:
        tools = ", ".join(tool + ("" if at_line or correct else " (elsewhere)") for tool, at_line in found.items()) or "nothing"
        print(f"| {name.replace('_', ' ')} | {problem.strip() or tools} | {'found' if checks else 'nothing'} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cufc", default=os.environ.get("CUFC", "cufc"))
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("correct", nargs="*", type=Path)
    arguments = parser.parse_args()
    cufc = str(Path(arguments.cufc).resolve())
    with ThreadPoolExecutor(arguments.jobs) as pool:
        planted = list(pool.map(lambda source: try_program(source, cufc), sorted(PLANTED.glob("*.cuf"))))
        correct = list(pool.map(lambda source: try_program(source.resolve(), cufc), arguments.correct))
    show(planted, correct=False)
    by_tools = sum(bool(found) for _, found, _, _ in planted)
    by_checks = sum(checks for _, _, checks, _ in planted)
    print(f"{len(planted)} mistakes: compute-sanitizer reports {by_tools}, the checks name the line of {by_checks}")
    show([row for row in correct if row[1] or row[2] or row[3]], correct=True)
    print(f"{len(correct)} correct programs: compute-sanitizer reports {sum(bool(row[1]) for row in correct)}, "
          f"the checks {sum(row[2] for row in correct)}")
    return 0 if planted and not any(row[3] for row in planted) else 1


if __name__ == "__main__":
    sys.exit(main())
