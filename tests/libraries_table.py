#!/usr/bin/env python3
"""Counts, for each module of the CUDA libraries, its routines and those that a passing program calls on each device.

    tests/run_tests.py --devices host,gpu --table results
    tests/libraries_table.py results
"""

from __future__ import annotations

import sys
from collections import Counter

from api_table import ROOT, is_covered, read_results
from harness import library_coverage


def main() -> None:
    results = read_results(sys.argv[1:])
    devices = sorted(results)
    counts: "dict[str, Counter]" = {}
    for (module, _), tests in library_coverage.callers(ROOT).items():
        covered = [device for device in devices if is_covered(tests, results[device])]
        called = ["called"] if tests else []
        counts.setdefault(module, Counter()).update(["described", *called, *covered])
    print("| module | routines | called by a program |" + "".join(f" called and passed on {device} |" for device in devices))
    print("|---|---|---|" + "---|" * len(devices))
    for module, count in counts.items():
        print(f"| {module} | {count['described']} | {count['called']} |" + "".join(f" {count[device]} |" for device in devices))


if __name__ == "__main__":
    main()
