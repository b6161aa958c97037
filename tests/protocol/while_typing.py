#!/usr/bin/env python3
"""Diagnostics while somebody types: nothing of the statement at the cursor and of blocks that are not finished; mistakes
in finished lines are said, after a pause at the latest; what is missing when the file is saved, then.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
PULLS = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
BEGIN = "program main\nimplicit none\nreal :: height\nif (.true.) then\n"


class Editor:
    def __init__(self, folder: Path, capabilities: dict):
        self.path = folder / "typed.cuf"
        self.path.write_text("")
        self.client = Client([str(CUFLS)])
        self.client.initialize(folder, capabilities)
        self.client.open(self.path, "")
        self.version, self.line, self.column = 1, 0, 0

    def type(self, text: str) -> None:
        for character in text:
            self.version += 1
            where = {"line": self.line, "character": self.column}
            self.client.change(self.path, self.version, [{"range": {"start": where, "end": where}, "text": character}])
            self.line, self.column = (self.line + 1, 0) if character == "\n" else (self.line, self.column + 1)

    def errors(self) -> "list[int]":
        """The lines of the errors that are said of the newest text."""
        report = self.client.request("textDocument/diagnostic", {"textDocument": {"uri": self.path.as_uri()}})
        return sorted(d["range"]["start"]["line"] for d in report["items"] if d["severity"] == 1)

    def until(self, wanted: "list[int]") -> None:
        """Asks whenever the server says that there may be more."""
        while self.errors() != wanted:
            while not any(r["method"] == "workspace/diagnostic/refresh" for r in self.client.requests):
                assert self.client.step(60), f"{wanted} is never said, but {self.errors()}"
            self.client.requests.clear()


def asked(folder: Path) -> None:
    editor = Editor(folder, PULLS)
    editor.type(BEGIN + "heig")
    # A slow machine may make a pause of this: then the word is said, but no missing END.
    assert set(editor.errors()) <= {4}, editor.errors()
    editor.type("ht = 1.0\n")
    assert editor.errors() == [], editor.errors()
    editor.type("hight = 2.0\nheight = 3.0\n")
    editor.until([5])
    editor.client.notify("textDocument/didSave", {"textDocument": {"uri": editor.path.as_uri()}})
    said = editor.errors()
    assert 5 in said and len(said) > 1, said
    editor.type("end if\nend program main\n")
    assert editor.errors() == [5], editor.errors()
    editor.client.stop()


def sent(folder: Path) -> None:
    """Clients that do not ask are sent what was kept back."""
    editor = Editor(folder, {})
    editor.type("program main\nimplicit none\nhight = 2.0\nend program main\n")
    editor.client.wait_notification("textDocument/publishDiagnostics", lambda p: any(
        d["range"]["start"]["line"] == 2 and p.get("version") == editor.version for d in p["diagnostics"]))
    editor.client.stop()


def replaced(folder: Path) -> None:
    """What is no typing is said at once: a text that was pasted."""
    editor = Editor(folder, PULLS)
    editor.client.change(editor.path, 2, [{"text": BEGIN + "hight = 2.0\n"}])
    assert 4 in editor.errors()
    editor.client.stop()


def beside_device_names(folder: Path) -> None:
    """An edit of one procedure leaves the dummies of the others, also those with names of device code."""
    editor = Editor(folder, PULLS)
    lines = ["module m", "contains", "  attributes(device) subroutine twice(t, clock)", "    integer :: t, clock", "    t = 2*clock",
             "  end subroutine", "  attributes(global) subroutine kernel(a)", "    integer :: a(*), i", "    call twice(i, threadidx%x)",
             "    a(1) = i", "  end subroutine", "end module", ""]
    editor.client.change(editor.path, 2, [{"text": "\n".join(lines)}])
    assert editor.errors() == [], editor.errors()
    lines[9] = "    a(2) = i"
    editor.client.change(editor.path, 3, [{"text": "\n".join(lines)}])
    assert editor.errors() == [], editor.errors()
    editor.client.stop()


def main() -> int:
    for part in (asked, sent, replaced, beside_device_names):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            os.environ["XDG_CACHE_HOME"] = folder + "/cache"
            (Path(folder) / "project").mkdir()
            part(Path(folder) / "project")
    print("PASS")
    return 0


if __name__ == "__main__":
    sys.exit(main())
