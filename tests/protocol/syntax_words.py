#!/usr/bin/env python3
"""What is a keyword, a prefix or a suffix for one reader of the language is it for the others.

Each word of compiler/tables/keywords.def that begins a statement changes its case with keywordCase, each prefix of a
procedure opens a block for the formatter, completion offers what the table says, and what is CUDA's has a text for hover
and is coloured by Vim. Each suffix that the extension claims is one of the compiler's, in the same form."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.format_tests import apply  # noqa: E402
from harness.lsp_client import Client  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "compiler/tables/generate"))
import keyword_table  # noqa: E402

CUFC = Path(os.environ["CUFC"])
ARGUMENTS = {"type": "(t)", "class": "(t)", "attributes": "(device)", "launch_bounds": "(64)", "cluster_dims": "(1, 1, 1)"}
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


def heads() -> "list[str]":
    """What may stand before FUNCTION: each type, each prefix, and each prefix before a type."""
    types = [word + ARGUMENTS.get(word, "") for word in keyword_table.with_roles("Type") if word not in ("double", "precision")]
    words = [word + ARGUMENTS.get(word, "") for word in keyword_table.with_roles("Prefix")]
    return types + ["double precision"] + words + [f"{word} integer" for word in words]


def prefixes() -> "list[str]":
    text = "".join(f"{head} function f(x)\nx = 1\nend function\n" for head in heads())
    lines = formatted({"format": {"keywordCase": "upper"}}, text).splitlines()
    problems = []
    for number, prefix in enumerate(heads()):
        head, body = lines[3*number], lines[3*number + 1]
        first, last = prefix.split("(")[0].upper(), " INTEGER" if prefix.endswith(" integer") else ""
        if not head.replace("(", " ").startswith(first + " ") or f"{last} FUNCTION f" not in head:
            problems.append(f"{prefix}: keywordCase=upper gives {head!r}")
        if body != "  x = 1":
            problems.append(f"{prefix}: the body of the function is {body!r}")
    return problems


def beginnings() -> "list[str]":
    words = [word for word, (form, _) in keyword_table.rows().items() if form != "None"]
    problems = []
    for word in words:  # a text each, since most of them open or close something
        line = formatted({"format": {"keywordCase": "upper"}}, f"{word} x\n{word} = 1\n").splitlines()
        if line[0].strip() != f"{word.upper()} x" or line[1].strip() != f"{word} = 1":
            problems.append(f"{word}: keywordCase=upper gives {line}")
    return problems


def completions() -> "list[str]":
    client = Client([str(CUFC.with_name("cufls"))])
    client.initialize(None, {"general": {"positionEncodings": ["utf-8"]}})
    path = Path(tempfile.gettempdir()) / "offered.f90"
    client.open(path, "program p\n  \nend program\n")
    found = client.request("textDocument/completion",
                           {"textDocument": {"uri": path.as_uri()}, "position": {"line": 1, "character": 2}})
    client.stop()
    labels = {item["label"] for item in (found["items"] if isinstance(found, dict) else found)}
    return [f"completion does not offer {word!r}" for word in keyword_table.with_roles("Usual", "Offered") if word not in labels]


def cuda_words() -> "list[str]":
    documented = tomllib.loads((ROOT / "compiler/tables/cuda_keywords.toml").read_text())
    names = {row["name"] for rows in documented.values() if isinstance(rows, list) for row in rows}
    vim = ROOT / "lsp/editors/nvim/syntax/cuda-fortran.vim"
    coloured = re.search(r"syntax match cufMemory .*?\\%\((.*?)\\\)", vim.read_text())[1].split("\\|")
    memory = keyword_table.with_roles("Memory")
    problems = [f"{word} is not in cuda_keywords.toml" for word in memory if word not in names]
    return problems + ([f"Vim colours {coloured}"] if sorted(coloured) != memory else [])


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
    problems = prefixes() + beginnings() + completions() + cuda_words() + suffixes()
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
