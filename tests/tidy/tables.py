"""Rows of tables that code refers to by name: none is there for nothing, and the files that they name exist. Messages of cufls
are named by their table alone."""

from __future__ import annotations

import re
from pathlib import Path

from . import common

# Table, pattern of a row's identifier, the enumeration in the code.
TABLES = (
    ("workarounds.def", re.compile(r"^CUF_WORKAROUND\((\w+),", re.MULTILINE), "Workaround"),
    ("message_filters.def", re.compile(r"^CUF_MESSAGE_FILTER\((\w+),", re.MULTILINE), "MessageFilter"),
    ("flang_phrases.def", re.compile(r"^CUF_FLANG_PHRASE\((\w+),", re.MULTILINE), "Phrase"),
)
MEND = re.compile(r'^CUF_WORKAROUND\((\w+), "[^"]*", "([^"]*)"', re.MULTILINE)
# A message, not a token such as cufls/task/1.
MESSAGE = re.compile(r"""["'](cufls/[A-Za-z]+)["']""")


def check(root: Path) -> "list[str]":
    folder = root / "compiler/tables"
    used = {kind: set() for _, _, kind in TABLES}
    for file in common.files(root, common.CPP):
        for kind, name in re.findall(r"\b(Workaround|MessageFilter|Phrase)::(\w+)", file.read_text(errors="replace")):
            used[kind].add(name)
    problems = []
    for table, row, kind in TABLES:
        problems += [f"compiler/tables/{table}: no code uses {name}"
                     for name in row.findall((folder / table).read_text()) if name not in used[kind]]
    problems += [f"compiler/tables/workarounds.def: {name}: compiler/{file} does not exist"
                 for name, file in MEND.findall((folder / "workarounds.def").read_text()) if not (root / "compiler" / file).exists()]
    return problems + check_messages(root)


def check_messages(root: Path) -> "list[str]":
    """The server takes names from the generated header; the extension's are checked by its types, but for what it casts.

    Requests of the debug adapter belong to another protocol (docs/debugger.md)."""
    def of_debugger(file: Path) -> bool:
        return file.relative_to(root).as_posix().startswith(("lsp/debug/", "vscode-extension/src/threads/"))

    table = set(MESSAGE.findall((root / "compiler/tables/protocol_messages.toml").read_text()))
    problems = [f"{file.relative_to(root)}: {name} is written by hand: protocol::method has it"
                for file in common.files(root, common.CPP)
                if "lsp" in file.relative_to(root).parts[:1] and not of_debugger(file)
                for name in MESSAGE.findall(file.read_text(errors="replace"))]
    return problems + [f"{file.relative_to(root)}: {name} is not in compiler/tables/protocol_messages.toml"
                       for file in common.files(root, (".ts",)) if not of_debugger(file)
                       for name in MESSAGE.findall(file.read_text()) if name not in table]
