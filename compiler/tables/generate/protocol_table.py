"""Reads compiler/tables/protocol_messages.toml: messages of cufls and the types of what they carry."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

TABLE = Path(__file__).resolve().parents[1] / "protocol_messages.toml"
BUILTIN = {"string", "integer", "number", "boolean", "uri", "pair", "Position", "Range", "TextDocumentIdentifier"}


@dataclass
class Form:
    """A type as a field has it: what it is in the end, and what stands behind it, outermost first."""
    base: str
    wraps: "tuple[str, ...]" = ()  # "list", "map"
    nullable: bool = False


@dataclass
class Field:
    name: str
    form: Form
    about: str
    optional: bool


@dataclass
class Type:
    name: str
    about: str
    values: "list[list[str]]" = field(default_factory=list)
    fields: "list[Field]" = field(default_factory=list)
    json: bool = False
    unless: str = ""


@dataclass
class Message:
    method: str
    kind: str
    about: str
    params: Form
    result: "Form | None"

    @property
    def name(self) -> str:
        return self.method.split("/")[1]


@dataclass
class Table:
    messages: "list[Message]"
    types: "dict[str, Type]"

    def used_by(self, form: Form) -> "list[Type]":
        """The types of a form, each after those that use it."""
        found: "dict[str, Type]" = {}

        def add(name: str) -> None:
            if name in self.types and name not in found:
                found[name] = self.types[name]
                for each in self.types[name].fields:
                    add(each.form.base)
        add(form.base)
        return list(found.values())


def parse(text: str) -> Form:
    nullable = text.endswith("|null")
    text = text.removesuffix("|null")
    wraps = []
    while text.endswith(("[]", "{}")):
        wraps.append("list" if text.endswith("[]") else "map")
        text = text[:-2]
    return Form(text, tuple(wraps), nullable)


def load() -> Table:
    content = tomllib.loads(TABLE.read_text())
    types = {}
    for row in content["type"]:
        fields = [Field(name.removesuffix("?"), parse(form), about, name.endswith("?")) for name, form, about in row.get("fields", [])]
        types[row["name"]] = Type(row["name"], row["about"], row.get("values", []), fields, row.get("json", False), row.get("unless", ""))
    messages = [Message(row["method"], row["kind"], row["about"], parse(row["params"]), parse(row["result"]) if "result" in row else None)
                for row in content["message"]]
    table = Table(messages, types)
    check(table)
    return table


def check(table: Table) -> None:
    forms = [(each.name, part.form) for each in table.types.values() for part in each.fields]
    forms += [(each.method, form) for each in table.messages for form in (each.params, each.result) if form]
    for place, form in forms:
        if form.base not in BUILTIN and form.base not in table.types:
            raise SystemExit(f"{TABLE.name}: {place}: there is no type {form.base}")
    used = {form.base for _, form in forms}
    for name in table.types:
        if name not in used:
            raise SystemExit(f"{TABLE.name}: nothing uses {name}")
