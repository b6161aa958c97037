"""All C++ is formatted as .clang-format says; `./dev format` does it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from . import common

PROBLEM = re.compile(r"^(.*?):(\d+):\d+: error: code should be clang-formatted", re.MULTILINE)


def check(root: Path) -> "list[str]":
    sources = [str(file) for file in common.files(root, (".cpp", ".h", ".cu"))]
    if not sources:
        return []
    command = [common.tool("clang-format-22"), "--dry-run", "-Werror", *sources]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    first_lines = {}
    for name, line in PROBLEM.findall(done.stderr):
        first_lines.setdefault(name, line)
    problems = [
        f"{Path(name).relative_to(root)}:{line}: not formatted, run ./dev format"
        for name, line in first_lines.items()
    ]
    if done.returncode and not problems:
        problems = [f"clang-format-22: {done.stderr.strip()[:300]}"]
    return problems
