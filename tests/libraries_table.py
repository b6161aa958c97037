#!/usr/bin/env python3
"""Counts, for each module of the CUDA libraries, its routines and those that a passing program calls on each device.

    tests/run_tests.py --devices host,gpu --table results.json run/
    tests/libraries_table.py results.json
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from harness import library_coverage  # noqa: E402


def main() -> None:
    results = json.loads(Path(sys.argv[1]).read_text())
    described: Counter = Counter()
    called: "dict[str, Counter]" = {}
    for (module, _), tests in library_coverage.callers(ROOT).items():
        described[module] += 1
        devices = {row["device"] for row in results if row["passed"] and row["test"] in tests}
        called.setdefault(module, Counter()).update(devices)
    print("| module | routines | called on the host device | on a GPU |\n|---|---|---|---|")
    for module, count in described.items():
        if count:
            print(f"| {module} | {count} | {called[module]['host']} | {called[module]['gpu']} |")


if __name__ == "__main__":
    main()
