#!/usr/bin/env python3
"""Files that lack flags which a makefile knows: the server says so once, asks make when the user agrees, and follows the makefile.

In a workspace that is not trusted make never runs. Whether it has run shows in a file that the makefile touches.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
SECONDS = 120
SOURCE = "module m\n  implicit none\n#ifdef WITH_N\n  integer, parameter :: n = 4\n#endif\n  integer :: a(n)\nend module\n"


class Answering(Client):
    """Answers questions to the user with `choice`."""
    choice: "str | None" = None

    def send(self, message: dict) -> None:
        asked = next((r for r in self.requests if r["id"] == message.get("id")), None) if "result" in message else None
        if asked and asked["method"] == "window/showMessageRequest":
            titles = [action["title"] for action in asked["params"]["actions"]]
            message = {**message, "result": {"title": self.choice} if self.choice in titles else None}
        super().send(message)

    def questions(self) -> "list[dict]":
        return [r["params"] for r in self.requests if r["method"] == "window/showMessageRequest"]

    def until(self, what, text: str) -> None:
        end = time.monotonic() + SECONDS
        while not what():
            if not self.step(end - time.monotonic()) and time.monotonic() > end:
                raise TimeoutError(text)


def begin(root: Path, env: dict, trusted: bool, choice: "str | None") -> Answering:
    client = Answering([str(CUFLS)], env=env)
    client.choice = choice
    client.initialize(root, {}, {"trusted": trusted})
    client.open(root / "m.F90")
    return client


def errors(client: Answering, root: Path, wanted: bool) -> None:
    """What was said last of the file."""
    uri = (root / "m.F90").as_uri()

    def holds() -> bool:
        said = [n["params"]["diagnostics"] for n in client.notifications
                if n["method"] == "textDocument/publishDiagnostics" and n["params"]["uri"] == uri]
        return bool(said) and any(d["severity"] == 1 for d in said[-1]) == wanted

    client.until(holds, f"the file should have {'errors' if wanted else 'none'}")


def makefile(root: Path, flags: str) -> None:
    mark = root.parent / "asked"
    (root / "Makefile").write_text(f"X := $(shell echo asked >>{mark})\nm.o: m.F90\n\tftn {flags} -c m.F90\n")


def times_asked(root: Path) -> int:
    mark = root.parent / "asked"
    return len(mark.read_text().splitlines()) if mark.exists() else 0


def stop(client: Answering) -> None:
    if client.stop() != 0:
        raise AssertionError("the server's exit status")


def untrusted(root: Path, env: dict) -> None:
    client = begin(root, env, False, "Ask the Build")
    errors(client, root, True)
    client.until(client.questions, "no notice")
    assert "trusted" in client.questions()[0]["message"], client.questions()
    assert [a["title"] for a in client.questions()[0]["actions"]] == ["Never for This Folder"], client.questions()
    answer = client.wait(client.send_request("workspace/executeCommand", {"command": "cufls.findFlags", "arguments": [root.as_uri()]}))
    assert "not trusted" in answer["error"]["message"], answer
    stop(client)
    assert times_asked(root) == 0, "make was run in a workspace that is not trusted"


def agreed(root: Path, env: dict) -> None:
    client = begin(root, env, True, "Ask the Build")
    errors(client, root, True)
    client.until(client.questions, "no notice")
    errors(client, root, False)
    assert len(client.questions()) == 1, client.questions()
    asked = times_asked(root)
    assert asked > 0
    makefile(root, "-DNOTHING -DMORE")
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": (root / "Makefile").as_uri(), "type": 2}]})
    errors(client, root, True)
    assert times_asked(root) > asked
    stop(client)


def kept(root: Path, env: dict) -> None:
    """Another server knows what make has answered."""
    asked = times_asked(root)
    client = begin(root, env, False, None)
    errors(client, root, True)
    makefile(root, "-DWITH_N")
    client.send({"id": 900, "method": "workspace/executeCommand", "params": {"command": "cufls.findFlags", "arguments": [root.as_uri()]}})
    assert "not trusted" in client.wait(900, SECONDS)["error"]["message"]
    stop(client)
    assert times_asked(root) == asked
    client = begin(root, env, True, None)  # the user has agreed before
    errors(client, root, False)
    assert not client.questions(), client.questions()
    stop(client)


def refused(root: Path, env: dict) -> None:
    (root / "Makefile").write_text("m.o: m.F90\n\tftn -DWITH_N -c m.F90\n")
    client = begin(root, env, True, "Never for This Folder")
    client.until(client.questions, "no notice")
    stop(client)
    client = begin(root, env, True, None)
    errors(client, root, True)
    client.until(lambda: any(n["method"] == "cufls/status" and n["params"]["state"] == "idle" for n in client.notifications), "idle")
    client.request("workspace/symbol", {"query": "m"})
    assert not client.questions(), client.questions()
    stop(client)


def main() -> int:
    failures = 0
    for cases in ([untrusted, agreed, kept], [refused]):
        with tempfile.TemporaryDirectory() as folder:
            top = Path(os.path.realpath(folder))
            root = top / "project"
            root.mkdir()
            env = {**os.environ, "XDG_CACHE_HOME": str(top / "cache")}
            (root / "m.F90").write_text(SOURCE)
            makefile(root, "-DWITH_N")
            for case in cases:
                try:
                    case(root, env)
                except (AssertionError, TimeoutError, RuntimeError) as error:
                    failures += 1
                    print(f"error: {case.__name__}: {error}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
