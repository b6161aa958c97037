"""Generated files that are kept in the tree are what their generators write now.

A generator that writes into the tree is a Python file that knows --check: with it, it writes
nothing and fails if a file it would write differs. Generators that write into build/ need none.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from . import common

FOLDERS = ("compiler", "runtime", "lsp", "docs", "vscode-extension", "tests/matrix")


def check(root: Path) -> "list[str]":
    problems = []
    for file in common.files(root, (".py",)):
        inside = file.relative_to(root).as_posix().startswith(tuple(folder + "/" for folder in FOLDERS))
        if inside and '"--check"' in file.read_text():
            problems += check_generator(root, file)
    return problems


def check_generator(root: Path, file: Path) -> "list[str]":
    command = [sys.executable, str(file), "--check"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return []
    said = (done.stdout + done.stderr).strip().splitlines() or ["no output"]
    return [f"{file.relative_to(root)} --check: {said[-1]}"]
