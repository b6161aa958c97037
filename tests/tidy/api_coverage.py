"""Every routine of module cudafor is called by a program in tests/run, and documented: it says what it
does and what each of its arguments is for, and has its section in docs/reference/.
"""

from __future__ import annotations

import sys
from pathlib import Path

from harness import api_coverage

from .common import Unavailable


def check(root: Path) -> "list[str]":
    if sys.version_info < (3, 11):
        raise Unavailable("Python 3.11 is needed to read the tables")
    texts = {name: text for name, text in api_coverage.programs(root).items() if name.startswith("run/")}
    problems = []
    for row in api_coverage.tables(root)["routine"]:
        name = row["name"]
        if not api_coverage.callers(row, texts):
            problems.append(f"{api_coverage.TABLES}: {name} is called by no program in tests/run")
        problems += [f"{api_coverage.TABLES}: {name}: {lack}" for lack in lacking(root, row)]
    return problems


def lacking(root: Path, row: dict) -> "list[str]":
    lacks = [] if row.get("summary") else ["no summary"]
    lacks += [f"dummy {dummy['name']} is not explained" for dummy in row["dummies"] if not dummy.get("about")]
    page = root / f"docs/reference/cudafor-{row['group']}.md"
    if not page.exists() or f"## {api_coverage.shown_name(row)}\n" not in page.read_text():
        lacks.append(f"no section in {page.relative_to(root)}")
    return lacks
