"""A copy of an application's sources, in which it is built and run by one set of compilers."""
from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

from recipe import Case, Recipe

# mpirun of Open MPI asks for these before it runs as root, as in a container.
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
LAUNCHERS = {"openmpi": "mpirun.openmpi --oversubscribe -n", "mpich": "mpiexec.mpich -n"}
WRAPPERS = ("mpif90", "mpif77", "mpifort", "mpicc", "mpicxx", "mpirun", "mpiexec")


@dataclass
class Outcome:
    good: bool
    text: str
    reason: str = ""


@dataclass
class Toolchain:
    """cufc, or gfortran where `cufc` is None; and an MPI library."""

    cufc: "Path | None"
    mpi: str

    def environment(self, folder: Path, names: "list[str]") -> "dict[str, str]":
        """PATH begins with `folder`, in which the compilers' and the MPI library's names stand."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in WRAPPERS:
            found = shutil.which(f"{name}.{self.mpi}")
            if found:
                self._script(folder / name, found)
        result = {**os.environ, **AS_ROOT, "PATH": f"{folder}:{os.environ['PATH']}", "CUFC": "", "FC": "gfortran"}
        if self.cufc:
            for name in ["cufc"] + names:
                self._script(folder / name, str(self.cufc / "cufc"))
            result.update({"CUFC": str(self.cufc), "FC": "cufc", "OMPI_FC": "cufc", "MPICH_FC": "cufc"})
        return result

    @staticmethod
    def _script(file: Path, program: str) -> None:
        file.write_text(f'#!/bin/sh\nexec "{program}" "$@"\n')
        file.chmod(0o755)


class Workspace:
    def __init__(self, recipe: Recipe, source: Path, folder: Path, tools: Toolchain):
        self.recipe = recipe
        self.folder = folder
        self.tools = tools
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(source, folder / "source", symlinks=True)
        self.environment = tools.environment(folder / "bin", recipe.compilers)
        self.environment.update({"SOURCE": str(folder / "source"), "JOBS": str(os.cpu_count() or 1)})

    def run(self, commands: "list[str]", log: str, limit: int, ranks: int = 0, folder: "Path | None" = None) -> Outcome:
        """Runs shell lines one after another until one fails; their output goes to a log file too."""
        where = folder or self.folder / "source"
        environment = {**self.environment, "RANKS": str(ranks), "LAUNCH": ""}
        if ranks:
            environment["LAUNCH"] = f"{LAUNCHERS[self.tools.mpi]} {ranks}"
        process = subprocess.Popen(["bash", "-ec", "\n".join(commands)], cwd=where, env=environment, text=True,
                                   errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            text, _ = process.communicate(timeout=limit)
            reason = "" if process.returncode == 0 else f"status {process.returncode}: {last_words(text)}"
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            text, _ = process.communicate()
            reason = f"more than {limit} s"
        name = f"{log}-{where.name}.log" if folder else f"{log}.log"
        (self.folder / name).write_text(text)
        return Outcome(not reason, text, reason)

    def case_folder(self, case: Case, ranks: int, device: str) -> Path:
        folder = self.folder / f"{case.name}-{device}-{ranks}"
        folder.mkdir()
        for name, origin in case.files.items():
            path, *edits = origin if isinstance(origin, list) else [origin]
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if not edits:
                shutil.copy(self.folder / "source" / path, target)
                continue
            text = (self.folder / "source" / path).read_text(errors="surrogateescape")
            for pattern, replacement in edits:
                text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
                if not count:
                    raise ValueError(f"{self.recipe.name}, {name}: {pattern} is not in {path}")
            target.write_text(text, errors="surrogateescape")
        for name, text in case.texts.items():
            (folder / name).write_text(text)
        return folder


def last_words(text: str) -> str:
    """The first error of a compiler, or the last line that says something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"\berror\b", line, re.IGNORECASE) and "make" not in line.split(":")[0]]
    return (errors or lines[-1:] or ["no output"])[0][:200]
