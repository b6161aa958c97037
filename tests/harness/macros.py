"""The text of a source with its included files and its macros put in, as far as templates in tests/run need them.

Knows #include "file", #define with or without one parameter and ##, #undef, and #if with a name or its negation.
"""

from __future__ import annotations

import re
from pathlib import Path

DIRECTIVE = re.compile(r"#\s*(include|define|undef|ifdef|ifndef|if|elif|else|endif)\b\s*(.*)")
DEFINITION = re.compile(r"(\w+)(?:\((\w+)\))?\s*(.*)")


def expanded(path: Path) -> str:
    """The lines of a file; each keeps its place."""
    return "\n".join(lines(path, {}))


def lines(path: Path, macros: "dict[str, tuple]") -> "list[str]":
    found: "list[str]" = []
    taken: "list[bool]" = []
    for line in path.read_text().splitlines():
        directive = DIRECTIVE.match(line)
        if not directive:
            if all(taken):
                found.append(substituted(line, macros))
            continue
        word, rest = directive.groups()
        if word == "if":
            taken.append(holds(rest.strip(), macros))
        elif word in ("ifdef", "ifndef"):
            taken.append(True)
        elif word == "else" and taken:
            taken[-1] = not taken[-1]
        elif word == "endif" and taken:
            taken.pop()
        elif all(taken):
            apply(word, rest, path, macros, found)
    return found


def apply(word: str, rest: str, path: Path, macros: "dict[str, tuple]", found: "list[str]") -> None:
    if word == "include":
        file = path.parent / rest.strip().strip('"')
        if file.exists():
            found += lines(file, macros)
    elif word == "undef":
        macros.pop(rest.strip(), None)
    elif definition := DEFINITION.match(rest):
        macros[definition[1]] = (definition[2], definition[3].strip())


def holds(condition: str, macros: "dict[str, tuple]") -> bool:
    """Of conditions that it does not know, both sides are text of the program."""
    name = condition.lstrip("! ")
    if not re.fullmatch(r"\w+", name):
        return True
    value = macros.get(name, (None, "0"))[1] not in ("", "0")
    return value != condition.startswith("!")


def substituted(line: str, macros: "dict[str, tuple]") -> str:
    for _ in range(3):  # names that stand for names
        for name, (parameter, text) in macros.items():
            if name not in line:
                continue
            if parameter is None:
                line = re.sub(rf"\b{name}\b", lambda _, text=text: text, line)
                continue
            line = re.sub(rf"\b{name}\((\w+)\)", lambda call, p=parameter, t=text: pasted(t, p, call[1]), line)
    return line


def pasted(text: str, parameter: str, argument: str) -> str:
    return re.sub(rf"\b{parameter}\b", argument, text).replace("##", "")
