"""Directives in the leading comment lines of a test: `! NAME: value`.

In fixed form a comment line may also open with C, c or *; a directive opens with ! there too.

FLAGS      more flags for cufc
SKIP-HOST  why the program cannot run on the host device
SKIP-GPU   why the program cannot run on a GPU
SKIP-AARCH64   why the program cannot run on such a machine
ENV        A=B, set while the program runs; may be repeated
TIMEOUT    seconds, in place of the runner's limit
REQUIRES   cuda: skipped where no CUDA toolkit is found; nvcc: also where its nvcc does not take the system's C++ compiler and
           headers (NVCC_CCBIN names another compiler); in tests/mpi openmpi or mpich: only with that library
RANKS      in tests/mpi: how many processes run the program
EXPECT-STDERR  a regular expression that a line of the program's stderr matches; may be repeated
FINDS      a regular expression for what -gpu=check finds in the program, which then need not end well; may be repeated
EXIT       how the program ends in place of status 0: another status, or a signal (SIGSEGV); it need
           not print PASS then
"""

from __future__ import annotations

import functools
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

NAMES = ("FLAGS", "SKIP-HOST", "SKIP-GPU", "SKIP-AARCH64", "ENV", "TIMEOUT", "REQUIRES", "EXPECT-STDERR", "FINDS", "EXIT", "RANKS")
TARGETS = {"x86_64": "targets/x86_64-linux", "aarch64": "targets/sbsa-linux"}  # in a toolkit
LINE = re.compile(r"!\s*(%s):\s*(.*?)\s*$" % "|".join(NAMES))


@dataclass
class Directives:
    """The directives of one test; a folder's files add up."""

    flags: "list[str]" = field(default_factory=list)
    skip: "dict[str, str]" = field(default_factory=dict)  # by device or machine: "host", "gpu", "aarch64"
    env: "dict[str, str]" = field(default_factory=dict)
    timeout: "float | None" = None
    requires: "set[str]" = field(default_factory=set)
    stderr: "list[str]" = field(default_factory=list)
    finds: "list[str]" = field(default_factory=list)
    exit_code: int = 0  # negative for a signal
    ranks: int = 1

    def add(self, name: str, value: str) -> None:
        if name == "FLAGS":
            self.flags += shlex.split(value)
        elif name.startswith("SKIP-"):
            self.skip[name[len("SKIP-") :].lower()] = value
        elif name == "ENV":
            variable, _, setting = value.partition("=")
            self.env[variable] = setting
        elif name == "TIMEOUT":
            self.timeout = float(value)
        elif name == "REQUIRES":
            self.requires |= set(value.split())
        elif name == "EXPECT-STDERR":
            self.stderr.append(value)
        elif name == "FINDS":
            self.finds.append(value)
        elif name == "RANKS":
            self.ranks = int(value)
        elif name == "EXIT":
            self.exit_code = -signal.Signals[value] if value.startswith("SIG") else int(value)

    def unmet(self, machine: str = os.uname().machine) -> str:
        """Why the test, whose programs are for that machine, cannot run here, or an empty string."""
        if self.requires & {"cuda", "nvcc"} and not has_cuda(machine):
            return f"needs a CUDA toolkit for {machine}"
        if "nvcc" in self.requires and machine != os.uname().machine:
            return f"needs nvcc for {machine}"
        if "nvcc" in self.requires and not compiles_cuda_c():
            return "nvcc does not take the C++ compiler and headers of this system"
        return ""


def read(files) -> Directives:
    """The directives in the leading comments of `files`."""
    result = Directives()
    for file in files:
        comment = "!Cc*" if file.suffix in (".f", ".F") else "!"
        for line in file.read_text(errors="replace").splitlines():
            if line.strip() and line[0] not in comment:
                break
            match = LINE.match(line)
            if match:
                result.add(*match.groups())
    return result


@functools.lru_cache
def compiles_cuda_c() -> bool:
    home = os.environ.get("CUDA_HOME")
    nvcc = f"{home}/bin/nvcc" if home else shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "empty.cu").write_text("")
        return subprocess.run([nvcc, "-c", "empty.cu", "-o", "empty.o"], cwd=folder, capture_output=True, check=False).returncode == 0


def has_cuda(machine: str = os.uname().machine) -> bool:
    """Whether a toolkit with libraries for that machine is where cufc looks for it: a CUDA_HOME that is set decides alone."""
    home = Path(os.environ.get("CUDA_HOME") or "/usr/local/cuda")
    if machine != os.uname().machine:
        return (home / "bin/nvcc").exists() and (home / TARGETS[machine] / "lib").exists()
    return (home / "bin/nvcc").exists() or bool(shutil.which("nvcc") and not os.environ.get("CUDA_HOME"))
