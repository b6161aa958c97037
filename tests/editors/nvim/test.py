#!/usr/bin/env python3
"""Neovim of this Debian (0.7 in Debian 12), of trixie (0.10) and of sid (0.11 or later) with the plugin in lsp/editors/nvim.

Each starts without a screen, with a home of its own in which the plugin is a package, on a project of two files,
session.lua does there what a user does, and typing.lua looks at what completion inserts. Newer versions are fetched
once into EDITOR_TOOLS; CI leaves sid out.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent))
from project import write_project  # noqa: E402

CUFLS = os.environ.get("CUFLS") or str(ROOT / "build/bin/cufls")
TOOLS = Path(os.environ.get("EDITOR_TOOLS") or ROOT / "build/editors")
MOST_SECONDS = 300


def editors() -> "list[str]":
    """Commands of the versions that can be had."""
    found = [path for path in [shutil.which("nvim")] if path]
    # sid changes from day to day, so an unattended run would not be the same twice.
    unattended = bool(os.environ.get("CI"))
    if unattended:
        print("skipped Neovim of sid, which CI leaves out")
    for suite in ("trixie",) if unattended else ("trixie", "sid"):
        folder = TOOLS / f"nvim-{suite}"
        if not (folder / "nvim").exists():
            done = subprocess.run([HERE.parent / "newer.sh", suite, folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, check=False)
            if done.returncode != 0:
                shutil.rmtree(folder, ignore_errors=True)
                print(f"skipped Neovim of {suite}, which cannot be had: {' '.join(done.stdout.strip().splitlines()[-1:])}")
                continue
        found.append(str(folder / "nvim"))
    return found


def run(editor: str, session: str) -> int:
    version = subprocess.run([editor, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    number = re.search(r"v(\d+\.\d+\.\d+)", version).group(1)
    with tempfile.TemporaryDirectory(prefix="nvim-", ignore_cleanup_errors=True) as name:
        home = Path(name)
        plugins = home / "data/nvim/site/pack/cufc/start"
        plugins.mkdir(parents=True)
        (plugins / "cufls").symlink_to(ROOT / "lsp/editors/nvim")
        project = home / "project"
        write_project(project)
        (home / "bin").mkdir()
        (home / "bin/cufls").symlink_to(CUFLS)
        environment = {**os.environ, "HOME": name, "XDG_CONFIG_HOME": f"{name}/config", "XDG_DATA_HOME": f"{name}/data",
                       "XDG_STATE_HOME": f"{name}/state", "XDG_CACHE_HOME": f"{name}/cache", "CUF_DEVICE": "host",
                       "PATH": f"{name}/bin:{os.environ['PATH']}", "TERM": "xterm-256color"}
        command = ["timeout", "--kill-after=5", str(MOST_SECONDS), editor, "--headless", "-i", "NONE", "-n", "-c",
                   f"luafile {HERE}/{session}"]
        done = subprocess.run(command, cwd=project, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False, stdin=subprocess.DEVNULL)
    for line in done.stdout.splitlines():
        if line.startswith(("ok ", "FAILED ")):
            mark, rest = line.split(" ", 1)
            print(f"{mark} {number} {rest}")
        elif line.strip():
            print(line)
    return done.returncode


def main() -> int:
    found = editors()
    if not found:
        print("Neovim is not installed")
        return 77
    return 1 if any([run(editor, session) != 0 for editor in found for session in ("session.lua", "typing.lua")]) else 0


if __name__ == "__main__":
    sys.exit(main())
