#!/usr/bin/env python3
"""Writes the names of the tables into the grammar of the extension for VS Code:

    editor_grammar.py [--check]

The rest of vscode-extension/syntaxes/cuda-fortran.tmLanguage.json is written by hand. Its patterns with a
comment "names of the tables" get alternatives of the names that editors document, and those with a comment
"words: GROUP" the words of keywords.def that are in the group. With --check nothing is
written, and the exit status is 1 if the grammar differs.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import api_json
import keyword_table

GRAMMAR = Path(__file__).resolve().parents[3] / "vscode-extension/syntaxes/cuda-fortran.tmLanguage.json"
PROCEDURES = {"function", "subroutine"}
# Names of cudafor's procedures need no list: they begin with "cuda".
LISTS = {
    "variable.language.cuda.cuda-fortran": lambda entry: entry["kind"] == "variable",
    "support.type.cuda.cuda-fortran": lambda entry: entry["kind"] == "type" and not entry.get("module", "").startswith(("ieee", "iso")),
    "support.function.intrinsic.cuda-fortran":
        lambda entry: entry["kind"] in PROCEDURES and entry.get("module") == "intrinsic",
    "support.function.device.cuda-fortran":
        lambda entry: entry["kind"] in PROCEDURES and entry.get("module") != "intrinsic"
        and not entry["name"].lower().startswith("cuda"),
}


WORDS = re.compile(r"\((?:\?:)?([\w*\\]+(?:\|[\w*\\]+)+)\)")  # the first group of a pattern that is a list of words


def groups() -> "dict[str, list[str]]":
    """What a pattern with a comment "words: GROUP" lists."""
    types = [word for word in keyword_table.with_roles("Type") if word not in ("double", "precision", "type", "class")]
    # Prefixes with parentheses have patterns of their own, and MODULE is a program unit too.
    prefixes = [word for word in keyword_table.with_roles("Prefix")
                if word not in ("attributes", "launch_bounds", "cluster_dims", "module")]
    lists = set(keyword_table.with_roles("Declares")) - set(keyword_table.with_roles("Type", "Prefix", "Memory"))
    procedures = {"event", "lock", "unlock", "wait"}  # more often names of procedures; the pattern takes them anywhere
    return {
        "types": [word.replace("double", r"double\s*") for word in types],
        "prefixes": prefixes,
        "memory": keyword_table.with_roles("Memory"),
        "attributes": [word for word in keyword_table.with_roles("Data", "Part") if word not in ("generic", "procedure")],
        "input and output": sorted({*keyword_table.with_form("Specifiers"), "print", "nullify", "format"} - procedures),
        "lists of names": sorted(lists - {"use", "import", "include", "implicit", "format"} | {"entry", "enum", "final"}),
    }


def with_words(match: str, words: "list[str]") -> str:
    """The pattern with other words in its list."""
    found = WORDS.search(match)
    return match[:found.start(1)] + "|".join(words) + match[found.end(1):]


def set_words(pattern, lists: "dict[str, list[str]]") -> None:
    """Writes the words into all patterns below one."""
    if isinstance(pattern, list):
        for one in pattern:
            set_words(one, lists)
    elif isinstance(pattern, dict):
        comment = pattern.get("comment", "")
        if isinstance(comment, str) and comment.startswith("words: "):
            pattern["match"] = with_words(pattern["match"], lists[comment.removeprefix("words: ")])
        for one in pattern.values():
            set_words(one, lists)


def alternatives(scope: str) -> str:
    names = sorted({entry["name"].lower() for entry in api_json.entries() if LISTS[scope](entry)})
    names = [name for name in names if name.replace("_", "").isalnum()]
    # Procedures are coloured where they are called: arrays may have their names.
    call = r"(?=\s*\()" if scope.startswith("support.function") else r"\b"
    return rf"(?i)\b(?:{'|'.join(names)}){call}"


def grammar() -> str:
    content = json.loads(GRAMMAR.read_text())
    for pattern in content["repository"]["names"]["patterns"]:
        if pattern.get("comment") == "names of the tables":
            pattern["match"] = alternatives(pattern["name"])
    set_words(content, groups())
    return json.dumps(content, indent=2) + "\n"


def main() -> int:
    text = grammar()
    if "--check" not in sys.argv[1:]:
        GRAMMAR.write_text(text)
    elif GRAMMAR.read_text() != text:
        print("the grammar is stale: run compiler/tables/generate/editor_grammar.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
