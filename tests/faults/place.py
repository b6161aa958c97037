"""What the faults share: a folder for each, small disks, running commands and judging how they ended."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client  # noqa: E402

SECONDS = 120
STACK_TRACE = re.compile(
    r"stack dump|please submit a bug|please report this|^\s*#\d+ 0x|terminate called|assertion .* failed|llvm error|traceback|segmentation fault"
    r"|bus error|core dumped|bad_alloc|std::", re.IGNORECASE | re.MULTILINE)

PROGRAM = """module {module}
contains
  attributes(global) subroutine k(a)
    real :: a(*)
    a(threadIdx%x) = {value}
  end subroutine
end module
program p
  use cudafor
  use {module}
  real, device :: a(32)
  real :: b(32)
  call k<<<1, 32>>>(a)
  b = a
  print '(a,i0)', 'ran ', nint(sum(b))
end program
"""


def program(value: int = 1, module: str = "m") -> str:
    """Prints "ran" and 32 times the value."""
    return PROGRAM.format(value=value, module=module)


@dataclass
class Fault:
    name: str
    sees: str  # what the user sees
    lost: str  # what is lost
    run: object
    quick: bool  # part of ./dev test


FAULTS: "list[Fault]" = []


def fault(name: str, sees: str, lost: str = "nothing", quick: bool = True):
    def add(run):
        FAULTS.append(Fault(name, sees, lost, run, quick))
        return run
    return add


class CannotTry(Exception):
    """The reason why a fault cannot be brought about on this machine."""


class Wrong(Exception):
    """What is not as the table says."""


@dataclass
class Outcome:
    code: "int | None"  # None: it went on for too long
    text: str
    what: str

    def fail(self, reason: str) -> None:
        raise Wrong(f"{self.what}: {reason}; status {self.code}\n{self.text[:1500]}")

    def orderly(self) -> "Outcome":
        """It ended by itself, without a trace of a crash."""
        if self.code is None:
            self.fail("it does not end")
        if self.code < 0 or self.code >= 128:
            self.fail("it ended by a signal")
        if STACK_TRACE.search(self.text):
            self.fail("it shows what only its authors understand")
        if self.code and "error:" not in self.text:
            self.fail("it failed without a message")
        return self

    def refused(self, cause: str) -> None:
        self.orderly()
        if self.code == 0:
            self.fail("it succeeded")
        if not re.search(cause, self.text, re.IGNORECASE):
            self.fail(f"the message does not have /{cause}/")

    def worked(self) -> "Outcome":
        self.orderly()
        if self.code:
            self.fail("it failed")
        return self


class Place:
    """A folder of its own with what a fault needs."""

    def __init__(self, folder: Path, cufc: Path, whole: bool, builds: int = 1000):
        self.folder, self.cufc, self.whole, self.builds = folder, cufc, whole, builds
        self.cufls = cufc.with_name("cufls")
        self.cache = folder / "cache"
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.work = folder / "work"
        self.work.mkdir()

    def environment(self, changes: "dict | None" = None) -> dict:
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.cache), "TMPDIR": str(self.temporary), "CUF_DEVICE": "host", "LC_ALL": "C"}
        for name, value in (changes or {}).items():
            environment.pop(name, None)
            if value is not None:
                environment[name] = str(value)
        return environment

    def start(self, command: list, environment: "dict | None" = None, limits: "dict | None" = None, cwd: "Path | None" = None):
        def limit():
            for kind, value in (limits or {}).items():
                resource.setrlimit(kind, (value, value))
        return subprocess.Popen(command, cwd=cwd or self.work, env=self.environment(environment), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limit)

    def run(self, *command, seconds: float = SECONDS, **more) -> Outcome:
        what = " ".join(os.fsdecode(word) for word in command)
        process = self.start(list(command), **more)
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            kill_group(process)
            return Outcome(None, "", what)
        return Outcome(process.returncode, output.decode("utf-8", "replace"), what)

    def compile(self, *arguments, **more) -> Outcome:
        return self.run(self.cufc, *arguments, **more)

    def check(self, *arguments, **more) -> Outcome:
        """Also of a source with mistakes, so any status that says so."""
        return self.run(self.cufls, "check", *arguments, **more)

    def says(self, executable, text: str) -> None:
        outcome = self.run(executable)
        if outcome.code or [line for line in outcome.text.splitlines() if not line.startswith("cufrt:")] != [text]:
            outcome.fail(f"'{text}' was expected")

    def is_right(self, value: int = 1, **more) -> None:
        """A build of a new program works and the program is right."""
        source = self.work / "afterwards.cuf"
        source.write_text(program(value))
        self.compile(source, "-o", self.work / "afterwards", "-module", self.temporary, **more).worked()
        self.says(self.work / "afterwards", f"ran {32 * value}")

    def project(self, name: str = "project", value: int = 1) -> Path:
        """A main program and three modules that use each other."""
        root = self.work / name
        root.mkdir()
        (root / "a.cuf").write_text(f"module a\n  integer, parameter :: value = {value}\nend module\n")
        (root / "b.cuf").write_text("module b\n  use a\ncontains\n  attributes(global) subroutine k(x)\n    integer :: x(*)\n"
                                    "    x(threadIdx%x) = value\n  end subroutine\nend module\n")
        (root / "c.cuf").write_text("module c\n  use b\n  integer, device :: x(32)\nend module\n")
        (root / "main.cuf").write_text("program main\n  use cudafor\n  use c\n  integer :: h(32)\n  call k<<<1, 32>>>(x)\n  h = x\n"
                                       "  print '(a,i0)', 'ran ', sum(h)\nend program\n")
        (root / "cufls.json").write_text('{"targets": {"main": {"sources": ["*.cuf"]}}}\n')
        return root

    def build(self, root: Path, **more) -> Outcome:
        return self.run(self.cufls, "build", cwd=root, **more)

    def builds_right(self, root: Path, value: int = 1) -> None:
        self.build(root).worked()
        found = [path for path in (root / "build/cufls").rglob("main") if path.is_file() and os.access(path, os.X_OK)]
        if not found:
            raise Wrong(f"{root}: no program 'main' was made")
        self.says(max(found, key=lambda path: path.stat().st_mtime), f"ran {32 * value}")

    @contextlib.contextmanager
    def small_disk(self, kilobytes: int, at: "Path | None" = None):
        """A file system with as much space as that."""
        folder = at or self.folder / "small"
        folder.mkdir(exist_ok=True)
        mount("-t", "tmpfs", "-o", f"size={max(kilobytes, 4)}k", "none", folder)
        try:
            yield folder
        finally:
            subprocess.run(["umount", "-l", folder], check=True)

    @contextlib.contextmanager
    def read_only(self, folder: Path):
        """For root too."""
        mount("--bind", folder, folder)
        try:
            mount("-o", "remount,ro,bind", folder)
            yield folder
        finally:
            subprocess.run(["umount", "-l", folder], check=True)

    @contextlib.contextmanager
    def server(self, root: "Path | None" = None, environment: "dict | None" = None, options: "dict | None" = None):
        """A client of a server for that folder, which must end in order."""
        client = Client([str(self.cufls), f"--log-file={self.folder}/server.log"], env=self.environment(environment), cwd=self.work)
        try:
            client.initialize(root or self.work, {}, options)
            yield client
            if client.stop() != 0:
                raise Wrong(f"the server ended with {client.process.returncode}")
        finally:
            if client.process.poll() is None:
                client.process.kill()

    def server_finds(self, client: Client, uri: str, text: str, count: int) -> None:
        """How many errors the server reports for a text."""
        client.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "cuda-fortran", "version": 1, "text": text}})
        items = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
        errors = [item["message"] for item in items if item["severity"] == 1]
        if len(errors) != count:
            raise Wrong(f"server, {uri}: {count} errors expected, {errors}")


def kill_group(process: subprocess.Popen) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()


def mount(*arguments) -> None:
    if os.environ.get("CUFLS_FAULTS_MOUNT") != "yes":
        raise CannotTry("file systems cannot be mounted here (unshare -m)")
    subprocess.run(["mount", *map(str, arguments)], check=True)


def wait_until(condition, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
