"""tests/compile: a source with `! RUN:` lines, most often piped into FileCheck (`! CHECK:`); tests/passes: MLIR text for
single passes, with `// RUN:` lines that call cufc-opt.

A RUN line is a bash command. `%s` stands for the source, `%S` for its folder, `%t` for a name in
a scratch folder of the test; cufc, FileCheck and the LLVM tools are on PATH. A trailing backslash
continues a command on the next RUN line. All of a file's commands must succeed.
"""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path

from . import directives
from .execution import fresh_folder, run
from .model import FAILED, PASSED, SKIPPED, Result, Setup, Test

RUN_LINE = re.compile(r"^\s*(?:!|//)\s*RUN:\s*(.*?)\s*$", re.MULTILINE)


def llvm_version(setup: Setup) -> str:
    """Of the LLVM and flang that the build is linked with."""
    settings = setup.build / "CMakeCache.txt"
    found = re.search(r"^CUFC_LLVM:\w+=(\d+)", settings.read_text(), re.MULTILINE) if settings.exists() else None
    return found[1] if found else "22"


def llvm_tools(setup: Setup) -> str:
    """FileCheck and others of that LLVM."""
    return f"/usr/lib/llvm-{llvm_version(setup)}/bin"


def discover(setup: Setup) -> "list[Test]":
    folder = setup.root / "tests/compile"
    files = sorted(file for suffix in ("cuf", "CUF", "f90") for file in folder.glob(f"*.{suffix}"))
    passes = sorted((setup.root / "tests/passes").glob("*.mlir"))
    return [Test(test_name(f), partial(run_file, setup, f)) for f in files + passes]


def test_name(file: Path) -> str:
    return f"{file.parent.name}/{file.name}"


def run_file(setup: Setup, file: Path) -> "list[Result]":
    name = test_name(file)
    wanted = directives.read([file])
    if wanted.unmet():
        return [Result(name, SKIPPED, reason=wanted.unmet())]
    commands = run_commands(file.read_text())
    if not commands:
        return [Result(name, FAILED, reason="has no RUN line", command=str(file))]
    folder = fresh_folder(setup.output / name)
    places = {"%s": str(file), "%S": str(file.parent), "%t": str(folder / "t"), "%%": "%"}
    path = os.pathsep.join([str(setup.cufc.parent), llvm_tools(setup), os.environ["PATH"]])
    seconds = 0.0
    for command in commands:
        line = re.sub("%[sSt%]", lambda match: places[match.group()], command)
        outcome = run(["bash", "-o", "pipefail", "-c", line], folder, setup.timeout, {"PATH": path})
        seconds += outcome.seconds
        if outcome.problem():
            return [Result(name, FAILED, seconds, outcome.problem(), line)]
    return [Result(name, PASSED, seconds)]


def run_commands(text: str) -> "list[str]":
    """The commands of the RUN lines, continued lines joined."""
    joined = "\n".join(RUN_LINE.findall(text)).replace("\\\n", " ")
    return [line for line in joined.splitlines() if line]
