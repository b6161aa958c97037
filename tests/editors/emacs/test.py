#!/usr/bin/env python3
"""Emacs with eglot and lsp/editors/emacs/cufls.el on a project of two files; session.el does what a user does, typing.el
looks at what completion inserts."""

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


def run(session: str) -> int:
    with tempfile.TemporaryDirectory(prefix="emacs-", ignore_cleanup_errors=True) as name:
        home = Path(name)
        write_project(home / "project")
        (home / "bin").mkdir()
        (home / "bin/cufls").symlink_to(CUFLS)
        environment = {**os.environ, "HOME": name, "XDG_CACHE_HOME": f"{name}/cache", "CUF_DEVICE": "host",
                       "PATH": f"{name}/bin:{os.environ['PATH']}", "CUFLS_EL": str(ROOT / "lsp/editors/emacs")}
        done = subprocess.run(["timeout", "300", "emacs", "-Q", "--batch", "-l", HERE / session],
                              cwd=home / "project", env=environment, stdin=subprocess.DEVNULL, check=False)
    return done.returncode


def main() -> int:
    if not shutil.which("emacs"):
        print("Emacs is not installed")
        return 77
    return 1 if any([run(session) != 0 for session in ("session.el", "typing.el")]) else 0


if __name__ == "__main__":
    sys.exit(main())
