"""What the checks share: the list of source files and how to find a tool."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

CPP = (".cpp", ".h", ".cu", ".c")


class Unavailable(Exception):
    """The check cannot run on this machine; the text says why."""


def files(root: Path, suffixes: tuple = ()) -> "list[Path]":
    """Files that git tracks or would track, optionally only those with one of `suffixes`."""
    command = ["git", "-C", str(root), "ls-files", "-z", "-co", "--exclude-standard"]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    paths = [root / name for name in listing.split("\0") if name]
    return [p for p in paths if p.is_file() and (not suffixes or p.suffix in suffixes)]


def tool(name: str) -> str:
    path = shutil.which(name)
    if not path:
        raise Unavailable(f"{name} is not installed")
    return path
