#!/usr/bin/env python3
"""What an editor gets for names of a module that gfortran compiled and whose source is not there: hover, definition,
completion, signature help, the refusal to rename. The module is one of tests/foreign/editor_library.f90; then it changes,
its folder goes, and a module of cufc stands in its place.

Usage: editor.py      CUFC in the environment is the compiler
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from harness.lsp_client import Client  # noqa: E402

CUFC = Path(os.environ["CUFC"])
CUFLS = CUFC.with_name("cufls")
SKIPPED = 77
SECONDS = 60
LAST = 13  # the line that is typed over

MAIN = """program main
  use lib
  implicit none
  type(point) :: p
  type(point3) :: q
  real :: a(10)
  integer :: s
  p%x = 1
  q%z = 2
  s = add(1, most)
  call fill(a, 1.0, s)
  print *, p%norm(), pi, counter
  call p%scale(2.0)
end program
"""

# line, word, what hover says, the line of the definition as it begins
NAMES = [
    (2, "lib", "module lib", "module lib"),
    (4, "point", "type :: point\n", "type :: point"),
    (5, "point3", "type, extends(point) :: point3", "type, extends(point) :: point3"),
    (8, "x", "real(4) :: x", "real(4) :: x"),
    (9, "z", "in type point3 of module lib", "real(4) :: z"),
    (10, "add", "integer(4) function add_int(a, b)", "function add_int(a, b)"),
    (10, "most", "integer(4), parameter :: most = 10", "integer(4), parameter :: most"),
    (11, "fill", "real(4), intent(out) :: array(:)", "subroutine fill(array, value, status)"),
    (12, "norm", "in type point of module lib", "procedure :: norm"),
    (12, "pi", "real(8), parameter :: pi", "real(8), parameter :: pi = 3.14_8"),
    (12, "counter", "integer(4) :: counter", "integer(4) :: counter"),
    (13, "scale", "scale_by", "procedure, private :: scale_by"),
]
# what is typed, and names of which all must be offered
COMPLETIONS = [
    ("  p%", {"x", "y", "norm", "scale"}), ("  q%", {"x", "y", "z", "norm"}), ("  call fi", {"fill"}), ("  s = mo", {"most"}),
    ("  type(poi", {"point", "point3"}), ("  s = add", {"add", "add_int", "add_real"}),
]
# what is typed, and the beginnings of the signatures
SIGNATURES = [
    ("  call fill(", ["fill(array, value, [status])"]), ("  s = add(", ["add(a, b)", "add(a, [b])"]),
    ("  call p%scale(", ["scale(f)"]), ("  p = point(", ["point(x, y)"]), ("  print *, q%norm(", ["norm()"]),
]


class Editor:
    def __init__(self, root: Path, env: dict):
        self.client = Client([str(CUFLS), "--stdio"], env=env)
        self.client.initialize(root / "project")
        self.path, self.lines, self.version = root / "project/main.f90", MAIN.splitlines(), 1
        self.client.open(self.path)
        self.settle()

    def settle(self) -> None:
        """Until the newest text is analysed and the interfaces of the modules that it uses have come."""
        self.client.request("textDocument/diagnostic", self.document())
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and (self.definition(2, "lib") or "use").startswith("use"):  # where it stands, until it is known
            time.sleep(0.05)

    def document(self) -> dict:
        return {"textDocument": {"uri": self.path.as_uri()}}

    def ask(self, method: str, line: int, word: str, **more):
        column = self.lines[line - 1].index(word) + (1 if len(word) > 1 else 0)
        return self.client.request(f"textDocument/{method}",
                                   {**self.document(), "position": {"line": line - 1, "character": column}, **more})

    def type(self, text: str, method: str):
        self.version += 1
        self.lines = [*MAIN.splitlines()[:LAST - 1], text, "end program"]
        self.client.change(self.path, self.version, [{"text": "\n".join(self.lines) + "\n"}])
        self.client.request("textDocument/diagnostic", self.document())
        return self.client.request(f"textDocument/{method}",
                                   {**self.document(), "position": {"line": LAST - 1, "character": len(text)}})

    def definition(self, line: int, word: str) -> "str | None":
        """The text at the definition, without what stands before it in its line."""
        places = self.ask("definition", line, word)
        if not places:
            return None
        shown = Path(places[0]["uri"].removeprefix("file://")).read_text().splitlines()
        return shown[places[0]["range"]["start"]["line"]].strip()


def errors(editor: Editor) -> "list[str]":
    report = editor.client.request("textDocument/diagnostic", editor.document())
    return [d["message"] for d in report["items"] if d["severity"] == 1]


def names(editor: Editor) -> "list[str]":
    problems = [f"error in main.f90: {message}" for message in errors(editor)]
    for line, word, said, declared in NAMES:
        hover = editor.ask("hover", line, word)
        text = hover["contents"]["value"] if hover else ""
        if said not in text:
            problems.append(f"hover over {word}: {text}")
        found = editor.definition(line, word)
        if not found or not found.startswith(declared):
            problems.append(f"definition of {word}: {found}")
    answer = editor.client.wait(editor.client.send_request(
        "textDocument/rename", {**editor.document(), "position": {"line": 10, "character": 9}, "newName": "other"}))
    if "without a source" not in str(answer.get("error")):
        problems.append(f"rename of a name of the library: {answer}")
    symbols = editor.client.request("workspace/symbol", {"query": "fill"})
    if symbols:
        problems.append(f"the project's symbols have those of the library: {symbols}")
    return problems


def typing(editor: Editor) -> "list[str]":
    problems = []
    for text, wanted in COMPLETIONS:
        answer = editor.type(text, "completion")
        offered = {item["label"] for item in (answer["items"] if isinstance(answer, dict) else answer)}
        if not wanted <= offered:
            problems.append(f"completion of '{text}' lacks {wanted - offered}: {sorted(offered)[:10]}")
        if "scale_by" in offered:
            problems.append(f"completion of '{text}' offers a private binding")
    for text, wanted in SIGNATURES:
        answer = editor.type(text, "signatureHelp")
        labels = [signature["label"] for signature in answer["signatures"]] if answer else []
        if sorted(label.split(" ->")[0] for label in labels) != sorted(wanted):
            problems.append(f"signatures at '{text}': {labels}")
    editor.type("  call p%scale(2.0)", "completion")
    return problems


def changes(editor: Editor, root: Path, env: dict) -> "list[str]":
    """The open file follows another version of the library, and one of cufc."""
    problems = []
    text = (HERE / "editor_library.f90").read_text()
    for name, compiler in (("more_of_gfortran", "gfortran"), ("more_of_cufc", str(CUFC))):
        (root / "lib.f90").write_text(text.replace("counter = 0", f"counter = 0, {name} = 1"))
        subprocess.run([compiler, "-c", "lib.f90"], cwd=root, env=env, check=True, capture_output=True)
        os.replace(root / "lib.mod", root / "mod/lib.mod")
        end, found = time.monotonic() + SECONDS, None
        while time.monotonic() < end and name not in str(found):
            answer = editor.type("  s = mor", "completion")
            found = {item["label"] for item in (answer["items"] if isinstance(answer, dict) else answer)}
        if name not in str(found):
            problems.append(f"{compiler} compiled the library again: {found}")
    editor.type("  call p%scale(2.0)", "completion")
    shutil.rmtree(root / "mod")
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and not errors(editor):
        time.sleep(0.1)
    if not any("'lib' is not there" in message for message in errors(editor)):
        problems.append(f"the library is gone: {errors(editor)}")
    return problems


def main() -> int:
    if not shutil.which("gfortran"):
        print("gfortran is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        env = {**os.environ, "XDG_CACHE_HOME": str(root / "cache")}
        for folder in ("project", "mod"):
            (root / folder).mkdir()
        subprocess.run(["gfortran", "-c", HERE / "editor_library.f90"], cwd=root, check=True)
        os.replace(root / "lib.mod", root / "mod/lib.mod")
        (root / "project/main.f90").write_text(MAIN)
        (root / "project/cufls.json").write_text('{"targets": {"app": {"sources": ["*.f90"]}}, "include": ["../mod"]}\n')
        editor = Editor(root, env)
        problems = names(editor) + typing(editor) + changes(editor, root, env)
        status = editor.client.stop()
        if status != 0:
            problems.append(f"the server ended with status {status}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
