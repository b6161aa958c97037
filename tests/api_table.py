#!/usr/bin/env python3
"""The table of coverage of module cudafor: routine by routine, how many programs call it and how many
of those pass on each device.

    tests/run_tests.py --devices gpu,host --table results
    tests/api_table.py results > coverage.md

A file of results from a run on one device is given as DEVICE=FILE. Several files are put together.
The exit status is 1 if a routine is called by no program, or none of its programs passes on a device.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from harness import api_coverage

ROOT = Path(__file__).resolve().parent.parent


def read_results(arguments: "list[str]") -> "dict[str, dict[str, str]]":
    """PASSED, FAILED or SKIPPED by device and test."""
    results: "dict[str, dict[str, str]]" = {}
    for argument in arguments:
        given, separator, file = argument.rpartition("=")
        for line in Path(file).read_text().splitlines():
            name, status, _ = line.split("\t")
            test, at, device = name.partition("@")
            if at or separator:
                results.setdefault(device or given, {})[test] = status.lower()
    return results


def cell(tests: "list[str]", results: "dict[str, str]") -> str:
    """Passed of those that ran; empty if none did."""
    ran = [results[test] for test in tests if results.get(test) in ("passed", "failed")]
    return f"{ran.count('passed')}/{len(ran)}" if ran else ""


def is_covered(tests: "list[str]", results: "dict[str, str]") -> bool:
    return any(results.get(test) == "passed" for test in tests)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="*", help="[DEVICE=]FILE of run_tests.py --table")
    results = read_results(parser.parse_args().results)
    devices = sorted(results)
    rows, texts = api_coverage.tables(ROOT), api_coverage.programs(ROOT)
    routines = rows["routine"]
    tests = {row["name"]: api_coverage.callers(row, texts) for row in routines}

    print("| routine | group | programs |" + "".join(f" {device} |" for device in devices))
    print("|---|---|---|" + "---|" * len(devices))
    for row in routines:
        name = row["name"]
        cells = "".join(f" {cell(tests[name], results[device])} |" for device in devices)
        print(f"| `{api_coverage.shown_name(row)}` | {row['group']} | {len(tests[name])} |{cells}")

    untested = [name for name, found in tests.items() if not found]
    print(f"\n{len(routines)} routines, {len(routines) - len(untested)} called by a program.")
    complete = not untested
    for device in devices:
        covered = sum(is_covered(found, results[device]) for found in tests.values())
        print(f"On {device}: {covered} called by a program that passes.")
        complete = complete and covered == len(routines)
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main())
