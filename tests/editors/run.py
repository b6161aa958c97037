#!/usr/bin/env python3
"""Runs the tests in real editors, one after the other: run.py [--build DIR] [--packages] [NAME...]

Each folder beside this file that holds a test.py is an editor. Its test.py runs with

    CUFLS, CUFC      the programs under test
    EDITOR_TOOLS     a folder that is kept between runs, for what is fetched and installed
    EDITOR_OUTPUT    an empty folder for screenshots and logs

and says what it did, a line "ok TEXT" for each thing that works. Exit status 0: all is well; 77: the editor
cannot be had here, and the last line says why. A file `packages` beside it names what it needs of Debian, one
package a line; a line `COMMAND: PACKAGE` asks for it only where the command is missing. --packages prints them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SKIPPED = 77
MOST_SECONDS = 600


def chosen(names: "list[str]") -> "list[Path]":
    all_editors = sorted(path.parent for path in HERE.glob("*/test.py"))
    found = [editor for editor in all_editors if not names or editor.name in names]
    unknown = set(names) - {editor.name for editor in all_editors}
    if unknown:
        sys.exit(f"no such editor: {', '.join(sorted(unknown))}; there are {', '.join(e.name for e in all_editors)}")
    return found


def packages(editor: Path) -> "list[str]":
    file = editor / "packages"
    lines = file.read_text().splitlines() if file.exists() else []
    result = []
    for line in lines:
        command, colon, package = line.partition(":")
        if line.strip() and not line.startswith("#") and not (colon and shutil.which(command.strip())):
            result.append((package if colon else line).strip())
    return result


def run(editor: Path, build: Path) -> bool:
    output = build / "test-output/editors" / editor.name
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    tools = build / "editors"
    tools.mkdir(exist_ok=True)
    environment = {**os.environ, "CUFLS": str(build / "bin/cufls"), "CUFC": str(build / "bin/cufc"),
                   "EDITOR_TOOLS": str(tools), "EDITOR_OUTPUT": str(output)}
    start = time.monotonic()
    try:
        done = subprocess.run([sys.executable, editor / "test.py"], env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=MOST_SECONDS, check=False)
        text, status = done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        text, status = (late.stdout or b"").decode(errors="replace"), "it took too long"
    (output / "log").write_text(text)
    seconds = time.monotonic() - start
    lines = text.strip().splitlines() or [""]
    passed = [line for line in lines if line.startswith("ok ")]
    if status == SKIPPED:
        print(f"{editor.name}: skipped: {lines[-1]}")
    elif status == 0:
        print(f"{editor.name}: {len(passed)} passed in {seconds:.0f} s; pictures and log in {output}")
    else:
        print("\n".join(lines[-30:]))
        print(f"{editor.name}: FAILED after {len(passed)} that passed (status {status}); log in {output / 'log'}")
    return status in (0, SKIPPED)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--packages", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    editors = chosen(arguments.names)
    if arguments.packages:
        print("\n".join(sorted({name for editor in editors for name in packages(editor)})), end="")
        return 0
    results = [run(editor, arguments.build.resolve()) for editor in editors]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
