#!/usr/bin/env python3
"""Counts the variables of kernels that gdb reads with the right value, over many programs. Not part of `./dev test`.

Each kernel gets, before its end, statements by which one thread prints its dummy arguments and local variables of intrinsic type
(of an array, the first element); gdb_values.py compares. A variable that the source gives no value counts as well: both sides read
the same memory.

Usage: count.py [--cufc PATH] [--flags "-O0"] FILE...
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import gdb_values  # noqa: E402  pylint: disable=wrong-import-position

KERNEL = re.compile(r"^\s*(?:launch_bounds\([^)]*\)\s*)?attributes\s*\(\s*(?:grid_)?global\s*\)[^!]*\bsubroutine\s+(\w+)", re.IGNORECASE)
END = re.compile(r"^\s*end\s*subroutine\b|^\s*contains\s*$|^\s*end\s*$", re.IGNORECASE)
DECLARATION = re.compile(r"^\s*(integer|real|logical|complex|character|double precision)\b([^!]*?)::([^!]*)", re.IGNORECASE)
FIRST = ["threadidx%x", "threadidx%y", "threadidx%z", "blockidx%x", "blockidx%y", "blockidx%z"]
UNREADABLE = re.compile(r"parameter|optional|pointer|allocatable|texture", re.IGNORECASE)


def split_list(text: str) -> "list[str]":
    parts, depth, part = [], 0, ""
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += letter
    return [*parts, part.strip()]


def first_element(name: str, bounds: str) -> str:
    lower = []
    for bound in split_list(bounds):
        start = bound.split(":")[0].strip() if ":" in bound else ""
        if start and not re.fullmatch(r"-?\d+", start):
            return ""
        lower.append(start or "1")
    return f"{name}({', '.join(lower)})"


def variables_of(line: str) -> "list[str]":
    """The expressions to print of what a line declares."""
    found = DECLARATION.match(line)
    if not found or UNREADABLE.search(found[2]):
        return []
    dimension = re.search(r"dimension\s*\((.*)\)", found[2], re.IGNORECASE)
    result = []
    for entity in split_list(found[3].split("=")[0] if "[" in found[3] else re.sub(r"=[^,]*", "", found[3])):
        match = re.match(r"^(\w+)\s*(?:\(([^*]*|\*)\))?\s*$", entity)
        if not match:
            continue
        bounds = match[2] or (dimension[1] if dimension else "")
        expression = first_element(match[1], bounds) if bounds else match[1]
        if expression:
            result.append(expression)
    return result


def instrumented(text: str) -> "tuple[str, int]":
    lines, kernels, variables, inside, depth = [], 0, [], False, 0
    for line in text.splitlines():
        if KERNEL.match(line):
            inside, variables, depth = True, [], 0
            kernels += 1
        elif inside and re.match(r"^\s*(block|associate)\b", line, re.IGNORECASE):
            depth += 1
        elif inside and re.match(r"^\s*end\s*(block|associate)\b", line, re.IGNORECASE):
            depth -= 1
        elif inside and END.match(line):
            condition = " .and. ".join(f"{name} == 1" for name in FIRST)
            if variables:
                lines.append(f"    if ({condition}) then")
                lines += [f"      print *, '{kernels}: {name} =', {name}" for name in variables]
                lines.append("    end if")
            inside = False
        elif inside and depth == 0:
            variables += variables_of(line)
        lines.append(line)
    return "\n".join(lines) + "\n", kernels


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cufc", default=os.environ.get("CUFC", "cufc"))
    parser.add_argument("--flags", default="-O0")
    parser.add_argument("files", nargs="+", type=Path)
    arguments = parser.parse_args()
    right = wrong = kernels = unreached = left_out = 0
    for file in arguments.files:
        text, count = instrumented(file.read_text(encoding="utf-8"))
        if not count:
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            source = folder / file.name
            source.write_text(text, encoding="utf-8")
            own = re.search(r"^! FLAGS: (.*)$", text, re.MULTILINE)
            flags = [flag for flag in (own[1].split() if own else []) if not flag.startswith("-O")]
            done = subprocess.run([arguments.cufc, "-g", "-gpu=host", *flags, *arguments.flags.split(), source.name, "-o", "program"],
                                  cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode:
                left_out += 1
                print(f"{file.name}: not compiled: {(done.stderr.strip().splitlines() or [''])[0]}", flush=True)
                continue
            try:
                good, problems = gdb_values.compare(source, folder / "program", folder)
            except subprocess.TimeoutExpired:
                left_out += 1
                continue
        kernels += count
        unreached += sum("gdb did not stop" in problem for problem in problems)
        problems = [problem for problem in problems if "gdb did not stop" not in problem]
        right += good
        wrong += len(problems)
        print(f"{file.name}: {good} right, {len(problems)} wrong", *problems, sep="\n  ", flush=True)
    print(f"{kernels} kernels, {unreached} whose end one thread of the first block did not reach, {left_out} programs left out: "
          f"{right} variables right, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
