#!/usr/bin/env python3
"""Every construct of the CUDA Fortran guide, in every place, with the options that change what is compiled: does it work?

A cell is a construct (guide_constructs.py), a place (include file, macro, continued line, fixed form; rewrites.py), a kind of program
unit and an option. A program holds all constructs of a place, unit and option; if it is wrong each is tried alone. A cell works, is an error
that names its place, gives wrong results, or crashes (the compiler, or the program). What the guide forbids must be a named error.

    guide.py [--all] [--place NAME] [--unit NAME] [--option NAME] [--row NAME] [--part K/N] [--jobs N] [--keep DIR] [--table FILE]

Without --all a sample; --part takes every N-th cell from the K-th, from 0. --table writes the page of results. CUFC names the compiler, CUF_DEVICE the device."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from guide_constructs import ERRORS, ROWS
from rewrites import PLACES, UNITS, source_of

SECONDS = 300
OPTIONS = {"": ["-O0"], "-O2": ["-O2"], "-r8": ["-O0", "-r8"], "-gpu=managed": ["-O0", "-gpu=managed"], "-Mbounds": ["-O0", "-Mbounds"],
           "-gpu=check": ["-O0", "-gpu=check"], "-g": ["-g", "-O0"]}
SAMPLE = [("plain", "main", "-O2"), ("nested_include", "submodule", ""), ("function_macro", "block", "-Mbounds"), ("fixed_continued", "module", "-r8"),
          ("label", "internal", "-gpu=managed"), ("semicolon", "associate", "-gpu=check"), ("split_token", "external", "-g")]
NAMED = re.compile(r"^\S+:\d+:\d+: error: .*\[(CUF\d+)\]", re.M)
CRASHED = re.compile(r"CUF090\d|the compiler failed|LLVM ERROR|Stack dump|Assertion")
# Cells that cannot be right, and why: (row, place, unit, option) with patterns.
FORBIDDEN = []


ENVIRONMENT = {**os.environ, "CUF_DEVICE": os.environ.get("CUF_DEVICE", "host")}
if ENVIRONMENT["CUF_DEVICE"] == "host":
    ENVIRONMENT["CUDA_HOME"] = "/nonexistent"  # no ptxas for code that does not run


def outcome(cufc, folder, source, flags, run):
    """works, named, wrong or crash; and what was said."""
    for name, text in source.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    try:
        compiled = subprocess.run([cufc, "-cuda", *source.flags, *flags, source.name(), "-o", "program"], cwd=folder, capture_output=True, text=True, timeout=SECONDS, env=ENVIRONMENT)
    except subprocess.TimeoutExpired:
        return "crash", "the compiler does not end"
    said = compiled.stdout + compiled.stderr
    if compiled.returncode < 0 or CRASHED.search(said):
        return "crash", said
    if compiled.returncode:
        return ("named", said) if NAMED.search(said) else ("wrong", "an error without a place or a code: " + said)
    if not run:
        return "works", said
    try:
        done = subprocess.run(["./program"], cwd=folder, capture_output=True, text=True, timeout=SECONDS, env=ENVIRONMENT)
    except subprocess.TimeoutExpired:
        return "crash", "the program does not end"
    if done.returncode == 0 and done.stdout.strip().endswith("PASS"):
        return "works", said
    return ("crash" if done.returncode < 0 else "wrong"), done.stdout + done.stderr


class Matrix:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, Path(folder)
        self.cufc = os.environ.get("CUFC", "cufc")
        self.rows = [row for row in ROWS if arguments.row in (None, row.name)]
        self.errors = [row for row in ERRORS if arguments.row in (None, row.name)]

    def attempt(self, cell, rows, name, run=True):
        place, unit, option = cell
        folder = self.folder / "_".join([place, unit, option.strip("-").replace("=", "_") or "O0", name])
        folder.mkdir(parents=True, exist_ok=True)
        return outcome(self.cufc, folder, source_of(place, unit, rows), OPTIONS[option], run)

    def halves(self, cell, rows):
        """The constructs that are not right; halves are tried as long as they fail."""
        kind, said = self.attempt(cell, rows, rows[0].name + str(len(rows)))
        if kind == "works":
            return []
        if len(rows) == 1:
            return [(rows[0].name, kind, said)]
        middle = len(rows)//2
        found = self.halves(cell, rows[:middle]) + self.halves(cell, rows[middle:])
        return found or [("together", "wrong", said)]

    def cell(self, cell):
        """How many of the constructs work, and the others."""
        others = self.halves(cell, self.rows) if self.rows else []
        works = len(self.rows) - len(others)
        forbidden = []
        if cell[2] == "" and cell[1] in ("main", "module"):
            for row in self.errors:
                kind, said = self.attempt(cell, [row], row.name, run=False)
                forbidden.append((row.name, kind if kind != "works" else "wrong", said))
        return cell, works, others, forbidden


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--place", "--unit", "--option", "--row", "--part", "--keep", "--table"):
        parser.add_argument(name)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def chosen(arguments):
    if not (arguments.all or arguments.place or arguments.unit or arguments.option is not None):
        return SAMPLE
    first, step = map(int, (arguments.part or "0/1").split("/"))
    return [(place, unit, option) for place in PLACES for unit in UNITS for option in OPTIONS
            if arguments.place in (None, place) and arguments.unit in (None, unit) and arguments.option in (None, option)][first::step]


MEASURED = "On two H200 the same cells gave the same on 28 November 2026 (`CUF_DEVICE=gpu tests/matrix/guide.py --all`): all work."


def page(results, pieces):
    """The table of the documentation."""
    total = Counter()
    lines = ["# Constructs by place", "", f"`tests/matrix/guide.py --all --table` writes this page: {pieces} constructs of the CUDA Fortran guide in {len(PLACES)} places\n"
             f"(an include file, a macro, a continued line, fixed form, behind a label, two on one line and others), {len(UNITS)} kinds of program units and with {len(OPTIONS)} options,\n"
             f"compiled and run on the CPU, and {len(ERRORS)} that the guide forbids.", "",
             "| place | works | error that names it | wrong | crash |", "|---|---|---|---|---|"]
    named = defaultdict(list)
    for place in PLACES:
        count = Counter()
        for cell, works, others, forbidden in results:
            if cell[0] == place:
                count["works"] += works
                count.update(kind for _, kind, _ in others)
                for name, kind, said in others:
                    named[(name, (NAMED.search(said) or [None, kind])[1])].append(cell)
        total.update(count)
        if count:
            lines.append(f"| {place} | {count['works']} | {count['named']} | {count['wrong']} | {count['crash']} |")
    lines += [f"| all | {total['works']} | {total['named']} | {total['wrong']} | {total['crash']} |", ""]
    forbidden = Counter(kind for _, _, _, found in results for _, kind, _ in found)
    lines += [f"Of the forbidden constructs {forbidden['named']} cells are errors that name their place, {forbidden['wrong']} are not, {forbidden['crash']} crash.", "", MEASURED]
    if named:
        lines += ["", "| construct | message | units | places | options |", "|---|---|---|---|---|"]
    texts = {row.name: row.piece.split("\n")[0] for row in ROWS}
    for (name, code), cells in sorted(named.items()):
        sets = [sorted({cell[part] or "-O0" for cell in cells}) for part in (1, 0, 2)]
        shown = ["all" if len(part) == size else ", ".join(part) for part, size in zip(sets, (len(UNITS), len(PLACES), len(OPTIONS)))]
        lines.append(f"| `{texts.get(name, name).replace('|', chr(92) + '|')}` | {code} | " + " | ".join(shown) + " |")
    return "\n".join(lines) + "\n"


def main():
    arguments = parse_arguments()
    results, bad = [], 0
    with tempfile.TemporaryDirectory() as temporary:
        matrix = Matrix(arguments, arguments.keep or temporary)
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for cell, works, others, forbidden in pool.map(matrix.cell, chosen(arguments)):
                results.append((cell, works, others, forbidden))
                for name, kind, said in [*others, *forbidden]:
                    if kind in ("wrong", "crash"):
                        bad += 1
                        print(f"{', '.join(cell)}: {name}: {kind}: {said[:600]}", flush=True)
                print(f"{', '.join(cell)}: {works} work, " + ", ".join(f"{name} {kind} {(NAMED.search(said) or ['', ''])[1]}" for name, kind, said in others), flush=True)
    cells = sum(works + len(others) for _, works, others, _ in results)
    count = Counter(kind for _, _, others, _ in results for _, kind, _ in others)
    print(f"{cells} cells: {sum(works for _, works, _, _ in results)} work, {count['named']} named errors, {count['wrong']} wrong, {count['crash']} crashes; "
          f"forbidden: {sum(len(found) for *_, found in results)}, {sum(kind == 'named' for *_, found in results for _, kind, _ in found)} named errors")
    if arguments.table:
        Path(arguments.table).write_text(page(results, len(ROWS)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
