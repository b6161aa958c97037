"""Writes what follows from protocol_messages.toml:

protocol_messages.py              the extension's types and the page of the reference
protocol_messages.py --check      fails if these are not what would be written
protocol_messages.py --cpp FILE   the structures that the server sends and reads
"""

from __future__ import annotations

import sys
from pathlib import Path

import output
from protocol_table import Form, Message, Table, Type, load

ROOT = Path(__file__).resolve().parents[3]
TYPESCRIPT = "vscode-extension/src/protocol.ts"
PAGE = "docs/reference/protocol.md"
ORIGIN = "Generated from compiler/tables/protocol_messages.toml by compiler/tables/generate/protocol_messages.py."


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


# C++

CPP = {"string": "std::string", "uri": "std::string", "integer": "std::int64_t", "number": "double", "boolean": "bool",
       "pair": "std::pair<int, int>"}
CPP_START = {"std::int64_t": " = 0", "double": " = 0", "bool": " = false"}


def cpp_type(table: Table, form: Form) -> str:
    known = table.types.get(form.base)
    result = form.base if known and not known.json else CPP.get(form.base, "nlohmann::json")
    for wrap in reversed(form.wraps):
        result = f"std::vector<{result}>" if wrap == "list" else f"std::map<std::string, {result}>"
    return result


def cpp_enumeration(each: Type) -> str:
    names = ", ".join(sentence(value) for value, _ in each.values)
    texts = ", ".join(f'"{value}"' for value, _ in each.values)
    return (f"enum class {each.name} {{ {names} }};\n"
            f"inline void to_json(nlohmann::json &json, {each.name} value) {{\n"
            f"  static constexpr const char *names[] = {{{texts}}};\n"
            "  json = names[static_cast<size_t>(value)];\n}\n")


def cpp_structure(table: Table, each: Type) -> str:
    members, writes = "", ""
    for part in each.fields:
        kind = cpp_type(table, part.form)
        maybe = part.optional or part.form.nullable
        enumeration = part.form.base in table.types and table.types[part.form.base].values and not part.form.wraps
        start = " = {}" if maybe or enumeration else CPP_START.get(kind, " = {}")
        members += f"  {f'std::optional<{kind}>' if maybe else kind} {part.name}{start};\n"
        if part.form.nullable:
            writes += f'  json["{part.name}"] = value.{part.name} ? nlohmann::json(*value.{part.name}) : nlohmann::json();\n'
        elif part.optional:
            writes += f'  if (value.{part.name})\n    json["{part.name}"] = *value.{part.name};\n'
        else:
            writes += f'  json["{part.name}"] = value.{part.name};\n'
    return (f"struct {each.name} {{\n{members}}};\n"
            f"inline void to_json(nlohmann::json &json, const {each.name} &value) {{\n"
            f"  json = nlohmann::json::object();\n{writes}}}\n")


def cpp_enumeration_read(each: Type) -> str:
    reads = "".join(f'  if (text == "{value}")\n    return void(value = {each.name}::{sentence(value)});\n' for value, _ in each.values)
    known = ", ".join(value for value, _ in each.values)
    return (f"inline void from_json(const nlohmann::json &json, {each.name} &value) {{\n"
            "  const std::string text = json.get<std::string>();\n"
            f"{reads}"
            f'  throw nlohmann::json::other_error::create(501, "unknown value " + text + "; known are {known}", &json);\n}}\n')


def cpp_structure_read(table: Table, each: Type) -> str:
    reads = ""
    for part in each.fields:
        kind, name = cpp_type(table, part.form), part.name
        if part.optional or part.form.nullable:
            reads += f'  if (auto at = json.find("{name}"); at != json.end() && !at->is_null())\n    value.{name} = at->get<{kind}>();\n'
        else:
            reads += f'  value.{name} = json.at("{name}").get<{kind}>();\n'
    return (f"// Throws nlohmann::json::exception where a member is missing or of another type.\n"
            f"inline void from_json(const nlohmann::json &json, {each.name} &value) {{\n{reads}}}\n")


def ordered(table: Table, forms: "list[Form]") -> "list[Type]":
    """The types of forms that have structures, each behind what it uses."""
    found: "dict[str, Type]" = {}
    for form in forms:
        for each in table.used_by(form):
            found.pop(each.name, None)
            found[each.name] = each
    return list(reversed([each for each in found.values() if not each.json]))


def cpp_declaration(table: Table, each: Type, read: bool) -> str:
    if each.values:
        return cpp_enumeration(each) + (cpp_enumeration_read(each) if read else "")
    return cpp_structure(table, each) + (cpp_structure_read(table, each) if read else "")


