#!/usr/bin/env python3
"""What one file costs in a folder of 28,000 sources (many_sources.py): `cufls check` of a file that needs nothing of it,
and of one whose modules have to be looked for in it, with nothing kept and again; then the language server, from its start
to the diagnostics of the open file and to the end of its look through the folder, while somebody types.

Usage: many_files.py CUFLS [--count N]; prints seconds.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import many_sources  # noqa: E402
from harness.lsp_client import Client, memory  # noqa: E402

FAR = "program far\n  use solver\n  implicit none\n  real, device :: a(n)\n  call step<<<1, n>>>(a)\nend program\n"


def row(what: str, value: str) -> None:
    print(f"{what:66} {value}", flush=True)


def check(cufls: str, file: Path, environment: dict, what: str) -> None:
    begin = time.perf_counter()
    done = subprocess.run([cufls, "check", file], env=environment, capture_output=True, text=True, check=False)
    row(what, f"{time.perf_counter() - begin:8.2f} s, status {done.returncode}")


def serve(cufls: str, root: Path, environment: dict, what: str) -> None:
    begin = time.perf_counter()
    client = Client([cufls], env=environment)
    client.initialize(root, options={"index": {"time": 1}})
    file = root / "one.cuf"
    client.open(file)
    client.request("textDocument/diagnostic", {"textDocument": {"uri": file.as_uri()}})
    row(f"{what}: diagnostics of the open file", f"{time.perf_counter() - begin:8.2f} s")
    slowest = 0.0
    for version in range(2, 12):
        client.change(file, version, [{"text": file.read_text() + "!" * version + "\n"}])
        asked = time.perf_counter()
        client.request("textDocument/documentSymbol", {"textDocument": {"uri": file.as_uri()}})
        slowest = max(slowest, time.perf_counter() - asked)
        time.sleep(0.1)
    row(f"{what}: slowest answer while typing", f"{slowest * 1000:8.1f} ms")
    idle = client.wait_notification("cufls/status", lambda status: status["state"] == "idle" and status["sources"] > 10, 600)
    row(f"{what}: folder looked through, index at its limit of 1 s", f"{idle['received'] - begin:8.2f} s")
    row(f"{what}: memory", f"{memory(client.process.pid):8.0f} MB")
    client.request("shutdown")
    client.notify("exit")
    client.process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cufls")
    parser.add_argument("--count", type=int, default=many_sources.COUNT)
    arguments = parser.parse_args()
    cufls = str(Path(arguments.cufls).resolve())
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "sources"
        many_sources.generate(root, arguments.count)
        (root / "far.cuf").write_text(FAR)
        environment = {**os.environ, "XDG_CACHE_HOME": str(Path(folder) / "cache")}
        check(cufls, root / "one.cuf", environment, "check of a file that needs none")
        check(cufls, root / "far.cuf", environment, "check of one whose modules lie below, nothing kept")
        (root / "far.cuf").write_text(FAR.replace("far", "farther"))
        check(cufls, root / "far.cuf", environment, "again, the file changed")
        environment["XDG_CACHE_HOME"] = str(Path(folder) / "cache of the server")
        serve(cufls, root, environment, "server, nothing kept")
        serve(cufls, root, environment, "server, again")


if __name__ == "__main__":
    main()
