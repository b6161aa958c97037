#!/usr/bin/env python3
"""Writes what the extension for VS Code knows of settings and options into its package.json:

    editor_settings.py [--check]

compiler/tables/settings.toml gives the settings; compiler/tables/options.toml the options of cufc that the
setting cufls.flags offers. With --check nothing is written, and the exit status is 1 if package.json differs
or if the server reads a setting that has no row.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "vscode-extension/package.json"
SEVERITIES = ["off", "hint", "information", "warning", "error"]
TITLES = {"": "CUDA Fortran", "inlayHints": "Inlay Hints", "codeLens": "Code Lenses", "format": "Formatting"}
# Options that make no sense for every file of a workspace.
NOT_FOR_ALL = {"Output", "Linking", "Messages", "ignored", "refused"}
NOT_FOR_ALL_NAMES = {"-MD", "-MF"}


def load(name: str, key: str) -> "list[dict]":
    return tomllib.loads((ROOT / "compiler/tables" / name).read_text())[key]


def flags() -> dict:
    """A list of options of cufc: those of the table are offered, others are allowed."""
    rows = [row for row in load("options.toml", "option") if row["group"] not in NOT_FOR_ALL and row["name"] not in NOT_FOR_ALL_NAMES]
    suffix = {"equals": "=", "optional": ""}
    names = [row["name"] + suffix.get(row["kind"], "") for row in rows]
    texts = [f"{row['name']}{'=' if row['kind'] in suffix else ' '}{row['value']}: {row['help']}" if "value" in row
             else row["help"] for row in rows]
    return {"type": "array", "items": {"anyOf": [{"enum": names, "enumDescriptions": texts}, {"type": "string"}]}}


def schema(row: dict) -> dict:
    kind = row["type"]
    if kind == "flags":
        result = flags()
    elif kind == "strings":
        result = {"type": "array", "items": {"type": "string"}}
    elif kind == "severities":
        result = {"type": "object", "additionalProperties": {"enum": SEVERITIES}}
    else:
        result = {"type": kind if "default" in row else [kind, "null"]}
    result["default"] = row.get("default")
    if "values" in row:
        result["enum"] = [value for value, _ in row["values"]]
        result["enumDescriptions"] = [text for _, text in row["values"]]
    for bound in ("minimum", "maximum"):
        if bound in row:
            result[bound] = row[bound]
    result["scope"] = "machine-overridable" if row["name"].endswith(".path") else "resource" if row[
        "reader"] == "server" or row["name"].startswith("run.") else "window"
    result["markdownDescription"] = row["help"]
    return result


def configuration(rows: "list[dict]") -> "list[dict]":
    """One heading for each group; VS Code shows them in this order."""
    groups: "dict[str, dict]" = {}
    for row in rows:
        group = row["name"].split(".")[0]
        group = group if group in TITLES else ""
        groups.setdefault(group, {})["cufls." + row["name"]] = schema(row)
    return [{"id": f"cufls{name}", "title": TITLES[name], "properties": groups[name]} for name in groups]


def package() -> str:
    content = json.loads(PACKAGE.read_text())
    rows = load("settings.toml", "setting")
    content["contributes"]["configuration"] = configuration(rows)
    restricted = ["cufls." + row["name"] for row in rows if row.get("trusted")]
    content["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"] = restricted
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def unknown_to_table() -> "list[str]":
    """Settings that the server asks for, and no row describes."""
    known = {row["name"] for row in load("settings.toml", "setting") if row["reader"] == "server"}
    read = set()
    for file in sorted((ROOT / "lsp/server").rglob("*.cpp")):
        read |= set(re.findall(r'(?:setting\(|isOn\(context, )"([\w.]+)"', file.read_text()))
    return [f"no row for {name}" for name in sorted(read - known)] + [
        f"the server does not read {name}" for name in sorted(known - read)]


def main() -> int:
    problems = unknown_to_table()
    text = package()
    if "--check" in sys.argv[1:]:
        if PACKAGE.read_text() != text:
            problems.append("vscode-extension/package.json is stale: run compiler/tables/generate/editor_settings.py")
    else:
        PACKAGE.write_text(text)
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
