#!/usr/bin/env python3
"""What is a keyword, a prefix or a suffix for one reader of the language is it for the others.

Each prefix of a procedure opens a block for the formatter and changes its case with keywordCase; each suffix that the
extension claims is one of the compiler's, in the same form."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.format_tests import apply  # noqa: E402
from harness.lsp_client import Client  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
CUFC = Path(os.environ["CUFC"])
PREFIXES = ["byte", "integer", "real", "double precision", "doubleprecision", "complex", "logical", "character", "type(t)",
            "class(t)", "pure", "elemental", "impure", "recursive", "non_recursive", "module", "attributes(device)"]
FREE = "program p\n  print *, 1\nend program\n"
FIXED = "      program p\n      print *,\n     &  1\n      end program\n"


def formatted(settings: dict, text: str) -> str:
    client = Client([str(CUFC.with_name("cufls"))])
    client.initialize(None, {"general": {"positionEncodings": ["utf-8"]}}, settings)
    path = Path(tempfile.gettempdir()) / "words.f90"
    client.open(path, text)
    edits = client.request("textDocument/formatting",
                           {"textDocument": {"uri": path.as_uri()}, "options": {"tabSize": 2, "insertSpaces": True}})
    client.stop()
    return apply(text, edits)


def prefixes() -> "list[str]":
    text = "".join(f"{prefix} function f(x)\nx = 1\nend function\n" for prefix in PREFIXES)
    lines = formatted({"format": {"keywordCase": "upper"}}, text).splitlines()
    problems = []
    for number, prefix in enumerate(PREFIXES):
        head, body = lines[3*number], lines[3*number + 1]
        words = prefix.split("(")[0].upper() + " "
        if not head.replace("(", " ").startswith(words) or " FUNCTION f" not in head:
            problems.append(f"{prefix}: keywordCase=upper gives {head!r}")
        if body != "  x = 1":
            problems.append(f"{prefix}: the body of the function is {body!r}")
    return problems


def suffixes() -> "list[str]":
    package = ROOT / "vscode-extension/package.json"
    if not package.exists():
        return []
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for language in json.loads(package.read_text())["contributes"]["languages"]:
            if "ortran" not in language["id"]:
                continue
            fixed = language["id"] == "FortranFixedForm"
            for suffix in language["extensions"]:
                source = Path(folder) / f"source{suffix}"
                source.write_text(FIXED if fixed else FREE)
                done = subprocess.run([CUFC, "-c", source.name], cwd=folder, capture_output=True, text=True, check=False)
                if done.returncode:
                    problems.append(f"{suffix}: {done.stderr}")
    return problems


def main() -> int:
    problems = prefixes() + suffixes()
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
