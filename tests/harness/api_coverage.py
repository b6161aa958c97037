"""Which programs of tests/run and docs/examples call which routines of module cudafor.

A call is the routine's name before a parenthesis outside of comments. Names are those of the tests
in reports.
"""

from __future__ import annotations

import re
from pathlib import Path

from .programs import source_files

TABLES = "compiler/tables"


def tables(root: Path) -> dict:
    """The rows of all tables of cudafor, by kind."""
    import tomllib  # Python 3.11, which the rest of the harness does without

    rows: dict = {}
    for path in sorted((root / TABLES).glob("cudafor*.toml")):
        with open(path, "rb") as file:
            for kind, new in tomllib.load(file).items():
                rows.setdefault(kind, []).extend(new)
    return rows


def programs(root: Path) -> "dict[str, str]":
    """The text of each program without comments, in lower case, by the test's name."""
    texts = {}
    for folder, prefix in (("tests/run", "run"), ("docs/examples", "examples")):
        for path in sorted((root / folder).glob("*")):
            if files := source_files(path):
                text = "\n".join(file.read_text() for file in files)
                texts[f"{prefix}/{path.name}"] = re.sub(r"![^\n]*", "", text).lower()
    return texts


def callers(routine: str, texts: "dict[str, str]") -> "list[str]":
    call = re.compile(rf"\b{routine.lower()}\s*\(")
    return [name for name, text in texts.items() if call.search(text)]
