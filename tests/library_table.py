#!/usr/bin/env python3
"""How many routines of the CUDA libraries' modules are called by programs of tests/run and tests/mpi, and by such that passed.

    tests/run_tests.py --devices gpu,host --table results
    tests/library_table.py [--missing] [[DEVICE=]FILE...]

For each module: routines described, called by a program, and called by a program that passed on each device of the results.
With --missing the names follow that no program calls. A name counts where it stands in a program with USE of the module.
"""

import argparse
import re
import sys
from pathlib import Path

from api_table import read_results

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "compiler/tables/generate"))
import libraries_table  # noqa: E402


def programs():
    """The words of each program by the name of its test."""
    found = {}
    for folder in ("run", "mpi"):
        for path in sorted((ROOT / "tests" / folder).glob("*.cuf")):
            found[f"{folder}/{path.stem}"] = set(re.findall(r"[a-z]\w*", path.read_text().lower()))
    return found


def names_of(row):
    """A routine counts as called by any of its names."""
    return {row[key].lower() for key in ("name", "generic", "plain") if key in row}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--missing", action="store_true")
    parser.add_argument("results", nargs="*", help="[DEVICE=]FILE of run_tests.py --table")
    options = parser.parse_args()
    results, texts = read_results(options.results), programs()
    tables = {name: libraries_table.load(name) for name in libraries_table.names()}
    users = {name: [name] + [other for other, table in tables.items() if name in table["library"].get("uses", [])]
             for name in tables}
    print("| module | described | called |" + "".join(f" {device} |" for device in sorted(results)))
    print("|---|---|---|" + "---|" * len(results))
    for name, table in tables.items():
        callers = {row["name"]: [test for test, words in texts.items()
                                 if words & names_of(row) and words & set(users[name])] for row in table["routine"]}
        called = [routine for routine, tests in callers.items() if tests]
        cells = "".join(f" {sum(any(passed.get(test) == 'passed' for test in tests) for tests in callers.values())} |"
                        for _, passed in sorted(results.items()))
        if callers:
            print(f"| {name} | {len(callers)} | {len(called)} |{cells}")
        if options.missing:
            print("\n".join(f"  {routine}" for routine, tests in callers.items() if not tests))


if __name__ == "__main__":
    main()
