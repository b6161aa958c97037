#!/usr/bin/env python3
"""The language server in a workspace of 300 modules (large_sources.py): the first start, with nothing in the cache, and
the next, which finds everything there. A file that needs 130 others is opened each time.

In the same run fortls, where it is installed (Debian: fortran-language-server), which reads all files before it answers.

Usage: workspace.py CUFLS [--only cufls|fortls]; prints seconds from the start of the process and resident megabytes.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import large_sources  # noqa: E402
from harness.lsp_client import Client, memory  # noqa: E402

CAPABILITIES = {"window": {"workDoneProgress": True}, "textDocument": {"publishDiagnostics": {"versionSupport": True}}}
LONGEST = 1800  # seconds


def deepest(sources: Path) -> Path:
    """The module that needs most others."""
    uses = {file.stem: re.findall(r"^  use (unit_\d+)", file.read_text(), re.M) for file in sources.glob("unit_*.cuf")}
    needed: "dict[str, set]" = {}

    def needs(name: str) -> set:
        if name not in needed:
            needed[name] = set(uses[name]).union(*map(needs, uses[name]))
        return needed[name]

    return sources / (max(sorted(uses), key=lambda name: len(needs(name))) + ".cuf")


def row(name: str, what: str, value: str) -> None:
    print(f"{name:20} {what:42} {value}", flush=True)


def measure_cufls(name: str, cufls: str, project: Path, file: Path, cache: Path) -> None:
    begin = time.perf_counter()
    client = Client([cufls], env={**os.environ, "XDG_CACHE_HOME": str(cache)})
    client.initialize(project, CAPABILITIES)
    client.open(file, file.read_text())
    first = client.wait_notification("textDocument/publishDiagnostics", lambda p: p["uri"] == file.as_uri(), LONGEST)
    row(name, "start to diagnostics of the open file", f"{first['received'] - begin:8.2f} s")
    end = client.wait_notification("$/progress", lambda p: p["value"]["kind"] == "end" and "index" in str(p["token"]), LONGEST)
    row(name, "start to the end of the index", f"{end['received'] - begin:8.2f} s")
    asked = time.perf_counter()
    found = client.wait(client.send_request("workspace/symbol", {"query": "unit_001_result"}))
    row(name, "workspace/symbol", f"{(found['received'] - asked) * 1000:8.1f} ms, {len(found['result'])} found")
    asked = time.perf_counter()
    line = next(i for i, text in enumerate(file.read_text().splitlines()) if re.match(r"  use unit_", text))
    where = {"textDocument": {"uri": file.as_uri()}, "position": {"line": line, "character": 8}}
    found = client.wait(client.send_request("textDocument/references", {**where, "context": {"includeDeclaration": True}}))
    row(name, "references of a module", f"{(found['received'] - asked) * 1000:8.1f} ms, {len(found['result'])} found")
    time.sleep(2)
    row(name, "memory", f"{memory(client.process.pid):8.0f} MB")
    client.request("shutdown")
    client.notify("exit")
    client.process.wait()


def measure_fortls(fortls: str, project: Path, file: Path) -> None:
    begin = time.perf_counter()
    client = Client([fortls, "--incl_suffixes", ".cuf", "--nthreads", str(os.cpu_count())], cwd=project)
    client.initialize(project, {})
    client.open(file, file.read_text())
    found = client.wait(client.send_request("textDocument/documentSymbol", {"textDocument": {"uri": file.as_uri()}}))
    row("fortls", "start to the symbols of the open file", f"{found['received'] - begin:8.2f} s")
    row("fortls", "memory", f"{memory(client.process.pid):8.0f} MB")
    client.process.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cufls")
    parser.add_argument("--only", default="", help="cufls or fortls")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        large_sources.project(project, random.Random(2))
        file = deepest(project / "src")
        if arguments.only in ("", "cufls"):
            for start in ("cufls, first start", "cufls, next start"):
                measure_cufls(start, str(Path(arguments.cufls).resolve()), project, file, Path(folder) / "cache")
        fortls = shutil.which("fortls")
        if fortls and arguments.only in ("", "fortls"):
            measure_fortls(fortls, project, file)


if __name__ == "__main__":
    main()
