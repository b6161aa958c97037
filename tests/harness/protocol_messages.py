"""Compares messages of cufls beyond the Language Server Protocol with compiler/tables/protocol_messages.toml, from which
the types of the server and of the extension come. The client of all tests looks at each message that it gets."""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "compiler/tables/generate"))
from protocol_table import Form, Table, load  # noqa: E402  pylint: disable=wrong-import-position

PREFIX = "cufls/"


@lru_cache
def table() -> Table:
    return load()


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_position(value: object) -> bool:
    return isinstance(value, dict) and set(value) == {"line", "character"} and all(map(is_whole, value.values()))


BUILTIN = {
    "string": lambda value: isinstance(value, str),
    "uri": lambda value: isinstance(value, str) and ":" in value,
    "integer": is_whole,
    "number": lambda value: is_whole(value) or isinstance(value, float),
    "boolean": lambda value: isinstance(value, bool),
    "pair": lambda value: isinstance(value, list) and len(value) == 2 and all(map(is_whole, value)),
    "Position": is_position,
    "Range": lambda value: isinstance(value, dict) and set(value) == {"start", "end"} and all(map(is_position, value.values())),
    "TextDocumentIdentifier": lambda value: isinstance(value, dict) and set(value) == {"uri"} and isinstance(value["uri"], str),
}


def in_value(form: Form, value: object, place: str) -> "list[str]":
    """What of a value is not as its type has it."""
    if value is None and form.nullable:
        return []
    if form.wraps:
        inner = Form(form.base, form.wraps[1:])
        if not isinstance(value, list if form.wraps[0] == "list" else dict):
            return [f"{place} is no {form.wraps[0]}"]
        parts = enumerate(value) if isinstance(value, list) else value.items()
        return [problem for key, part in parts for problem in in_value(inner, part, f"{place}[{key}]")]
    if form.base in BUILTIN:
        return [] if BUILTIN[form.base](value) else [f"{place} is no {form.base}"]
    known = table().types[form.base]
    if known.values:
        return [] if value in [name for name, _ in known.values] else [f"{place} is no {form.base}"]
    if not isinstance(value, dict):
        return [f"{place} is no object"]
    fields = {part.name: part for part in known.fields}
    incomplete = known.unless and known.unless in value
    problems = [f"{place}.{name} is not in the table" for name in value if name not in fields]
    for name, part in fields.items():
        if name in value:
            problems += in_value(part.form, value[name], f"{place}.{name}")
        elif not part.optional and not incomplete:
            problems.append(f"{place}.{name} is missing")
    return problems


def in_message(method: str, value: object, answer: bool) -> "list[str]":
    """What is wrong with the content of a notification, or the result of a request."""
    if not method.startswith(PREFIX):
        return []
    for message in table().messages:
        if message.method == method and bool(message.result) == answer:
            return in_value(message.result or message.params, value, method)
    return [f"{method} is not in the table"]
