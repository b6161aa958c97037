"""Reads compiler/tables/keywords.def: the words of statements, with their forms and roles."""

from __future__ import annotations

import re
from pathlib import Path

TABLE = Path(__file__).resolve().parents[1] / "keywords.def"
ROW = re.compile(r'^CUF_KEYWORD\("(\w+)", (\w+), ([\w |]+)\)$', re.M)


def rows() -> "dict[str, tuple[str, set[str]]]":
    """Of each word its form and its roles."""
    return {word: (form, set(roles.split(" | "))) for word, form, roles in ROW.findall(TABLE.read_text())}


def with_roles(*roles: str) -> "list[str]":
    return [word for word, (_, has) in rows().items() if has & set(roles)]


def with_form(*forms: str) -> "list[str]":
    return [word for word, (form, _) in rows().items() if form in forms]
