"""Reads #include lines and finds the project files that they name."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)

# Folders that the build passes as -I.
SEARCH = ("", "compiler", "runtime", "runtime/include", "lsp")


@lru_cache(maxsize=None)
def of(file: Path) -> "tuple[str, ...]":
    """The names as written in `file`."""
    return tuple(name for _, name in INCLUDE.findall(file.read_text(errors="replace")))


def resolve(root: Path, file: Path, name: str) -> "Path | None":
    """The project file that `name` means in `file`, or None for a system or library header."""
    for folder in (file.parent, *(root / place for place in SEARCH)):
        candidate = (folder / name).resolve()
        if candidate.is_file() and root in candidate.parents:
            return candidate
    return None


def closure(root: Path, file: Path) -> "tuple[set[Path], set[str]]":
    """All project files that `file` includes, itself too, and the other headers they name."""
    inside, outside, pending = {file}, set(), [file]
    while pending:
        current = pending.pop()
        for name in of(current):
            target = resolve(root, current, name)
            if target is None:
                outside.add(name)
            elif target not in inside:
                inside.add(target)
                pending.append(target)
    return inside, outside
