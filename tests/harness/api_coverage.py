"""Which programs of tests/run and docs/examples call which routines of module cudafor.

A call is the routine's name before a parenthesis outside of comments; an operator or an assignment is
told by the types of the program's variables. Names are those of the tests in reports.
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


def shown_name(routine: dict) -> str:
    return routine.get("generic", routine["name"])


# The Fortran types of the first operands of operators and assignments.
OPERAND_TYPES = {"c_devptr": "c_devptr", "symbol_handle": "cudasymbol"}


def operands(fortran_type: str, text: str) -> str:
    """A pattern for the variables of a type in a program; one that matches nothing if it has none."""
    declarations = re.findall(rf"type\({fortran_type}\)[^\n]*::([^\n]*)", text)
    names = re.findall(r"\b[a-z]\w*", " ".join(declarations))
    return rf"\b(?:{'|'.join(names)})\b" if names else r"(?!)"


def is_called(routine: dict, text: str) -> bool:
    form = re.fullmatch(r"(operator|assignment)\((.+)\)", shown_name(routine))
    if not form:
        return re.search(rf"\b{shown_name(routine).lower()}\s*\(", text) is not None
    operand = operands(OPERAND_TYPES[routine["dummies"][0]["type"]], text)
    start = "^ *" if form[1] == "assignment" else ""
    return re.search(rf"{start}{operand}\s*{re.escape(form[2])}(?!=)", text, re.MULTILINE) is not None


def callers(routine: dict, texts: "dict[str, str]") -> "list[str]":
    return [name for name, text in texts.items() if is_called(routine, text)]
