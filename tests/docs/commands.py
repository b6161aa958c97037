#!/usr/bin/env python3
"""Runs what the pages show: every block marked `console` is a session, of which each command must end as it says.

A file that a page names and shows ("`first.cuf`:" above a block) is written first; files of docs/examples are there too. Below
a command stands what it prints on standard output and standard error. Digits may differ, "..." stands for anything, also for whole
lines. A command whose comment says `exit status N` must end so, others with 0. A block `console needs-toolkit` is left out without ptxas.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CUFC = Path(os.environ.get("CUFC") or ROOT / "build/bin/cufc")
PAGES = ["README.md", "docs/get-started.md", "docs/tutorial.md", "docs/project.md", "docs/diagnostics.md", "docs/ci.md",
         "docs/migration.md", "docs/editors.md"]
BLOCK = re.compile(r"(?:^`([\w.]+)`:\n\n)?^```(\w*)([^\n]*)\n(.*?)^```$", re.M | re.S)


def pattern(shown: str) -> str:
    """A regular expression for what is shown: numbers and runs of blanks may differ."""
    parts = []
    for line in shown.splitlines():
        if line.strip() == "...":
            parts.append("(?:.*\n)*?")
            continue
        text = re.escape(line.strip())
        text = re.sub(r"\\\.\\\.\\\.", ".*", text)
        text = re.sub(r"\d+", r"\\d+", text)
        parts.append(r"[ \t]*" + re.sub(r"(?:\\ )+", r"[ \\t]+", text) + "\n")
    return "".join(parts)


def sessions(text: str) -> "list[tuple[str, str]]":
    """Commands with what is shown below each."""
    found: "list[tuple[str, str]]" = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + line + "\n")
    return found


def try_page(name: str, folder: Path, environment: "dict[str, str]") -> "list[str]":
    problems, count = [], 0
    for file, language, rest, body in BLOCK.findall((ROOT / name).read_text()):
        if file:
            (folder / file).write_text(body)
        if language != "console" or ("needs-toolkit" in rest and not toolkit()):
            continue
        for command, shown in sessions(body):
            count += 1
            comment = re.search(r"#.*exit status (\d+)", command)
            done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, check=False, timeout=300,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            printed = "".join(line for line in done.stdout.splitlines(True) if "cufrt: " not in line or "cufrt: " in shown)
            if done.returncode != int(comment.group(1) if comment else 0):
                problems.append(f"{name}: {command}: exit status {done.returncode}\n{done.stdout[-600:]}")
            elif shown.strip() and not re.fullmatch(pattern(shown), printed):
                problems.append(f"{name}: {command}: the page shows\n{shown}and it prints\n{printed[-1500:]}")
    if count == 0:
        problems.append(f"{name}: no commands")
    print(f"{name}: {count} commands")
    return problems


def toolkit() -> bool:
    home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    return (Path(home) / "bin/ptxas").exists() or shutil.which("ptxas") is not None


def folder_for(page: str, folder: Path) -> Path:
    """The first pages go on where the one before ended; the others speak of a project, which is there."""
    if page in PAGES[:3]:
        return folder
    own = folder / Path(page).stem
    (own / "src").mkdir(parents=True)
    shutil.copy(ROOT / "docs/examples/vector_add.cuf", own / "src")
    if page == "docs/migration.md":
        shutil.copytree(ROOT / "docs/examples/make", own, dirs_exist_ok=True)
        (own / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES Fortran)\n"
                                            "add_executable(p main.f90 kernels.f90)\n")
    return own


def main() -> int:
    folder = Path.cwd() / "pages"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file in (ROOT / "docs/examples").iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    environment = {**os.environ, "PATH": f"{CUFC.parent}:{os.environ['PATH']}", "CUF_DEVICE": "auto", "HOME": str(folder / "home")}
    problems = []
    for page in PAGES:
        problems += try_page(page, folder_for(page, folder), environment)
    print("\n".join(problems) or "PASS")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
