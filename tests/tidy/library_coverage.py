"""Every routine of the CUDA libraries' modules is called by a program in tests/run, and its page is in the reference's list."""

from __future__ import annotations

import sys
from pathlib import Path

from harness import library_coverage

from .common import Unavailable


def check(root: Path) -> "list[str]":
    if sys.version_info < (3, 11):
        raise Unavailable("Python 3.11 is needed to read the tables")
    problems = [f"compiler/tables: {name} of module {module} is called by no program in tests/run"
                for (module, name), tests in sorted(library_coverage.callers(root).items())
                if not tests]
    listed = (root / "docs/reference/README.md").read_text()
    for page in sorted((root / "docs/reference").glob("cudalib-*.md")):
        if f"({page.name})" not in listed:
            problems.append(f"docs/reference/README.md: {page.name} is not named")
    return problems
