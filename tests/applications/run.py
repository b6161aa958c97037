#!/usr/bin/env python3
"""Builds public CUDA Fortran applications by their own build files, with cufc as the Fortran compiler, and runs them.

run.py SOURCES [--cufc build/bin] [--out DIR] [--only NAME,...] [--mpi openmpi|mpich] [--ranks 1,2]
       [--devices host,gpu] [--no-cpu] [--json FILE]

SOURCES is a folder of applications that the caller has fetched, each in a subfolder of its recipe's name;
recipes/*.toml says from which repository and commit, how it is built, which case runs and how the result is
judged (recipe.py has the fields). Nothing in SOURCES is written to: each application is built in a copy below
--out. Its cases run on each device in turn; without a reference, the run on the first device with the fewest ranks is it.

The table says of each application whether its build files were left as they are, what ran, how the result was
judged, and how long cufc and, where there is a build for CPUs, gfortran took. The exit status is 1 if an
application whose recipe has no `missing` did not build, run or give the right result.
"""
from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

import judge
from recipe import Case, Recipe, load
from workspace import Outcome, Toolchain, Workspace

FOLDER = Path(__file__).resolve().parent
COLUMNS = ("application", "unchanged", "built", "cufc s", "gfortran s", "case", "ranks", "device", "run s", "result")


def build(recipe: Recipe, place: Workspace, commands: "list[str]") -> "tuple[Outcome, float]":
    started = time.monotonic()
    outcome = place.run(commands, "build", limit=recipe.build_limit)
    return outcome, time.monotonic() - started


def run_case(case: Case, place: Workspace, ranks: int, device: str, cpu: bool) -> "tuple[Path, Outcome, float]":
    """The case in a folder of its own, with its input files; the program's output is in `console.txt` there."""
    folder = place.case_folder(case, ranks, device)
    place.environment["CUF_DEVICE"] = device
    started = time.monotonic()
    commands = case.cpu_commands if cpu and case.cpu_commands else case.commands
    outcome = place.run(commands, "run", limit=case.limit, ranks=ranks, folder=folder)
    (folder / "console.txt").write_text(outcome.text)
    return folder, outcome, time.monotonic() - started


def runs(case: Case, options) -> "list[tuple[str, int]]":
    """The devices and numbers of ranks of a case."""
    ranks = [n for n in case.ranks if not options.ranks or n in options.ranks] if case.mpi else [1]
    return [(device, n) for device in options.devices for n in ranks]


def run_cases(recipe: Recipe, place: Workspace, reference: "Workspace | None", row: dict, options) -> "list[dict]":
    """Each case on each device with each number of ranks, beside the reference with as many ranks; without one, beside
    the first run."""
    rows = []
    for case in recipe.cases:
        first = None
        references = {}
        for device, ranks in runs(case, options):
            if reference and ranks not in references:
                references[ranks], outcome, _ = run_case(case, reference, ranks, "host", True)
                if not outcome.good:
                    rows.append({**row, "case": case.name, "result": f"the reference failed: {outcome.reason}"})
                    references[ranks] = None
            folder, outcome, seconds = run_case(case, place, ranks, device, False)
            result = judge.judge(case, folder, references.get(ranks) or first) if outcome.good else f"failed: {outcome.reason}"
            first = first or (folder if outcome.good else None)
            rows.append({**row, "case": case.name, "ranks": str(ranks) if case.mpi else "-", "device": device,
                         "run s": f"{seconds:.1f}", "result": result})
    return rows


def build_for_cpu(recipe: Recipe, source: Path, row: dict, options) -> "Workspace | None":
    """gfortran's build, for its time; and the one that gives the reference, if there is to be one."""
    reference = None
    for name, cufc in (("gfortran", None), ("cufc", options.cufc)):
        if not recipe.cpu_build or (cufc and recipe.cpu_reference != "cufc"):
            continue
        folder = options.out / recipe.name / ("gfortran" if cufc is None else "cufc-cpu")
        place = Workspace(recipe, source, folder, Toolchain(cufc, options.mpi))
        outcome, seconds = build(recipe, place, recipe.cpu_build)
        if cufc is None:
            row["gfortran s"] = f"{seconds:.1f}" if outcome.good else f"failed: {outcome.reason}"
        if outcome.good and recipe.cpu_reference == name:
            reference = place
    return reference


def try_application(recipe: Recipe, options) -> "list[dict]":
    source = options.sources / recipe.name
    row = {"application": recipe.name, "unchanged": "no" if recipe.change else "yes", "change": recipe.change,
           "missing": recipe.missing}
    if not source.is_dir():
        return [{**row, "built": "-", "result": f"not in {options.sources.name}/"}]
    place = Workspace(recipe, source, options.out / recipe.name / "cufc", Toolchain(options.cufc, options.mpi))
    outcome, seconds = build(recipe, place, recipe.build)
    row.update({"built": "yes" if outcome.good else "no", "cufc s": f"{seconds:.1f}"})
    if not outcome.good:
        return [{**row, "result": outcome.reason}]
    reference = None if options.no_cpu else build_for_cpu(recipe, source, row, options)
    return run_cases(recipe, place, reference, row, options) or [{**row, "result": "built only"}]


def show(rows: "list[dict]") -> None:
    widths = {name: max([len(name)] + [len(row.get(name, "")) for row in rows]) for name in COLUMNS[:-1]}
    for row in [dict(zip(COLUMNS, COLUMNS))] + rows:
        text = "  ".join(row.get(name, "").ljust(widths[name]) for name in COLUMNS[:-1])
        print(f"{text}  {row.get('result', '')}")
    for field in ("change", "missing"):
        for name, text in {row["application"]: row[field] for row in rows if row[field]}.items():
            print(f"{name}: {field}: {text}")


def failed(row: dict) -> bool:
    return not row["missing"] and not row.get("result", "").startswith(("right", "built only"))


def parse(arguments: "list[str]"):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path)
    parser.add_argument("--cufc", type=Path, default=FOLDER.parents[1] / "build/bin", help="folder of cufc")
    parser.add_argument("--out", type=Path, default=FOLDER.parents[1] / "build/applications")
    parser.add_argument("--only", type=lambda text: text.split(","), default=[])
    parser.add_argument("--mpi", choices=("openmpi", "mpich"), default="openmpi")
    parser.add_argument("--ranks", type=lambda text: [int(n) for n in text.split(",")], default=[])
    parser.add_argument("--devices", type=lambda text: text.split(","), default=["host"], help="values of CUF_DEVICE")
    parser.add_argument("--no-cpu", action="store_true", help="leave out the builds for CPUs, and what is compared with them")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    options.sources, options.cufc, options.out = (p.resolve() for p in (options.sources, options.cufc, options.out))
    return options


def main(arguments: "list[str]") -> int:
    options = parse(arguments)
    rows = []
    for recipe in load(FOLDER / "recipes"):
        if options.only and recipe.name not in options.only:
            continue
        print(f"{recipe.name} ...", file=sys.stderr)
        rows += try_application(recipe, options)
    show(rows)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if any(failed(row) for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
