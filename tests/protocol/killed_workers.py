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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client, processes  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
ROUNDS, SECONDS = 6, 1.0
TEXT = "program p\n  implicit none\n  integer :: i\n  i = {}\nend program\n"


def kill_workers(server: int) -> int:
    victims = [pid for pid in processes(server) if pid != server]
    for pid in victims:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return len(victims)


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
        all_of_it = processes(first.process.pid)
        for pid in all_of_it:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        first.process.wait()
        assert len(list(temporary.iterdir())) > 1, "a killed server leaves folders"
        end = time.monotonic() + 30
        while any(Path(f"/proc/{pid}").exists() for pid in all_of_it) and time.monotonic() < end:
            time.sleep(0.05)
        assert started().stop() == 0
        while len(left := [entry.name for entry in temporary.iterdir()]) > 1 and time.monotonic() < end:
            time.sleep(0.05)
        assert left == ["cufc-of-somebody"], left


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


def main() -> int:
    leftovers()
    left_modules_go()
    index_goes_on()
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
