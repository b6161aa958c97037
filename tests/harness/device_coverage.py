"""Which programs of tests/run call which procedures of the table of device code (device_intrinsics*.toml)
in device code, and which of the reference's names the table holds.

Only programs that run on both devices count, and only the text of their device procedures.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from .programs import source_files

GENERATORS = "compiler/tables/generate"
REFERENCE = "tests/harness/device_reference.toml"
ONE_DEVICE = re.compile(r"^! (REQUIRES: cuda|SKIP-HOST)", re.MULTILINE)
HEADER = re.compile(r"^ *attributes\([^)\n]*\b(?:global|device|grid_global)\b[^)\n]*\)[^\n]*\b(?:subroutine|function)\b")
END = re.compile(r"^ *end *(?:subroutine|function)\b")


def rows(root: Path) -> "list[dict]":
    """The table's procedures, written out."""
    sys.path.insert(0, str(root / GENERATORS))
    import device_table

    return device_table.load()["routine"]


def device_text(source: str) -> str:
    """The device procedures of a program, in lower case and without comments."""
    lines, inside = [], False
    for line in re.sub(r"![^\n]*", "", source).lower().splitlines():
        inside = inside or HEADER.match(line) is not None
        if inside:
            lines.append(line)
        inside = inside and not END.match(line)
    return "\n".join(lines)


def programs(root: Path) -> "dict[str, str]":
    texts = {}
    for path in sorted((root / "tests/run").glob("*")):
        source = "\n".join(file.read_text() for file in source_files(path))
        if source and not ONE_DEVICE.search(source):
            texts[f"run/{path.name}"] = device_text(source)
    return texts


def callers(row: dict, texts: "dict[str, str]") -> "list[str]":
    call = re.compile(rf"(?<![\w%]){row['name'].lower()}\b *" + (r"\(" if row["dummies"] else ""))
    return [name for name, text in texts.items() if call.search(text)]


def expanded(pattern: str) -> "list[str]":
    """The names that a name of the reference stands for: `cbrt[f]`, `__fadd_r*`."""
    names = [pattern]
    if match := re.fullmatch(r"(.*)\[(\w+)\](.*)", pattern):
        names = [match[1] + match[3], match[1] + match[2] + match[3]]
    return [name[:-1] + mode if name.endswith("_r*") else name
            for name in names for mode in ("nzud" if name.endswith("_r*") else " ")]


def reference(root: Path) -> "dict[str, list[str]]":
    """Names by the reference's table that lists them."""
    import tomllib  # Python 3.11, which the rest of the harness does without

    with open(root / REFERENCE, "rb") as file:
        tables = tomllib.load(file)["table"]
    return {table["name"]: [name for pattern in table["names"].split() for name in expanded(pattern)]
            for table in tables}
