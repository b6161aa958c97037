"""Running one command with a time limit; the whole process group dies when the limit is reached."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Outcome:
    """How a command ended. `code` is negative for a signal, None when it ran out of time."""

    command: str
    code: "int | None"
    stdout: str
    stderr: str
    seconds: float

    def problem(self) -> str:
        """The reason why this is not a success, in one line, or an empty string."""
        if self.code == 0:
            return ""
        detail = self.detail()
        return f"{self.ending()}: {detail}" if detail else self.ending()

    def ending(self) -> str:
        if self.code is None:
            return f"no end after {self.seconds:.0f} s"
        if self.code < 0:
            return f"ended by {signal.Signals(-self.code).name}"
        return f"exit status {self.code}"

    def detail(self) -> str:
        """The line of output that says most: the first error, else the last line."""
        lines = [line.strip() for line in (self.stdout + "\n" + self.stderr).splitlines()]
        lines = [line for line in lines if line]
        errors = [line for line in lines if "error" in line.lower()]
        return (errors or lines[-1:] or [""])[0][:300]


def run(arguments, cwd: Path, timeout: float, env: "dict | None" = None) -> Outcome:
    """Runs `arguments` with `env` added to the environment; output is decoded leniently."""
    shown = [f"{name}={shlex.quote(value)}" for name, value in (env or {}).items()]
    shown += [shlex.quote(str(argument)) for argument in arguments]
    start = time.monotonic()
    process = subprocess.Popen(
        [str(argument) for argument in arguments],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        encoding="utf-8",
        errors="replace",
    )
    try:
        stdout, stderr = process.communicate(timeout=timeout)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        stdout, stderr = process.communicate()
        code = None
    return Outcome(" ".join(shown), code, stdout, stderr, time.monotonic() - start)


def fresh_folder(path: Path) -> Path:
    """An empty folder at `path`."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path
