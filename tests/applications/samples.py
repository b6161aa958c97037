#!/usr/bin/env python3
"""Builds public sample programs that call CUDA libraries by their own makefiles with cufc, runs them, and counts.

samples.py SOURCES [--cufc build/bin] [--out DIR] [--only TEXT] [--devices host,gpu] [--json FILE]

SOURCES is a folder of repositories that the caller has fetched, each in a subfolder of its collection's name;
samples.toml says from which repository and commit. Nothing in it is written to. The fields of a group of samples:

folder              of a makefile with the targets build and run
tests, variable     the programs of the folder, and the makefile's variable that names one (TEST)
make                the makefile's targets, each a program that is run by itself, in place of the two above
flags               in place of the makefile's FCFLAGS
ranks               MPI ranks that it runs with
passed              what a right run says, by the program's name, where it is not that it passed
openacc, target     its arrays come to the device by OpenACC or OpenMP directives, which run on the CPU alone
because             why it cannot be built or run

A sample has passed if it says so and does not say that anything failed. The exit status is 1 if a sample
without a reason did not pass.
"""
from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import sys
import tomllib
from pathlib import Path

from recipe import Recipe
from workspace import Toolchain, Workspace

FOLDER = Path(__file__).resolve().parent
COMPILERS = ["nvfortran", "pgf90", "pgfortran"]
PASSED = r"(?i)\btest(s)? passed|\bpassed\b"
FAILED = r"(?i)(?<!\b0 tests )\bfailed\b|mismatch|\bNaN\b|did not pass"
GPU_DIRECTIVES = {"openacc": "its data come to the device by OpenACC directives",
                  "target": "its data come to the device by OpenMP target directives"}


def programs(group: dict) -> "list[tuple[str, list[str], list[str]]]":
    """Of each program its name, and the arguments of make that build and that run it; none run a program itself."""
    folder = group["folder"]
    if "make" in group:
        return [(f"{folder} {target}", [target], []) for target in group["make"]]
    variable = group.get("variable", "TEST")
    if "tests" not in group:
        return [(folder, ["build"], ["run"])]
    return [(f"{folder} {test}", ["build", f"{variable}={test}"], ["run", f"{variable}={test}"]) for test in group["tests"]]


def why_not(group: dict) -> str:
    directives = [text for name, text in GPU_DIRECTIVES.items() if group.get(name)]
    return group.get("because", "") or (directives[0] if directives else "")


def verdict(group: dict, name: str, text: str) -> str:
    wrong = re.search(FAILED, text)
    if wrong:
        return f"wrong: it says {wrong.group()}"
    wanted = group.get("passed", {}).get(name.split()[-1].rsplit("/", 1)[-1], PASSED)
    return "passed" if re.search(wanted, text) else "wrong: it does not say that it passed"


def try_program(place: Workspace, group: dict, program: "tuple[str, list[str], list[str]]", devices: "list[str]") -> "dict[str, str]":
    """What became of it on each device."""
    name, build, run = program
    folder = place.folder / "source" / group["folder"]
    shown = re.sub(r"\W+", "-", name)
    make = "make FC=cufc " if group.get("ranks", 0) == 0 else "make MPIFC=mpif90 "
    make += f"FCFLAGS='{group['flags']}' " if "flags" in group else ""
    outcome = place.run([make + shlex.join(build)], f"build-{shown}", limit=900, folder=folder)
    if not outcome.good:
        return {device: f"not built: {outcome.reason}" for device in devices}
    results = {}
    for device in devices:
        place.environment["CUF_DEVICE"] = device
        ranks = group.get("ranks", 0)
        commands = ["ulimit -s $(ulimit -H -s)", f"{make}{' '.join(run)} NGPU={ranks} MPIRUN='mpirun --oversubscribe'" if run else f"./{build[0]}"]
        outcome = place.run(commands, f"run-{device}-{shown}", limit=900, ranks=ranks, folder=folder)
        results[device] = verdict(group, name, outcome.text) if outcome.good else f"failed: {outcome.reason}"
    for pattern in ("*.exe", "*.out", "*.o", "*.mod"):
        for file in folder.glob(pattern):
            if not (place.kept and file.suffix in (".exe", ".out")):
                file.unlink()
    return results


def try_collection(collection: dict, options) -> "list[dict]":
    source = options.sources / collection["name"]
    if not source.is_dir():
        return [{"sample": collection["name"], "result": {"-": f"not in {options.sources.name}/"}, "because": ""}]
    recipe = Recipe(collection["name"], collection["repository"], collection["commit"], "", [], compilers=COMPILERS)
    place = Workspace(recipe, source / collection.get("root", "."), options.out / collection["name"], Toolchain(options.cufc, "openmpi"))
    place.kept = options.keep
    rows = []
    for group in collection["groups"]:
        for program in programs(group):
            if options.only and options.only not in program[0]:
                continue
            result = try_program(place, group, program, options.devices)
            rows.append({"sample": program[0], "result": result, "because": why_not(group)})
            print(f"{program[0]}: {result}", file=sys.stderr, flush=True)
    return rows


def show(rows: "list[dict]", devices: "list[str]") -> int:
    """The table and its counts; how many failed without a reason."""
    unexplained = 0
    for row in rows:
        for device, text in row["result"].items():
            good = text == "passed"
            unexplained += not good and not row["because"]
            print(f"{row['sample']:72} {device:5} {text if good or not row['because'] else text + '; ' + row['because']}")
    for device in devices:
        passed = sum(row["result"].get(device) == "passed" for row in rows)
        print(f"{device}: {passed} of {len(rows)} passed")
    return unexplained


def main(arguments: "list[str]") -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path)
    parser.add_argument("--cufc", type=Path, default=FOLDER.parents[1] / "build/bin", help="folder of cufc")
    parser.add_argument("--out", type=Path, default=FOLDER.parents[1] / "build/samples")
    parser.add_argument("--only", default="", help="samples whose name has this text")
    parser.add_argument("--devices", type=lambda text: text.split(","), default=["host"], help="values of CUF_DEVICE")
    parser.add_argument("--keep", action="store_true", help="keep the executables")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    options.sources, options.cufc, options.out = (p.resolve() for p in (options.sources, options.cufc, options.out))
    rows = []
    for collection in tomllib.loads((FOLDER / "samples.toml").read_text())["collection"]:
        rows += try_collection(collection, options)
    unexplained = show(rows, options.devices)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
