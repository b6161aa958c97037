"""Tests that are a program with an exit status: unit tests, bad input, and the lint checks."""

from __future__ import annotations

import os
import sys
import time
from functools import partial
from pathlib import Path

from .compile_tests import llvm_version
from .execution import fresh_folder, run
from .model import FAILED, PASSED, SKIPPED, Result, Setup, Test

# With this exit status a program says that it cannot run here; its last line says why.
SKIP_STATUS = 77


def discover_unit(setup: Setup) -> "list[Test]":
    """The GoogleTest programs that the build leaves in build/tests/unit."""
    found = []
    for file in sorted((setup.build / "tests/unit").glob("*")):
        if file.is_file() and os.access(file, os.X_OK):
            command = [file, "--gtest_brief=1"]
            name = f"unit/{file.name}"
            found.append(Test(name, partial(run_command, setup, name, command)))
    return found


def discover_scripts(setup: Setup) -> "list[Test]":
    """Scripts that compile much and judge it themselves."""
    found = []
    devices = ["--devices", ",".join(setup.devices)]
    scripts = {
        "bad/bad_input": [],
        "faults/faults": [],
        "security/promises": [],
        "options/spellings": [],
        "options/effects": [],
        "refactor/applied": [],
        "formats/output_formats": [],
        "formats/fixes": [],
        "formats/sarif_official": [],
        "project/build_flags": [],
        "project/builds": [],
        "project/checks": [],
        "project/commands": [],
        "project/demand": [],
        "project/build_tools": [],
        "docs/site": [],
        "docs/commands": [],
        "project/occupancy": [],
        "project/report": [],
        "link/orders": devices,
        "link/flang_phrases": [llvm_version(setup)],
        "mpi/coverage": [],
        "mpi/libraries": [],
        "foreign/gfortran": devices,
        "foreign/editor": [],
        "debug/gdb": [],
        "debug/adapter": [],
        "debug/configurations": [],
        "matrix/host_expressions": ["--count", "3"],
        "matrix/rewrites": [],
        "matrix/guide": [],
        "mutation/checks": [],
        "matrix/rewrites --refuse": ["--refuse"],
        "protocol/conversation": [],
        "protocol/documentation": [],
        "protocol/renaming": [],
        "protocol/projects": [],
        "protocol/refactoring": [],
        "protocol/decorations": [],
        "protocol/occupancy": [],
        "protocol/times": [],
        "protocol/mcp": [],
        "protocol/text_content": [],
        "project/scip": [],
        "project/check_run": [],
        "project/run_on": [],
        "project/tune": [],
        "project/planted": [],
        "protocol/messages": [],
        "protocol/diagnostics_once": [],
        "protocol/flag_notices": [],
        "protocol/syntax_words": [],
        "protocol/killed_workers": [],
        "protocol/outside_files": [],
        "protocol/included_errors": [],
        "protocol/while_typing": [],
        "fuzz/mutations": ["--count", "60"],
        "fuzz/editing": ["--seconds", "20", "--kill"],
        "fuzz/modules": [],
        "fuzz/programs": ["--count", "6"],
    }
    for name, arguments in scripts.items():
        script = setup.root / f"tests/{name.split()[0]}.py"
        if script.exists():
            found.append(Test(name, partial(run_command, setup, name, [sys.executable, script, *arguments])))
    return found


def run_command(setup: Setup, name: str, command: list) -> "list[Result]":
    folder = fresh_folder(setup.output / name)
    # Conversations that are recorded here are compared with the protocols' schemas later (tests/editors/schemas).
    environment = {"CUFC": str(setup.cufc), "RECORD_MESSAGES": str(folder / "messages")}
    outcome = run(command, folder, 10 * setup.timeout, environment)
    (folder / "log").write_text(outcome.stdout + outcome.stderr)
    if outcome.code == SKIP_STATUS:
        return [Result(name, SKIPPED, reason=outcome.detail())]
    reason = outcome.problem()
    if reason:
        return [Result(name, FAILED, outcome.seconds, reason, outcome.command)]
    return [Result(name, PASSED, outcome.seconds)]


def discover_lint(setup: Setup) -> "list[Test]":
    """The checks of tests/tidy, which a packed folder does not have."""
    if not (setup.root / "tests/tidy").is_dir():
        return []
    import tidy

    return [
        Test(f"tidy/{name}", partial(run_check, setup, f"tidy/{name}", check, tidy.Unavailable))
        for name, check in tidy.checks(setup.build)
    ]


def run_check(setup: Setup, name: str, check, unavailable) -> "list[Result]":
    start = time.monotonic()
    try:
        problems = check(setup.root)
    except unavailable as missing:
        return [Result(name, SKIPPED, reason=str(missing))]
    except Exception as error:  # a check that breaks off does not hide the other tests
        problems = [f"{type(error).__name__}: {error}"]
    seconds = time.monotonic() - start
    if not problems:
        return [Result(name, PASSED, seconds)]
    return [Result(name, FAILED, seconds, problem) for problem in problems[:1]] + [
        Result(f"{name}#{number}", FAILED, 0.0, problem)
        for number, problem in enumerate(problems[1:], 2)
    ]
