#!/usr/bin/env python3
"""The language server on projects as they lie on a disk: one row for each folder that is given.

Columns: Fortran sources and their thousands of lines; files that were given up (dark: CUF0150) and errors that
`cufls check` finds, with nothing kept; seconds from the server's start to the diagnostics of the open file (the one with the
most USE statements) and to the end of the index, cold and again; milliseconds to the diagnostics at the next start alone;
resident megabytes when the index is there.

Usage: projects.py CUFLS FOLDER... [--limit SECONDS] [--no-check]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client, memory  # noqa: E402

SUFFIXES = {".f90", ".cuf", ".f", ".f03", ".f08", ".for"}
DARK = "CUF0150"
HEAD = ("project", "files", "klines", "dark", "errors", "cold s", "index s", "again ms", "index s", "MB")


def sources(folder: Path) -> "list[Path]":
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())


def most_uses(files: "list[Path]") -> Path:
    def uses(file: Path) -> int:
        return len(re.findall(r"^\s*use\b", file.read_text(errors="replace"), re.M | re.I))

    return max(files, key=lambda file: (uses(file), str(file)))


def checked(cufls: str, folder: Path, cache: Path, limit: float) -> "tuple[str, str]":
    """Files that are dark, and errors."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    try:
        done = subprocess.run([cufls, "check", "--format=json", str(folder)], env=environment, capture_output=True, text=True,
                              check=False, timeout=limit)
        found = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        return "?", "?"
    found = found["diagnostics"] if isinstance(found, dict) else found
    dark = {item["file"] for item in found if item.get("code") == DARK}
    return str(len(dark)), str(sum(item.get("severity") == "error" for item in found))


def served(cufls: str, folder: Path, file: Path, cache: Path, limit: float) -> "tuple[float, float, float]":
    """Seconds to diagnostics, seconds to the end of the index, megabytes."""
    begin = time.perf_counter()
    client = Client([cufls], env={**os.environ, "XDG_CACHE_HOME": str(cache)})
    client.initialize(folder, options={"index": {"time": limit}})
    client.open(file, file.read_text(errors="replace"))
    client.request("textDocument/diagnostic", {"textDocument": {"uri": file.as_uri()}}, seconds=limit)
    first = time.perf_counter() - begin
    try:
        idle = client.wait_notification("cufls/status", lambda status: status["state"] == "idle", limit)["received"] - begin
    except TimeoutError:
        idle = float("nan")
    used = memory(client.process.pid)
    client.request("shutdown")
    client.notify("exit")
    client.process.wait()
    return first, idle, used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cufls")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--limit", type=float, default=600)
    parser.add_argument("--no-check", action="store_true")
    arguments = parser.parse_args()
    cufls = str(Path(arguments.cufls).resolve())
    print("".join(f"{name:>9}" if column else f"{name:26}" for column, name in enumerate(HEAD)))
    for folder in (path.resolve() for path in arguments.folders):
        files = sources(folder)
        if not files:
            continue
        lines = sum(file.read_bytes().count(b"\n") for file in files)
        with tempfile.TemporaryDirectory() as name:
            dark, errors = ("-", "-")
            if not arguments.no_check:
                dark, errors = checked(cufls, folder, Path(name) / "check", arguments.limit)
            cache = Path(name) / "server"
            cold, index, used = served(cufls, folder, most_uses(files), cache, arguments.limit)
            again, warm, _ = served(cufls, folder, most_uses(files), cache, arguments.limit)
        values = (len(files), f"{lines / 1000:.1f}", dark, errors, f"{cold:.2f}", f"{index:.1f}", f"{again * 1000:.0f}", f"{warm:.1f}",
                  f"{used:.0f}")
        print(f"{folder.name:26}" + "".join(f"{value:>9}" for value in values), flush=True)


if __name__ == "__main__":
    main()
