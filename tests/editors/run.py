#!/usr/bin/env python3
"""Runs the tests in real editors, one after the other: run.py [--build DIR] [--packages] [NAME...]

Each folder beside this file that holds a test.py is an editor. Its test.py runs with

    CUFLS, CUFC      the programs under test
    EDITOR_TOOLS     a folder that is kept between runs, for what is fetched and installed
    EDITOR_OUTPUT    an empty folder for screenshots and logs

and says what it did: a line "ok TEXT" for each thing that works, "skipped TEXT" for a part that cannot be had
here. Exit status 0: all is well; 77: the editor cannot be had here, and the last line says why. A file `packages`
beside it names what it needs of Debian, one package a line; a line `COMMAND: PACKAGE` asks for it only where the
command is missing. --packages prints them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SKIPPED = 77
MOST_SECONDS = 2100


class Result(NamedTuple):
    passed: int
    failed: int
    skipped: int


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


def end_group(process: subprocess.Popen) -> None:
    """Ends a test with what it started; it has a moment to end what runs in other groups."""
    for number, seconds in ((signal.SIGTERM, 20), (signal.SIGKILL, 5)):
        try:
            os.killpg(process.pid, number)
            process.wait(seconds)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass


def execute(command: list, environment: "dict[str, str]", log: Path) -> "int | str":
    """The exit status, or why there is none; the output is in the log, also of a test that is ended."""
    with log.open("w") as output:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            return process.wait(MOST_SECONDS)
        except subprocess.TimeoutExpired:
            return f"not done after {MOST_SECONDS} s"
        finally:
            end_group(process)


def run(editor: Path, build: Path) -> Result:
    output = build / "test-output/editors" / editor.name
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    tools = build / "editors"
    tools.mkdir(exist_ok=True)
    environment = {**os.environ, "CUFLS": str(build / "bin/cufls"), "CUFC": str(build / "bin/cufc"),
                   "EDITOR_TOOLS": str(tools), "EDITOR_OUTPUT": str(output)}
    start = time.monotonic()
    status = execute([sys.executable, "-u", editor / "test.py"], environment, output / "log")
    seconds = time.monotonic() - start
    lines = (output / "log").read_text(errors="replace").strip().splitlines() or [""]
    passed = sum(line.startswith("ok ") for line in lines)
    skipped = [line for line in lines if line.startswith("skipped ")]
    for line in skipped:
        print(f"{editor.name}: {line}")
    if status == SKIPPED:
        print(f"{editor.name}: skipped: {lines[-1]}", flush=True)
        return Result(0, 0, len(skipped) + 1)
    if status == 0:
        print(f"{editor.name}: {passed} passed in {seconds:.0f} s; pictures and log in {output}", flush=True)
        return Result(passed, 0, len(skipped))
    print("\n".join(lines[-30:]))
    print(f"{editor.name}: FAILED after {passed} that passed (status {status}); log in {output / 'log'}", flush=True)
    return Result(passed, 1, len(skipped))


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
    passed, failed, skipped = (sum(column) for column in zip(*results))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
