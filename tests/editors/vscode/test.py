#!/usr/bin/env python3
"""VS Code, as code-server in a browser without a window: see ../run.py for how this is run.

Installs code-server and what builds the extension, checks types and grammars, makes the .vsix with the server
inside, and hands over to drive.mjs, which installs it in fresh profiles and drives it as a user would. CI takes a part
of the scenarios, another with each commit: each takes a minute there.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from harness.sample import is_taken  # noqa: E402

EXTENSION = ROOT / "vscode-extension"
PARTS = 4  # of which CI takes one
TOOLS = Path(os.environ["EDITOR_TOOLS"])
OUTPUT = Path(os.environ["EDITOR_OUTPUT"])


def skip(why: str) -> None:
    print(why)
    sys.exit(77)


def call(what: str, *command: object, **options) -> None:
    """Runs a step; its output goes to a log and is shown when it fails."""
    log = OUTPUT / f"{what.replace(' ', '_')}.log"
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False, **options)
    log.write_text(done.stdout)
    if done.returncode:
        print(done.stdout[-4000:])
        sys.exit(f"failed: {what}")


def check_tools() -> None:
    for name in ("node", "npm", "chromium", "rg"):
        if not shutil.which(name):
            skip(f"{name} is not installed")
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    if int(re.match(r"v(\d+)", version)[1]) < 20:
        skip(f"node 20 is needed, and this is {version.strip()}")


def install() -> None:
    """What is fetched; where no registry can be reached, there are no tests."""
    os.environ.setdefault("npm_config_fetch_timeout", "60000")
    os.environ.setdefault("npm_config_fetch_retries", "1")
    try:
        call("install code-server", "bash", HERE / "install_code_server.sh", TOOLS)
        if not (EXTENSION / "node_modules/.package-lock.json").exists():
            call("npm install", "npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error", cwd=EXTENSION)
    except SystemExit as failed:
        skip(f"npm cannot install it: {failed}")


def scenarios() -> "list[str]":
    """Those to run: what the command line names, or all, or CI's part of them."""
    if sys.argv[1:]:
        return sys.argv[1:]
    names = sorted(path.stem for path in (HERE / "scenarios").glob("*.mjs"))  # each is named after its file
    left = [name for name in names if name not in ("typing", "pictures") and not is_taken(f"vscode {name}", PARTS)]
    if not left:
        return []
    print("skipped the scenarios of VS Code of other commits:", " ".join(left))
    return [name for name in names if name not in left]


def main() -> int:
    check_tools()
    install()
    call("type check", "npx", "tsc", "--noEmit", cwd=EXTENSION)
    print("ok types")
    call("grammar", "node", "test/grammar.mjs", cwd=EXTENSION)
    print("ok grammars:", (OUTPUT / "grammar.log").read_text().splitlines()[-1])
    package = OUTPUT / "cufls.vsix"
    server = Path(os.environ["CUFLS"]).resolve().parents[1]
    call("package", "node", "package.mjs", "--server", server, "--out", package, cwd=EXTENSION)
    print(f"ok package: {package.stat().st_size / 1e6:.0f} MB with the server")
    sys.stdout.flush()
    done = subprocess.run(["node", HERE / "drive.mjs", package, *scenarios()], check=False)
    package.unlink()
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
