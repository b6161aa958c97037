#!/usr/bin/env python3
"""Ends every process of the server but the server itself, again and again while somebody types, also those that were
started a moment ago: afterwards the server says what is wrong with the newest text. Then also the server, whose folders the next
one removes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / folder) for folder in ("", "bench")]
import many_sources  # noqa: E402
from harness.lsp_client import Client, processes, processes_of  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
ROUNDS, SECONDS = 6, 1.0
TEXT = "program p\n  implicit none\n  integer :: i\n  i = {}\nend program\n"


def kill_all(victims: "list[int]") -> None:
    for pid in victims:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def kill_workers(server: int) -> int:
    victims = [pid for pid in processes(server) if pid != server]
    kill_all(victims)
    return len(victims)


def wait_until(condition: "Callable[[], bool]", seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)


def leftovers() -> None:
    """A server that is killed leaves its temporary folders; the next one that ends removes them, and no others."""
    with tempfile.TemporaryDirectory() as folder:
        temporary, path = Path(folder) / "tmp", Path(folder) / "p.cuf"
        temporary.mkdir()
        (temporary / "cufc-of-somebody").mkdir()
        path.write_text(TEXT.format(1))

        def started() -> Client:
            client = Client([str(CUFLS), f"--log-file={folder}/log"], env={**os.environ, "TMPDIR": str(temporary)})
            client.initialize(path.parent, {})
            client.open(path, TEXT.format(1))
            client.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}})
            return client

        first = started()
        command = Path(f"/proc/{first.process.pid}/cmdline").read_bytes()
        ended = {first.process.pid}
        first.process.kill()
        first.process.wait()
        assert len(list(temporary.iterdir())) > 1, "a killed server leaves folders"
        while left := processes_of(command):  # what one of them was just starting, too
            ended.update(left)
            kill_all(left)
        wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in ended))
        assert started().stop() == 0

        def left_there() -> "list[str]":
            return sorted(entry.name for entry in temporary.iterdir())

        wait_until(lambda: left_there() == ["cufc-of-somebody"])
        assert left_there() == ["cufc-of-somebody"], left_there()


def index_goes_on() -> None:
    """The index's process is killed as often as it is seen, twice; what it had not reached is there in the end."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for n in range(8):
            (root / f"m{n}.cuf").write_text(f"module m{n}\n" + (f"  use m{n - 1}\n" if n else "") + f"  integer :: v{n} = {n}\nend module\n")
        user = root / "user.cuf"
        user.write_text("program user\n  use m7\n  implicit none\n  print *, v0, v7\nend program\n")
        client = Client([str(CUFLS), f"--log-file={folder}/log"], env={**os.environ, "XDG_CACHE_HOME": folder + "/cache"})
        client.initialize(root, {"window": {"workDoneProgress": True}})
        killed = 0
        opened = False
        while killed < 2:
            client.wait_notification("$/progress", lambda params: params["value"]["kind"] == "begin")
            if not opened:
                client.open(user, user.read_text())
                opened = True
            killed += kill_workers(client.process.pid) > 0
        end = time.monotonic() + 60
        while (found := client.request("textDocument/diagnostic", {"textDocument": {"uri": user.as_uri()}})["items"]) and time.monotonic() < end:
            time.sleep(0.1)
        assert not found, found
        assert client.stop() == 0


def actions_are_answered() -> None:
    """Refactorings are analysed before they are offered: also when the process dies that does it."""
    text = "program p\n  implicit none\n  integer :: i, s\n  s = 0\n  do i = 1, 10\n    s = s + i\n  end do\n  print *, s\nend program\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.cuf"
        path.write_text(text)
        client = Client([str(CUFLS), f"--log-file={folder}/log"])
        client.initialize(path.parent, {})
        client.open(path, text)
        client.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}})
        place = {"start": {"line": 4, "character": 3}, "end": {"line": 6, "character": 8}}
        asked = []
        for _ in range(12):
            asked.append(client.send_request("textDocument/codeAction", {"textDocument": {"uri": path.as_uri()}, "range": place,
                                                                         "context": {"diagnostics": []}}))
            kill_workers(client.process.pid)
        for number in asked:
            assert isinstance(client.wait(number).get("result"), list)
        assert client.stop() == 0


def left_modules_go() -> None:
    """A module file that an analysis wrote and never told of, since it was ended: the module is not there."""
    text = "module made\n  integer :: v\nend module\nprogram p\n  use made\n{}  implicit none\n  v = 1\nend program\n"
    with tempfile.TemporaryDirectory() as folder:
        temporary, root = Path(folder) / "tmp", Path(folder) / "src"
        temporary.mkdir()
        root.mkdir()
        path = root / "p.cuf"
        path.write_text(text.format(""))
        client = Client([str(CUFLS), f"--log-file={folder}/log"], env={**os.environ, "TMPDIR": str(temporary)})
        client.initialize(root, {})
        client.open(path, text.format(""))
        ask = {"textDocument": {"uri": path.as_uri()}}
        assert not client.request("textDocument/diagnostic", ask)["items"]
        (made,) = temporary.rglob("made.mod")
        (root / "left.f90").write_text("module left\nend module\n")
        subprocess.run([os.environ["CUFC"], "-c", root / "left.f90", "-module", made.parent, "-o", Path(folder) / "left.o"], check=True)
        (root / "left.f90").unlink()
        assert made.with_name("left.mod").exists()
        client.change(path, 2, [{"text": text.format("  use left\n")}])
        end = time.monotonic() + 60
        codes = []
        while codes != ["CUF1103"] and time.monotonic() < end:
            codes = [item["code"] for item in client.request("textDocument/diagnostic", ask)["items"]]
            time.sleep(0.1)
        assert codes == ["CUF1103"], codes
        assert client.stop() == 0


