#!/usr/bin/env python3
"""Refactorings as a client of the server gets them: what is offered where, actions of one list applied one after the
other, results that would not compile, several files, a file that gets another name.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
FOLDER = Path.cwd()
LATER = {"textDocument": {"codeAction": {"dataSupport": True, "resolveSupport": {"properties": ["edit"]},
                                         "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}},
         "workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["rename"]}}}
AT_ONCE = {"textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}}
LOOPS = """program loops
  implicit none
  integer, parameter :: n = 4
  real :: a(n), b(n)
  integer :: i
  do i = 1, n
    a(i) = i
    b(i) = 2.0 * a(i)
  end do
  do i = 2, n
    a(i) = a(i - 1)
  end do
  print *, a, b
end program loops
"""
CALLED = """subroutine called(x)
  implicit none
  real, intent(inout) :: x
  x = x + 1.0
end subroutine called
"""
CALLER = """program caller
  implicit none
  real :: v({0})
  v = 1.0
  call called(v{1})
  print *, v
end program caller
"""
FIXED = """      program fixed
      integer i
      do 10 i = 1, 3
        print *, i,
     &    i + 1
   10 continue
      end
"""


USES = """program uses
  use away, only: wp, field, smooth
  implicit none
  type(field) :: f
  real(wp) :: x(3)
  f%name = 'density'
  x = 1.0_wp
  call smooth(f, x, passes=2)
  print *, x, f%name
end program uses
"""
SECOND = """subroutine second()
  use away, only: area => area_of, wp
  implicit none
  real(wp) :: y
  y = area(2.0_wp)
