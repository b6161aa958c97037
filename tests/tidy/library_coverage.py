"""Every routine of the CUDA libraries' modules is called by a program in tests/run, its page is in the reference's list, and no message
says that it is not there (compiler/tables/removed_routines.def)."""

from __future__ import annotations

import re
import sys
from fnmatch import fnmatchcase
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
    return problems + said_to_be_removed(root)


def said_to_be_removed(root: Path) -> "list[str]":
    table = (root / "compiler/tables/removed_routines.def").read_text()
    patterns = [pattern for names in re.findall(r'^CUF_\w+_NAMES\("\w+", "([^"]*)"', table, re.MULTILINE) for pattern in names.split()]
    return [f"compiler/tables/removed_routines.def: module {module} has {name}"
            for module, routines in library_coverage.names().items() for name in sorted(routines)
            if any(fnmatchcase(name.lower(), pattern) for pattern in patterns)]
