"""Plain data that the runner's modules pass around: a test, its result, where things are."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


@dataclass(frozen=True)
class Result:
    """What one run of a test gave. `reason` and `command` are empty when it passed."""

    name: str
    status: str
    seconds: float = 0.0
    reason: str = ""
    command: str = ""


@dataclass(frozen=True)
class Test:
    """A name, matched by the filter, and a function that never raises for a failing test.

    A program that runs on several devices gives one result for each.
    """

    name: str
    run: Callable[[], "list[Result]"]


@dataclass(frozen=True)
class Setup:
    """Where the tests and the compiler are and how to run them."""

    root: Path  # of the checkout, or of a packed folder
    build: Path
    cufc: Path
    output: Path  # a folder of its own for each test is made here
    devices: tuple  # values of CUF_DEVICE
    timeout: float  # seconds for one command
    update: bool  # rewrite expected diagnostics
    flags: tuple = ()  # more of cufc, for programs
    machine: str = os.uname().machine  # that programs are for
    runner: tuple = ()  # the words before a program's own that run it, if the machine is another
