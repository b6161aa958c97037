#!/usr/bin/env python3
"""Vim with ALE and the folder lsp/editors/nvim, which holds the linter for it, on a project of two files."""

from __future__ import annotations

import os
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


def main() -> int:
    vim = shutil.which("vim.nox") or shutil.which("vim")
    if not vim or not list(Path("/usr/share").glob("vim*/**/autoload/ale.vim")):
        print("Vim or ALE is not installed")
        return 77
    with tempfile.TemporaryDirectory(prefix="vim-", ignore_cleanup_errors=True) as name:
        home = Path(name)
        write_project(home / "project")
        for folder in (home / "bin", home / ".vim/pack/cufc/start"):
            folder.mkdir(parents=True)
        (home / "bin/cufls").symlink_to(CUFLS)
        (home / ".vim/pack/cufc/start/cufls").symlink_to(ROOT / "lsp/editors/nvim")
        (home / ".vimrc").write_text("set nocompatible hidden\nfiletype plugin on\nsyntax on\nset noswapfile\n"
                                     "let g:ale_linters = {'cuda-fortran': ['cufls']}\npackadd! ale\n")
        environment = {**os.environ, "HOME": name, "XDG_CACHE_HOME": f"{name}/cache", "CUF_DEVICE": "host",
                       "PATH": f"{name}/bin:{os.environ['PATH']}", "TERM": "xterm", "RESULT": f"{name}/result"}
        done = subprocess.run(["timeout", "300", vim, "-N", "-i", "NONE", "-es", "-u", home / ".vimrc", "-S", HERE / "session.vim"],
                              cwd=home / "project", env=environment, stdin=subprocess.DEVNULL, check=False)
        result = home / "result"
        text = result.read_text() if result.exists() else ""
    print(text + ("" if done.returncode == 0 else f"exit status {done.returncode}"))
    return 0 if text.endswith("PASS\n") else 1


if __name__ == "__main__":
    sys.exit(main())
