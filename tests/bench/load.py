#!/usr/bin/env python3
"""The server under load: many clients on one TCP server, a long file, many diagnostics, and edits without end. Prints a table of seconds and
megabytes. many_files.py and workspace.py measure workspaces of many files.

Usage: load.py [clients|lines|diagnostics|edits=NUMBER]...   such as load.py clients=50 lines=100000 diagnostics=10000 edits=30000 (the defaults)
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client, memory, processes  # noqa: E402

CUFLS = Path(os.environ.get("CUFC", "build/bin/cufc")).resolve().with_name("cufls")
TEXT = "module m{0}\ncontains\n  attributes(global) subroutine k(a)\n    real :: a(*)\n    a(threadIdx%x) = {0}\n  end subroutine\nend module\n"


def row(what: str, seconds: float, megabytes: float, more: str = "") -> None:
    print(f"| {what} | {seconds:.2f} s | {megabytes:.0f} MB |{' ' + more if more else ''}", flush=True)


def asked(client: Client, path: Path) -> list:
    return client.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}}, 300)["items"]


def started(folder: Path) -> Client:
    client = Client([str(CUFLS), f"--log-file={folder}/log"])
    client.initialize(folder)
    return client


def clients(folder: Path, count: int) -> None:
    """Each opens a file of its own, has it checked, and edits it."""
    import socket
    token = folder / "token"
    server = subprocess.Popen([str(CUFLS), "--listen=127.0.0.1:0", f"--token-file={token}"], stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline().rsplit(":", 1)[1])
        begin = time.monotonic()
        all_: "list[Client]" = []
        for number in range(count):
            stream = socket.create_connection(("127.0.0.1", port))
            client = Client.__new__(Client)
            client.process = server
            client.start(stream.makefile("wb"), stream.makefile("rb"))
            client.stream = stream
            client.send({"id": "first", "method": "initialize", "params": {
                "capabilities": {}, "processId": None, "rootUri": None,
                "initializationOptions": {"token": token.read_text().strip(), "occupancy": {"enabled": False}}}})
            path = folder / f"m{number}.cuf"
            path.write_text(TEXT.format(number))
            all_.append(client)
        for number, client in enumerate(all_):
            assert "result" in client.wait("first", 300)
            client.notify("initialized", {})
            client.open(folder / f"m{number}.cuf")
        for number, client in enumerate(all_):
            assert asked(client, folder / f"m{number}.cuf") == []
        used = memory(server.pid)
        row(f"{count} clients: connected, a file of each checked", time.monotonic() - begin, used)
        slowest = 0.0
        for number, client in enumerate(all_):
            path = folder / f"m{number}.cuf"
            at = time.monotonic()
            client.change(path, 2, [{"text": TEXT.format(number).replace("real ::", "rial ::")}])
            assert asked(client, path)
            slowest = max(slowest, time.monotonic() - at)
        row(f"{count} clients: slowest edit to its diagnostics, one after another", slowest, memory(server.pid))
        of_server = processes(server.pid)
    finally:
        server.terminate()
        server.wait(20)
    end = time.monotonic() + 20
    while left := [pid for pid in of_server if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < end, f"{len(left)} processes outlive the server"
        time.sleep(0.1)


def lines(folder: Path, count: int) -> None:
    body = "".join(f"  i = i + {n % 10}\n" for n in range(count - 4))
    path = folder / "long.cuf"
    path.write_text(f"program p\n  implicit none\n  integer :: i = 0\n{body}end program\n")
    client = started(folder)
    begin = time.monotonic()
    client.open(path)
    assert not [item for item in asked(client, path) if item["severity"] == 1]
    row(f"a file of {count} lines: opened to its diagnostics", time.monotonic() - begin, memory(client.process.pid))
    begin = time.monotonic()
    client.change(path, 2, [{"range": {"start": {"line": count // 2, "character": 2}, "end": {"line": count // 2, "character": 3}}, "text": "undeclared"}])
    assert [item for item in asked(client, path) if item["severity"] == 1]
    row(f"a file of {count} lines: an edit to its diagnostics", time.monotonic() - begin, memory(client.process.pid))
    assert client.stop() == 0


def diagnostics(folder: Path, count: int) -> None:
    path = folder / "wrong.cuf"
    path.write_text("program p\n  implicit none\n" + "".join(f"  v{n} = {n}\n" for n in range(count)) + "end program\n")
    client = started(folder)
    begin = time.monotonic()
    client.open(path)
    found = len(asked(client, path))
    row(f"a file with {count} mistakes: opened to its diagnostics", time.monotonic() - begin, memory(client.process.pid), f"{found} are shown")
    assert client.stop() == 0


def edits(folder: Path, count: int) -> None:
    """The memory after a tenth of them and after all."""
    path = folder / "edited.cuf"
    path.write_text(TEXT.format(0))
    client = started(folder)
    client.open(path)
    early = 0.0
    begin = time.monotonic()
    for version in range(2, count + 2):
        client.change(path, version, [{"range": {"start": {"line": 4, "character": 21}, "end": {"line": 4, "character": 22}}, "text": str(version % 10)}])
        if version % 20 == 0:
            asked(client, path)
        if version == count // 10:
            early = memory(client.process.pid)
    asked(client, path)
    seconds, late = time.monotonic() - begin, memory(client.process.pid)
    row(f"{count} edits, each twentieth with its diagnostics", seconds, late, f"{early:.0f} MB after a tenth of them")
    assert late < early * 1.25 + 20, f"memory grows: {early:.0f} to {late:.0f} MB"
    assert client.stop() == 0


def main() -> int:
    wanted = {"clients": 50, "lines": 100000, "diagnostics": 10000, "edits": 30000}
    if sys.argv[1:]:
        wanted = {name: int(number) for name, number in (word.split("=") for word in sys.argv[1:])}
    for name, count in wanted.items():
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            globals()[name](Path(folder).resolve(), count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
