#!/usr/bin/env python3
"""Writes the names of the tables into the grammar of the extension for VS Code:

    editor_grammar.py [--check]

The rest of vscode-extension/syntaxes/cuda-fortran.tmLanguage.json is written by hand. Its patterns with a
comment "names of the tables" get alternatives of the names that editors document. With --check nothing is
written, and the exit status is 1 if the grammar differs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import api_json

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