end subroutine second
"""


class Session:
    def __init__(self, folder: Path, capabilities: dict):
        self.folder = folder
        self.client = Client([str(CUFLS)], cwd=folder, env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache")})
        self.client.initialize(folder, capabilities)

    def open(self, name: str) -> str:
        path = self.folder / name
        self.client.open(path, path.read_text())
        self.client.request("textDocument/hover", {"textDocument": {"uri": path.as_uri()}, "position": {"line": 0, "character": 0}})
        return path.as_uri()

    def actions(self, uri: str, line: int, last: "int | None" = None, only=("refactor",)) -> "dict[str, dict]":
        place = {"start": {"line": line, "character": 0}, "end": {"line": line if last is None else last, "character": 0}}
        found = self.client.request("textDocument/codeAction", {"textDocument": {"uri": uri}, "range": place,
                                                                "context": {"diagnostics": [], "only": list(only)}})
        return {action["title"]: action for action in found}

    def resolve(self, action: dict) -> dict:
        return self.client.wait(self.client.send_request("codeAction/resolve", action))

    def stop(self) -> None:
        assert self.client.stop() == 0


def applied(text: str, edits: "list[dict]") -> str:
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]

    def offset(place: dict) -> int:
        return min(starts[min(place["line"], len(lines))] + place["character"], len(text))

    for edit in sorted(edits, key=lambda one: offset(one["range"]["start"]), reverse=True):
        text = text[:offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]):]
    return text


def folder(name: str, files: "dict[str, str]") -> Path:
    path = FOLDER / name
    path.mkdir(parents=True, exist_ok=True)
    (path / "cufls.json").write_text('{"targets": {"app": {"sources": ["*.f*"]}}}\n')
    for file, text in files.items():
        (path / file).write_text(text)
    return path


def edits_of(result: dict) -> "dict[str, list]":
    return {change["textDocument"]["uri"]: change["edits"] for change in result["edit"]["documentChanges"] if "edits" in change}


def loops_one_after_the_other() -> None:
    session = Session(folder("loops", {"loops.f90": LOOPS}), LATER)
    uri = session.open("loops.f90")
    offered = session.actions(uri, 5)
    assert "turn into DO CONCURRENT" in offered, offered.keys()
    assert not any("kernel" in title or "CUF" in title for title in offered), "CUDA is off in this file"
    assert "turn into DO CONCURRENT" not in session.actions(uri, 9), "a recurrence"
    split = session.resolve(offered["split the loop into 2"])["result"]
    text = applied(LOOPS, edits_of(split)[uri])
    assert text.count("do i = 1, n") == 2, text
    session.client.change(session.folder / "loops.f90", 2, [{"text": "! above\n" + text}])
    second = session.resolve(offered["turn into DO CONCURRENT"])
    assert "result" in second, second
    text = applied("! above\n" + text, edits_of(second["result"])[uri])
    assert text.count("do concurrent (i = 1:n)") == 1, text
    session.client.change(session.folder / "loops.f90", 3, [{"text": text.replace("do concurrent (i = 1:n)", "do i = n, 1")}])
    gone = session.resolve({**offered["turn into DO CONCURRENT"], "data": {**offered["turn into DO CONCURRENT"]["data"],
                                                                          "line": "no such line"}})
    assert "not possible here any more" in gone["error"]["message"], gone
    session.stop()


def results_that_would_not_compile() -> None:
    files = {"called.f90": CALLED, "caller.f90": CALLER.format(3, "")}
    session = Session(folder("refused", files), LATER)
    session.open("caller.f90")
    uri = session.open("called.f90")
    title = "move 'called' into module called_module"
    answer = session.resolve(session.actions(uri, 0)[title])
    assert "would not compile: caller.f90:" in answer["error"]["message"], answer
    session.stop()
    session = Session(folder("at_once", files), AT_ONCE)
    session.open("caller.f90")
    uri = session.open("called.f90")
    assert title not in session.actions(uri, 0)
    session.stop()
    session = Session(folder("moved", {"called.f90": CALLED, "caller.f90": CALLER.format(3, "(2)")}), LATER)
    caller = session.open("caller.f90")
    uri = session.open("called.f90")
    answer = session.resolve(session.actions(uri, 0)[title])
    changed = edits_of(answer["result"])
    assert "use called_module" in applied(CALLER, changed[caller]), changed
    assert applied(CALLED, changed[uri]).startswith("module called_module\ncontains\nsubroutine"), changed
    session.stop()


def a_file_gets_another_name() -> None:
    session = Session(folder("fixed", {"fixed.f": FIXED}), LATER)
    uri = session.open("fixed.f")
    answer = session.resolve(session.actions(uri, 0)["turn the file into free form"])
    changes = answer["result"]["edit"]["documentChanges"]
    assert [change["newUri"] for change in changes if change.get("kind") == "rename"] == [uri + "90"], changes
    assert "print *, i, &\n" in applied(FIXED, edits_of(answer["result"])[uri])
    session.stop()


def a_module_that_is_not_there() -> None:
    session = Session(folder("stub", {"uses.f90": USES, "second.f90": SECOND}), LATER)
    session.open("second.f90")
    uri = session.open("uses.f90")
    offered = session.actions(uri, 1)
    assert not any("stub" in title for title in session.actions(uri, 2)), "no module is used there"
    answer = session.resolve(offered["write a stub of module 'away'"])
    text = applied(USES, edits_of(answer["result"])[uri])
    assert text.startswith("! A stub") and text.endswith(USES), text
    for line in ("integer, parameter :: wp = kind(1.0d0)", "type :: field", "character(len=:), allocatable :: name",
                 "function area_of(arg1)", "real(wp) :: stub_result", "subroutine smooth(arg1, arg2, passes)"):
        assert line in text, f"{line}: {text}"
    session.client.change(session.folder / "uses.f90", 2, [{"text": text}])
    report = session.client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert not [item for item in report["items"] if item["severity"] == 1], report
    assert "write a stub of module 'away'" not in session.actions(uri, text.count("\n") - USES.count("\n") + 1)
    session.stop()


for step in (a_module_that_is_not_there, loops_one_after_the_other, results_that_would_not_compile, a_file_gets_another_name):
    step()
print("PASS")
