#!/usr/bin/env python3
"""Writes the names that come with the compiler as C++: how documentation spells them, and their modules.

Usage: api_names.py OUTPUT"""

import sys

import api_json


def main():
    rows = {}
    for entry in api_json.entries():
        name, module = entry["name"], entry.get("offered", entry.get("module", ""))
        kind = "function" if "function" in entry["kind"] else "subroutine" if "subroutine" in entry["kind"] else ""
        if name.replace("_", "a").isalnum() and module not in ("mpi", "mpi_f08"):
            rows.setdefault(name.lower(), (name, module, kind))
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        for _, (name, module, kind) in sorted(rows.items()):
            file.write(f'{{"{name}", "{module}", "{kind}"}},\n')


if __name__ == "__main__":
    main()
