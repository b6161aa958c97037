#!/usr/bin/env python3
"""Ends every process of the server but the server itself, again and again while somebody types, also those that were
started a moment ago: afterwards the server says what is wrong with the newest text. Then also the server, whose folders the next
one removes."""

from __future__ import annotations

import os
import signal
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


def main() -> int:
    leftovers()
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
