"""Programs of several ranks that check themselves: tests/mpi.

A test is a source file that opens with the directive RANKS. It is compiled and run with each MPI library that is
installed, and passes when the launcher ends with status 0 and the last line printed is PASS. On the host device it runs
twice: MPI gets device memory as it is, then copies in host memory.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from . import directives, programs
from .execution import fresh_folder, run
from .model import FAILED, SKIPPED, Result, Setup, Test

# Names of launchers, and the word with which each library's says what it is.
LAUNCHERS = {
    "openmpi": (("mpirun.openmpi", "mpirun", "mpiexec"), "Open"),
    "mpich": (("mpiexec.mpich", "mpiexec.hydra", "mpiexec"), "HYDRA"),
}
OPTIONS = {"openmpi": ["--oversubscribe"], "mpich": []}
# Containers run tests as root; a rank that is bound to a core alone would not share it with other tests' ranks.
ENVIRONMENT = {
    "openmpi": {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_hwloc_base_binding_policy": "none",
        # UCX's windows fail where processes may not read each other's memory, in plain C too.
        "OMPI_MCA_osc": "^ucx",
    },
    "mpich": {},
}


@dataclass(frozen=True)
class Library:
    """An MPI library: the name that -Mmpi= takes and its launcher, empty if there is none."""

    name: str
    launcher: str

    def command(self, ranks: int, program: Path) -> "list[str]":
        return [self.launcher, *OPTIONS[self.name], "-n", str(ranks), str(program)]


def find(name: str) -> Library:
    candidates, word = LAUNCHERS[name]
    for candidate in candidates:
        path = shutil.which(candidate)
        if path:
            done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
            if word in done.stdout:
                return Library(name, path)
    return Library(name, "")


def discover(setup: Setup) -> "list[Test]":
    found = []
    libraries = [find(name) for name in LAUNCHERS]
    for file in sorted((setup.root / "tests/mpi").glob("*.cuf")):
        for library in libraries:
            name = f"mpi/{file.stem}.{library.name}"
            found.append(Test(name, partial(run_ranks, setup, library, name, file)))
    return found


def run_ranks(setup: Setup, library: Library, name: str, file: Path) -> "list[Result]":
    wanted = directives.read([file])
    reason = unmet(library, wanted, setup.machine)
    if reason:
        return [Result(name, SKIPPED, reason=reason)]
    folder = fresh_folder(setup.output / name)
    program = folder / "program"
    timeout = wanted.timeout or setup.timeout
    flags = [f"-Mmpi={library.name}", *wanted.flags, *setup.flags]
    compiled = run([setup.cufc, *flags, file, "-o", program], folder, timeout)
    if compiled.problem():
        reason = "does not compile: " + compiled.problem()
        return [Result(name, FAILED, compiled.seconds, reason, compiled.command)]
    return [run_once(wanted, library, *way, folder, timeout) for way in ways(setup, name, wanted)]


def ways(setup: Setup, name: str, wanted: directives.Directives) -> "list[tuple]":
    """Name, device and CUF_MPI_BUFFERS of each run."""
    found = []
    for device in setup.devices:
        if programs.actual_device(device) in wanted.skip:
            continue
        found.append((programs.label(setup, name, device), device, "auto"))
        if programs.actual_device(device) == "host" and "CUF_MPI_BUFFERS" not in wanted.env:
            found.append((programs.label(setup, f"{name}.staged", device), device, "staged"))
    return found


def run_once(wanted, library, name, device, buffers, folder, timeout) -> Result:
    environment = {**ENVIRONMENT[library.name], "CUF_MPI_BUFFERS": buffers, **wanted.env, "CUF_DEVICE": device}
    outcome = run(library.command(wanted.ranks, folder / "program"), folder, timeout, environment)
    (folder / f"{device}-{buffers}.log").write_text(outcome.stdout + outcome.stderr)
    return programs.judge(name, ended_by_signal(outcome, wanted.exit_code), wanted)


def ended_by_signal(outcome, exit_code: int):
    """Launchers tell a rank's signal by their exit status: the signal's number, or 128 more."""
    if exit_code < 0 and outcome.code in (-exit_code, 128 - exit_code):
        return replace(outcome, code=exit_code)
    return outcome


def unmet(library: Library, wanted: directives.Directives, machine: str) -> str:
    if not library.launcher:
        return f"{library.name} is not installed"
    if machine != os.uname().machine:
        return f"needs {library.name} for {machine}"
    only = wanted.requires & set(LAUNCHERS)
    if only and library.name not in only:
        return f"needs {' or '.join(sorted(only))}"
    return wanted.unmet()
