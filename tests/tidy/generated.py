"""Generated files that are kept in the tree are what their generators write now.

A generator is a Python file named generate*.py or gen_*.py; with --check it writes nothing and
fails if a file it would write differs.
"""

from __future__ import annotations

import fnmatch
import subprocess
import sys
from pathlib import Path

from . import common

NAMES = ("generate*.py", "gen_*.py")
FOLDERS = ("compiler", "runtime", "lsp", "docs")


def check(root: Path) -> "list[str]":
    problems = []
    for file in common.files(root, (".py",)):
        name = file.relative_to(root)
        if name.parts[0] not in FOLDERS:
            continue
        if any(fnmatch.fnmatch(file.name, pattern) for pattern in NAMES):
            problems += check_generator(root, file)
    return problems


def check_generator(root: Path, file: Path) -> "list[str]":
    command = [sys.executable, str(file), "--check"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return []
    said = (done.stdout + done.stderr).strip().splitlines() or ["no output"]
    return [f"{file.relative_to(root)} --check: {said[-1]}"]
