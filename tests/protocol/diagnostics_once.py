#!/usr/bin/env python3
"""Each diagnostic reaches a client in one way: it asks for those of open files and is sent those of others, or is sent
all of them; and nothing is left of files that cufls.json leaves out.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
WRONG = "subroutine {}(a)\n  implicit none\n  real :: a\n  a = nothing\nend subroutine\n"
PULLS = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}


def started(folder: Path, capabilities: dict) -> Client:
    for name in ("one", "two"):
        (folder / f"{name}.cuf").write_text(WRONG.format(name))
    client = Client([str(CUFLS)])
    client.initialize(folder, capabilities)
    return client


def sent(client: Client, path: Path) -> "list[list]":
    return [n["params"]["diagnostics"] for n in client.notifications
            if n["method"] == "textDocument/publishDiagnostics" and n["params"]["uri"] == path.as_uri()]


def until(client: Client, path: Path, wanted: bool) -> None:
    client.wait_notification("textDocument/publishDiagnostics",
                             lambda p: p["uri"] == path.as_uri() and bool(p["diagnostics"]) == wanted)


def pulled(folder: Path) -> None:
    client = started(folder, PULLS)
    one, two = folder / "one.cuf", folder / "two.cuf"
    assert client.capabilities["diagnosticProvider"] == {
        "identifier": "cufls", "interFileDependencies": True, "workspaceDiagnostics": False}, client.capabilities
    until(client, two, True)
    until(client, one, True)
    client.notifications.clear()
    client.open(one)
    report = client.request("textDocument/diagnostic", {"textDocument": {"uri": one.as_uri()}})
    assert len(report["items"]) == 1, report
    client.change(one, 2, [{"text": WRONG.format("one") + "! more\n"}])
    report = client.request("textDocument/diagnostic", {"textDocument": {"uri": one.as_uri()}})
    assert len(report["items"]) == 1, report
    assert not any(sent(client, one)), "an open file is asked for and not sent"
    assert sent(client, one), "what was sent of it before is taken back"
    client.notify("textDocument/didClose", {"textDocument": {"uri": one.as_uri()}})
    until(client, one, True)
    client.stop()


def pushed(folder: Path) -> None:
    client = started(folder, {"textDocument": {"diagnostic": {}}})
    one = folder / "one.cuf"
    assert "diagnosticProvider" not in client.capabilities, "a client that cannot be told to ask again is sent everything"
    client.open(one)
    assert len(client.diagnostics(one, 1)) == 1
    client.stop()


def excluded(folder: Path) -> None:
    for capabilities in (PULLS, {}):
        client = started(folder, capabilities)
        two = folder / "two.cuf"
        until(client, two, True)
        settings = folder / "cufls.json"
        settings.write_text('{"targets": {"app": {"sources": ["one.cuf"]}}}')
        client.notifications.clear()
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": settings.as_uri(), "type": 1}]})
        until(client, two, False)
        settings.unlink()
        client.stop()


def main() -> int:
    for part in (pulled, pushed, excluded):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["XDG_CACHE_HOME"] = folder + "/cache"
            (Path(folder) / "project").mkdir()
            part(Path(folder) / "project")
    print("PASS")
    return 0


if __name__ == "__main__":
    sys.exit(main())