def kill_where(server: int, condition: "Callable[[int, list[int]], bool]") -> int:
    """Ends those processes of the server of whose parent, and of all of them, this holds."""
    family = processes(server)
    killed = 0
    for pid in family:
        try:
            parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
            if condition(parent, family):
                os.kill(pid, signal.SIGKILL)
                killed += 1
        except (OSError, IndexError):
            pass
    return killed


def kill_children(server: int) -> int:
    """The index, and scans of folders; workers have lost their parents."""
    return kill_where(server, lambda parent, family: parent == server)


def kill_analyses(server: int) -> int:
    """What the workers have forked: analyses, and second workers of open files."""
    return kill_where(server, lambda parent, family: parent != server and parent in family)


def long_text(declaration: str) -> str:
    """An analysis of it takes long enough to be seen."""
    procedures = "".join(f"  subroutine s{n}(a)\n    real :: a(:)\n    a = a*{n} + 1\n  end subroutine\n" for n in range(400))
    return f"module m\n  implicit none\n  {declaration}\ncontains\n{procedures}end module\n"


def codes_of(client: Client, path: Path) -> "list[str] | None":
    """What was published of a file last."""
    said = [message["params"] for message in client.notifications if message["method"] == "textDocument/publishDiagnostics"]
    ours = [params for params in said if params["uri"] == path.as_uri()]
    return [item["code"] for item in ours[-1]["diagnostics"]] if ours else None


def wait_for_codes(client: Client, path: Path, codes: "list[str]") -> None:
    end = time.monotonic() + 120
    while (seen := codes_of(client, path)) != codes and time.monotonic() < end:
        client.step(0.1)
    assert seen == codes, f"{path.name}: {seen} instead of {codes}"


def analyses_of_the_index_come_again() -> None:
    """Only the analysis of a file dies, and the index goes on to its end: nobody edits anything, and what is wrong is said."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.f90"
        path.write_text(long_text("integer, parameter :: n = undeclared"))
        client = Client([str(CUFLS), f"--log-file={folder}/log"], env={**os.environ, "XDG_CACHE_HOME": folder + "/cache"})
        client.initialize(Path(folder), {})
        end = time.monotonic() + 60
        while not kill_analyses(client.process.pid):
            assert time.monotonic() < end, "no analysis was seen"
            client.step(0)
        wait_for_codes(client, path, ["CUF1101"])
        assert client.stop() == 0


def saving_tries_again() -> None:
    """A text whose analysis died twice is analysed when somebody saves it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.f90"
        text = long_text("integer, parameter :: n = undeclared")
        path.write_text(text)
        client = Client([str(CUFLS), f"--log-file={folder}/log"], env={**os.environ, "XDG_CACHE_HOME": folder + "/cache"})
        client.initialize(Path(folder), {})
        client.open(path, text)
        end = time.monotonic() + 60
        while "CUF0902" not in (codes_of(client, path) or []):
            kill_analyses(client.process.pid)
            assert time.monotonic() < end, codes_of(client, path)
            client.step(0)
        client.notify("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})
        wait_for_codes(client, path, ["CUF1101"])
        assert client.stop() == 0


def scans_come_again() -> None:
    """The process dies that looks through a large folder, of which an earlier run knew one file: what is in the others is found."""
    with tempfile.TemporaryDirectory() as folder:
        root, environment = Path(folder) / "src", {**os.environ, "XDG_CACHE_HOME": folder + "/cache"}
        root.mkdir()
        path = root / "p.f90"
        path.write_text("program p\n  use far_away\n  implicit none\n  print *, v\nend program\n")

        def started() -> Client:
            client = Client([str(CUFLS), f"--log-file={folder}/log"], env=environment)
            client.initialize(root, {})
            client.open(path, path.read_text())
            return client

        first = started()
        wait_for_codes(first, path, ["CUF1103"])
        assert first.stop() == 0
        many_sources.generate(root / "many", 6000)
        (root / "many/zz.f90").write_text("module far_away\n  integer :: v = 1\nend module\n")
        client = started()
        killed, end = 0, time.monotonic() + 60
        while killed < 2 and time.monotonic() < end:  # the index is another one
            killed += kill_children(client.process.pid)
            client.step(0)
        assert killed >= 2, killed
        ask = {"textDocument": {"uri": path.as_uri()}}
        place = {**ask, "position": {"line": 1, "character": 8}}
        end = time.monotonic() + 120
        while not (found := client.request("textDocument/definition", place)) and time.monotonic() < end:
            time.sleep(0.2)
        assert found, "the module's file was not found"
        assert not client.request("textDocument/diagnostic", ask)["items"]
        assert client.stop() == 0


def main() -> int:
    leftovers()
    scans_come_again()
    left_modules_go()
    index_goes_on()
    analyses_of_the_index_come_again()
    saving_tries_again()
    actions_are_answered()
    killed, longest, version = 0, 0.0, 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.cuf"
        path.write_text(TEXT.format(1))
        client = Client([str(CUFLS), f"--log-file={folder}/log"])  # so that it is no other test's server
        client.initialize(path.parent, {})
        client.open(path, TEXT.format(1))
        for round_ in range(ROUNDS):
            end = time.monotonic() + SECONDS
            while time.monotonic() < end:
                killed += kill_workers(client.process.pid)
                version += 1
                client.change(path, version, [{"text": TEXT.format(f"undeclared_{version}")}])
                client.step(0)
            begin = time.monotonic()
            items = client.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}})["items"]
            longest = max(longest, time.monotonic() - begin)
            assert any(f"undeclared_{version}" in item["message"] for item in items), items
        assert client.stop() == 0
    assert killed > 10, killed
    print(f"{killed} processes killed in {ROUNDS * SECONDS:.0f} s, then answered within {longest:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
