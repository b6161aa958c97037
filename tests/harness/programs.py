"""Programs that check themselves: tests/run and docs/examples.

A test is a source file, or a folder whose source files make one program. It passes when cufc
compiles it and, on each device, it ends with status 0 and PASS as the last line it prints. The
directives EXIT and EXPECT-STDERR ask for another end and for messages.

A sample of the programs also runs with -gpu=check, which must find nothing.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

from . import directives
from .execution import Outcome, fresh_folder, run
from .model import FAILED, PASSED, SKIPPED, Result, Setup, Test
from .sample import is_taken

SUFFIXES = {".cuf", ".CUF", ".f", ".F", ".f90", ".F90"}
SAMPLE = 3  # of how many programs one runs with checks, too; of these CI takes every fourth
CHECKS = "-gpu=check"
FINDING = re.compile(r"(\S+:\d+(:\d+)?|cufrt): error: ")
COMPANIONS = {".cu", ".c", ".cpp"}  # compiled along inside a folder


def discover(setup: Setup) -> "list[Test]":
    found, programs = [], []
    for folder, prefix in (("tests/run", "run"), ("docs/examples", "examples")):
        for path in sorted((setup.root / folder).glob("*")):
            files = source_files(path)
            name = f"{prefix}/{path.name}"
            # CI runs half of them on its own machine, and a quarter as programs of another one.
            if files and is_taken(name, 2 if setup.machine == os.uname().machine else 4):
                found.append(Test(name, partial(run_program, setup, name, files)))
                programs.append((path.name, files))
    if "host" in setup.devices and not setup.flags:
        checking = replace(setup, flags=(CHECKS,), devices=("host",))
        for name, files in programs[::SAMPLE]:
            if is_taken(name, 4):
                found.append(Test(f"checked/{name}", partial(run_program, checking, f"checked/{name}", files)))
    return found


def source_files(path: Path) -> "list[Path]":
    if path.is_dir():
        accepted = SUFFIXES | COMPANIONS
        return sorted(file for file in path.iterdir() if file.suffix in accepted)
    return [path] if path.suffix in SUFFIXES else []


def run_program(setup: Setup, name: str, files: "list[Path]") -> "list[Result]":
    wanted = directives.read(files)
    if any(file.suffix == ".cu" for file in files):
        wanted.requires.add("cuda")
    names = {device: label(setup, name, device) for device in setup.devices}
    results, devices = [], []
    for device in setup.devices:
        reason = wanted.unmet(setup.machine) or wanted.skip.get(actual_device(device), "") or wanted.skip.get(setup.machine, "")
        if reason:
            results.append(Result(names[device], SKIPPED, reason=reason))
        else:
            devices.append(device)
    if not devices:
        return results

    folder = fresh_folder(setup.output / name)
    program = folder / "program"
    timeout = wanted.timeout or setup.timeout
    compiled = run([setup.cufc, *wanted.flags, *setup.flags, *files, "-o", program], folder, timeout)
    if compiled.problem():
        reason = "does not compile: " + compiled.problem()
        failure = partial(Result, status=FAILED, reason=reason, command=compiled.command)
        return results + [failure(names[device], seconds=compiled.seconds) for device in devices]
    for device in devices:
        outcome = run([*setup.runner, program], folder, timeout, {**wanted.env, "CUF_DEVICE": device})
        (folder / f"{device}.log").write_text(outcome.stdout + outcome.stderr)
        if CHECKS in setup.flags and wanted.finds:
            wanted = replace(wanted, stderr=wanted.finds, exit_code=outcome.code)
        result = judge(names[device], outcome, wanted)
        alarm = false_alarm(outcome, wanted) if CHECKS in wanted.flags + list(setup.flags) else ""
        if alarm:
            result = replace(result, status=FAILED, reason=alarm, command=outcome.command)
        results.append(result)
    return results


def judge(name: str, outcome: Outcome, wanted: directives.Directives) -> Result:
    reason = ending_problem(outcome, wanted.exit_code) or stderr_problem(outcome, wanted.stderr)
    status = FAILED if reason else PASSED
    return Result(name, status, outcome.seconds, reason, outcome.command if reason else "")


def ending_problem(outcome: Outcome, exit_code: int) -> str:
    """A program that finds itself wrong prints FAIL and the reason as its last line."""
    lines = [line.strip() for line in outcome.stdout.splitlines() if line.strip()]
    last = lines[-1] if lines else ""
    if exit_code != 0:
        if outcome.code == exit_code:
            return ""
        return f"{outcome.ending()}, not {exit_code}; the last line printed is {last!r}"
    reason = outcome.problem()
    if reason and last.startswith("FAIL"):
        return f"{outcome.ending()}: {last}"
    if reason and last and last not in reason:
        return f"{reason}; the last line printed is {last!r}"
    if not reason and last != "PASS":
        return f"the last line printed is {last!r}, not PASS" if last else "printed nothing"
    return reason


def stderr_problem(outcome: Outcome, expected: "list[str]") -> str:
    for expression in expected:
        if not re.search(expression, outcome.stderr, re.MULTILINE):
            return f"no line on stderr matches {expression!r}"
    return ""


def false_alarm(outcome: Outcome, wanted: directives.Directives) -> str:
    """The first finding of checks that the program does not expect."""
    for line in outcome.stderr.splitlines():
        if FINDING.match(line) and not any(re.search(expression, line) for expression in wanted.stderr):
            return f"false alarm: {line}"
    return ""


def label(setup: Setup, name: str, device: str) -> str:
    """The name in reports; it says the device where a test runs on several."""
    return f"{name}@{device}" if len(setup.devices) > 1 else name


def actual_device(device: str) -> str:
    """What CUF_DEVICE=auto will come to, to choose between SKIP-HOST and SKIP-GPU."""
    if device != "auto":
        return device
    return "gpu" if os.path.exists("/dev/nvidiactl") or os.path.exists("/dev/dxg") else "host"
