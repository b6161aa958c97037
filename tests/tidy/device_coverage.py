"""Every procedure in the table of device code is called in device code by a program of tests/run that runs
on both devices, is explained, and has its section in docs/reference/; every name that the CUDA Fortran
reference lists is in the table.
"""

from __future__ import annotations

import sys
from pathlib import Path

from harness import device_coverage

from .common import Unavailable

TABLE = "compiler/tables/device_intrinsics*.toml"


def check(root: Path) -> "list[str]":
    if sys.version_info < (3, 11):
        raise Unavailable("Python 3.11 is needed to read the tables")
    rows = device_coverage.rows(root)
    texts = device_coverage.programs(root)
    pages = {group: (root / f"docs/reference/device-{group}.md").read_text() for group in {row["group"] for row in rows}}
    problems = []
    for row in rows:
        lacks = [] if device_coverage.callers(row, texts) else ["no program in tests/run calls it in device code"]
        lacks += [f"dummy {dummy['name']} is not explained" for dummy in row["dummies"] if not dummy.get("about")]
        lacks += [] if f"## {row['name']}\n" in pages[row["group"]] else ["no section in docs/reference"]
        problems += [f"{TABLE}: {row['name']}: {lack}" for lack in lacks]
    names = {row["name"] for row in rows}
    for table, listed in device_coverage.reference(root).items():
        problems += [f"{TABLE}: {name} of {table} is missing" for name in listed if name not in names]
    return problems
