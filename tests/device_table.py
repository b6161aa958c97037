#!/usr/bin/env python3
"""Counts of the procedures of device code, by the reference's tables and by group: how many are in the
table, called by a program of tests/run, and called by one that passes on each device.

    tests/run_tests.py --devices gpu,host --table results
    tests/device_table.py [--each] results

A file of results from a run on one device is given as DEVICE=FILE. --each lists every procedure. The exit
status is 1 if one is missing, called by no program, or by none that passes on a device.
"""

from __future__ import annotations

import argparse
import sys

from api_table import ROOT, cell, is_covered, read_results
from harness import device_coverage


def count_row(title: str, names: "list[str]", tests: "dict[str, list[str]]", results: dict) -> str:
    known = [name for name in names if name in tests]
    counts = [len(names), len(known), sum(bool(tests[name]) for name in known)]
    for device in sorted(results):
        counts.append(sum(is_covered(tests[name], results[device]) for name in known))
    return f"| {title} | " + " | ".join(map(str, counts)) + " |"


def print_counts(lists: "dict[str, list[str]]", tests: "dict[str, list[str]]", results: dict) -> None:
    print("| table | names | described | called |" + "".join(f" {device} |" for device in sorted(results)))
    print("|---|---|---|---|" + "---|" * len(results))
    for title, names in lists.items():
        print(count_row(title, names, tests, results))


def print_each(rows: "list[dict]", tests: "dict[str, list[str]]", results: dict) -> None:
    print("\n| procedure | group | programs |" + "".join(f" {device} |" for device in sorted(results)))
    print("|---|---|---|" + "---|" * len(results))
    for row in rows:
        found = tests[row["name"]]
        cells = "".join(f" {cell(found, results[device])} |" for device in sorted(results))
        print(f"| `{row['name']}` | {row['group']} | {len(found)} |{cells}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--each", action="store_true", help="list every procedure")
    parser.add_argument("results", nargs="*", help="[DEVICE=]FILE of run_tests.py --table")
    options = parser.parse_args()
    results = read_results(options.results)
    rows, texts = device_coverage.rows(ROOT), device_coverage.programs(ROOT)
    tests = {row["name"]: device_coverage.callers(row, texts) for row in rows}
    lists = device_coverage.reference(ROOT)
    for row in rows:
        lists.setdefault(f"group {row['group']}", []).append(row["name"])
    print_counts(lists | {"all procedures": [row["name"] for row in rows]}, tests, results)
    if options.each:
        print_each(rows, tests, results)
    complete = all(name in tests and tests[name] for names in lists.values() for name in names)
    passed = all(is_covered(found, results[device]) for device in results for found in tests.values())
    return 0 if complete and passed else 1


if __name__ == "__main__":
    sys.exit(main())