def cpp(table: Table) -> str:
    text = (f"// {ORIGIN}\n#ifndef CUFLS_PROTOCOL_MESSAGES_H\n#define CUFLS_PROTOCOL_MESSAGES_H\n\n"
            "#include <cstdint>\n#include <map>\n#include <nlohmann/json.hpp>\n#include <optional>\n#include <string>\n"
            "#include <utility>\n#include <vector>\n\nnamespace cufc::protocol {\n\nnamespace method {\n")
    for message in table.messages:
        text += f'constexpr const char *{message.name} = "{message.method}";\n'
    text += "} // namespace method\n"
    requests = [message for message in table.messages if message.result]
    read = ordered(table, [message.params for message in requests])
    for each in ordered(table, [form for message in table.messages for form in (message.params, message.result) if form]):
        text += f"\n// {each.about}\n" + cpp_declaration(table, each, each in read)
    return text + "\n} // namespace cufc::protocol\n#endif // CUFLS_PROTOCOL_MESSAGES_H\n"


# TypeScript

TS = {"integer": "number", "uri": "string", "pair": "[number, number]"}


def ts_type(form: Form) -> str:
    result = TS.get(form.base, form.base)
    for wrap in reversed(form.wraps):
        result = f"{result}[]" if wrap == "list" else f"Record<string, {result}>"
    return f"{result} | null" if form.nullable else result


def ts_declaration(each: Type) -> str:
    if each.values:
        return f"// {each.about}\nexport type {each.name} = {' | '.join(repr(value) for value, _ in each.values)};\n\n"
    text = f"// {each.about}\nexport interface {each.name} {{\n"
    for part in each.fields:
        text += f"  {part.name}{'?' if part.optional else ''}: {ts_type(part.form)};{f' // {part.about}' if part.about else ''}\n"
    return text + "}\n\n"


def typescript(table: Table) -> str:
    text = f"""// Messages of cufls beyond the Language Server Protocol. {ORIGIN}

export interface Position {{
  line: number; // from 0
  character: number;
}}

export interface Range {{
  start: Position;
  end: Position;
}}

export interface TextDocumentIdentifier {{
  uri: string;
}}

"""
    text += "".join(map(ts_declaration, table.types.values()))
    text += "// Of the client, with what is answered.\nexport interface Requests {\n"
    for message in table.messages:
        if message.result:
            text += f"  '{message.method}': {{ params: {ts_type(message.params)}; result: {ts_type(message.result)} }};\n"
    text += "}\n\n// Of the server.\nexport interface Notifications {\n"
    for message in table.messages:
        if not message.result:
            text += f"  '{message.method}': {ts_type(message.params)};\n"
    return text + "}\n"


# The page of the reference

def page_type(form: Form) -> str:
    words = {"pair": "[integer, integer]"}
    result = words.get(form.base, form.base)
    for wrap in reversed(form.wraps):
        result = f"{result}[]" if wrap == "list" else f"object of {result}"
    return f"`{result}`" + (" or `null`" if form.nullable else "")


def page_table(each: Type) -> str:
    if each.values:
        return f"`{each.name}`: {each.about}\n\n| value | |\n|---|---|\n" + "".join(
            f'| `"{value}"` | {about} |\n' for value, about in each.values) + "\n"
    note = f" With `{each.unless}` the other members may be missing." if each.unless else ""
    text = f"`{each.name}`: {each.about}{note}\n\n| member | type | |\n|---|---|---|\n"
    for part in each.fields:
        text += f"| `{part.name}`{' (may be missing)' if part.optional else ''} | {page_type(part.form)} | {part.about} |\n"
    return text + "\n"


def page_message(table: Table, message: Message, described: "set[str]") -> str:
    kind = "Request of the client" if message.result else "Notification of the server"
    text = f"## {message.method}\n\n{kind} with {page_type(message.params)}"
    text += f"; the answer is {page_type(message.result)}.\n\n" if message.result else ".\n\n"
    text += message.about + "\n\n"
    for form in filter(None, (message.params, message.result)):
        for each in table.used_by(form):
            if each.name not in described:
                described.add(each.name)
                text += page_table(each)
    return text


def page(table: Table) -> str:
    described: "set[str]" = set()
    text = ("# Messages of cufls\n\n"
            f"<!-- {ORIGIN} -->\n\n"
            "What `cufls` and its clients say to each other beyond the Language Server Protocol, whose types `Position`, `Range` and\n"
            "`TextDocumentIdentifier` are used here. [The language server](../language-server.md) says when they are of use.\n\n")
    return (text + "".join(page_message(table, message, described) for message in table.messages)).rstrip() + "\n"


def main() -> None:
    table = load()
    if "--cpp" in sys.argv:
        return output.write(Path(sys.argv[sys.argv.index("--cpp") + 1]), cpp(table))
    files = {TYPESCRIPT: typescript(table), PAGE: page(table)}
    if "--check" not in sys.argv:
        for name, text in files.items():
            output.write(ROOT / name, text)
    elif stale := output.stale(ROOT, files):
        raise SystemExit(f"{', '.join(stale)}: run compiler/tables/generate/protocol_messages.py")
    return None


main()
