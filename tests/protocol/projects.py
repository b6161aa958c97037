#!/usr/bin/env python3
"""Folders as they lie on a disk, by conversations with the server: modules of one name in several files, programs that
share a folder, files that become CUDA Fortran, folders without programs, very large folders.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench"))
import many_sources  # noqa: E402
from harness.lsp_client import Client  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
FOLDER = Path.cwd()
MODULE = """module m
  implicit none
  integer, parameter :: extent = {0}
  type :: pair
    real :: left
  end type
contains
  attributes(global) subroutine scale(a, factor)
    real :: a(extent)
    real, value :: factor
    a(threadIdx%x) = factor * a(threadIdx%x)
  end subroutine
end module
"""
PROGRAM = """program {0}
  use m
  implicit none
  real, device :: a(extent)
  type(pair) :: p
  a = 1.0
  p%left = 2.0
  call scale<<<1, extent>>>(a, factor=p%left)
end program
"""

failures: "list[str]" = []


def check(condition: bool, what: str) -> None:
    if not condition:
        failures.append(what)
        print("FAILED:", what, flush=True)


def equal(found: object, wanted: object, what: str) -> None:
    check(found == wanted, f"{what}: {found!r} instead of {wanted!r}")


def wait_until_idle(client: Client, seconds: float) -> "dict":
    """Until the server has said that it does nothing, and says nothing more; its last status."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        quiet = not client.step(1.2)
        found = [n["params"] for n in client.notifications if n["method"] == "cufls/status"]
        if quiet and found and found[-1]["state"] == "idle":
            return found[-1]
    raise TimeoutError("the server does not come to rest")


class Workspace:
    """A folder with a server; files are named relative to it. Without `files` the folder is there already."""

    def __init__(self, name: str, files: "dict[str, str] | None" = None, options: "dict | None" = None):
        self.root = FOLDER / name
        if files is not None:
            shutil.rmtree(self.root, ignore_errors=True)
        for file, text in (files or {}).items():
            self.write(file, text)
        self.client = Client([str(CUFLS)], env={**os.environ, "XDG_CACHE_HOME": str(FOLDER / (name + "_cache"))})
        self.versions: "dict[str, int]" = {}
        self.client.initialize(self.root, options=options)

    def write(self, file: str, text: str) -> None:
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def open(self, *files: str) -> None:
        for file in files:
            self.versions[file] = 1
            self.client.open(self.root / file)

    def change(self, file: str, text: str) -> None:
        self.versions[file] += 1
        self.client.change(self.root / file, self.versions[file], [{"text": text}])

    def codes(self, file: str) -> "list[str]":
        """Codes of errors and warnings with their lines, for the text as it is."""
        report = self.client.request("textDocument/diagnostic", {"textDocument": {"uri": (self.root / file).as_uri()}})
        return sorted(f"{d['range']['start']['line'] + 1} {d['code']}" for d in report["items"] if d["severity"] < 3)

    def at(self, file: str, line: int, word: str, text: "str | None" = None) -> dict:
        lines = (text or (self.root / file).read_text()).splitlines()
        return {"textDocument": {"uri": (self.root / file).as_uri()},
                "position": {"line": line - 1, "character": lines[line - 1].index(word)}}

    def place(self, uri: str, place: dict) -> str:
        return f"{uri[len(self.root.as_uri()) + 1:]}:{place['start']['line'] + 1}"

    def definition(self, *where: object) -> "list[str]":
        found = self.client.request("textDocument/definition", self.at(*where))
        return [self.place(one.get("uri") or one["targetUri"], one.get("range") or one["targetSelectionRange"])
                for one in (found if isinstance(found, list) else [found])]

    def references(self, *where: object) -> "list[str]":
        found = self.client.request("textDocument/references", {**self.at(*where), "context": {"includeDeclaration": True}})
        return sorted(self.place(one["uri"], one["range"]) for one in found)

    def rename(self, *where: object, name: str = "renamed") -> "list[str]":
        answer = self.client.wait(self.client.send_request("textDocument/rename", {**self.at(*where), "newName": name}))
        if "error" in answer:
            return [answer["error"]["message"]]
        return sorted(self.place(uri, edit["range"]) for uri, edits in answer["result"]["changes"].items() for edit in edits)

    def idle(self, seconds: float = 120) -> dict:
        return wait_until_idle(self.client, seconds)

    def close(self) -> None:
        self.client.request("shutdown")
        self.client.notify("exit")
        self.client.process.wait(30)


def modules_of_one_name() -> None:
    work = Workspace("versions", {f"{v}/{name}.cuf": text for v in ("v1", "v2")
                                  for name, text in (("m", MODULE.format(64)), ("main", PROGRAM.format("p" + v)))})
    work.open("v2/main.cuf")
    equal(work.codes("v2/main.cuf"), [], "no errors")
    work.idle()
    for line, word, target in ((2, "m", 1), (4, "extent", 3), (5, "pair", 4), (7, "left", 5), (8, "scale", 8)):
        equal(work.definition("v2/main.cuf", line, word), [f"v2/m.cuf:{target}"], f"definition of {word}")
        for place in work.references("v2/main.cuf", line, word) + work.rename("v2/main.cuf", line, word):
            check(place.startswith("v2/"), f"{word} of v2 also in {place}")
    equal(work.references("v2/main.cuf", 4, "extent"),
          ["v2/m.cuf:3", "v2/m.cuf:9", "v2/main.cuf:4", "v2/main.cuf:8"], "references of a constant")
    equal(work.rename("v2/main.cuf", 8, "factor"),
          ["v2/m.cuf:10", "v2/m.cuf:11", "v2/m.cuf:8", "v2/main.cuf:8"], "rename of a dummy by its keyword")
    work.open("v1/m.cuf")
    equal(work.rename("v1/m.cuf", 5, "left"), ["v1/m.cuf:5", "v1/main.cuf:7", "v1/main.cuf:8"], "from the other side")
    work.open("v1/main.cuf")
    equal(work.rename("v1/main.cuf", 2, "m"), ["v1/m.cuf:1", "v1/main.cuf:2"], "a module")
    work.close()


def programs_of_one_folder() -> None:
    heat = MODULE.format(32) + PROGRAM.format("heat") + "subroutine report(n)\n  integer :: n\nend subroutine\n"
    files = {"heat.f90": heat, "heat_backup.f90": heat, "other.cuf": MODULE.format(8).replace("module m", "module k"),
             "book.cuf": PROGRAM.format("book").replace("use m", "use k")}
    work = Workspace("shared", files)
    work.open("heat.f90")
    equal(work.codes("heat.f90"), [], "no errors")
    work.idle()
    for line, word in ((15, "m"), (4, "pair"), (5, "left"), (8, "scale"), (8, "factor"), (23, "report")):
        for place in work.references("heat.f90", line, word) + work.rename("heat.f90", line, word):
            check(place.startswith("heat.f90:"), f"{word} of heat.f90 also in {place}")
    work.open("book.cuf")
    equal(work.rename("book.cuf", 5, "pair"), ["book.cuf:5", "other.cuf:4"], "a type of another program")
    work.close()


def outside_of_the_build() -> None:
    """Files that compile_commands.json does not name, each a program with a module of the same name; and a text that others include."""
    checks = MODULE.format(16) + PROGRAM.format("test")
    files = {"app.cuf": "program app\nend program\n", "tests/one.cuf": checks, "tests/two.cuf": checks + "! two\n",
             "size.inc": "      integer size\n      parameter (size = 4)\n      common /sizes/ count(size)\n",
             "compile_commands.json": f'[{{"directory": "{FOLDER}/outside", "file": "app.cuf", "command": "cufc -c app.cuf"}}]'}
    work = Workspace("outside", files)
    work.open("app.cuf", "tests/one.cuf", "tests/two.cuf", "size.inc")
    work.idle()
    for file in ("tests/one.cuf", "tests/two.cuf"):
        equal(work.codes(file), [], f"no errors in {file}")
        for line, word in ((4, "pair"), (5, "left"), (8, "scale"), (21, "extent")):
            for place in work.definition(file, line, word) + work.references(file, line, word) + work.rename(file, line, word):
                check(place.startswith(file), f"{word} of {file} also in {place}")
    equal(work.codes("size.inc"), [], "what an include file lacks when it is read alone")
    work.close()


def common_blocks() -> None:
    state = "  common /state/ time, step\n  real :: time, step\n"
    unit = f"subroutine advance\n{state}  save /state/\n  time = time + step\nend subroutine\n"
    files = {"main.cuf": f"program main\n{state}  call advance\n  call report\nend program\n", "advance.f90": unit,
             "report.f90": f"subroutine report\n{state}  print *, time\ncontains\n  subroutine inner\n  end subroutine\n"
                           f"end subroutine\nblock data\n{state}end block data\n",
             "second.cuf": f"program second\n{state}  time = 1.0\nend program\n"}
    work = Workspace("common", files)
    work.open("main.cuf")
    work.idle()
    wanted = ["advance.f90:2", "advance.f90:4", "main.cuf:2", "report.f90:10", "report.f90:2"]
    equal(work.rename("main.cuf", 2, "state"), wanted, "in all units of the program")
    equal(work.references("main.cuf", 2, "state"), wanted, "references")
    work.open("second.cuf")
    equal(work.rename("second.cuf", 2, "state"), ["second.cuf:2"], "another program has its own")
    work.close()


def ambiguous_modules() -> None:
    work = Workspace("ambiguous", {"k.cuf": MODULE.format(1).replace("module m", "module k"),
                                   "k_old.cuf": MODULE.format(2).replace("module m", "module k"),
                                   "main.cuf": PROGRAM.format("main").replace("use m", "use k")})
    work.open("main.cuf")
    equal(work.codes("main.cuf"), ["2 CUF0134"], "the reason and nothing else")
    work.idle()
    equal(work.definition("main.cuf", 4, "extent"), ["k.cuf:3"], "the first is taken")
    work.change("main.cuf", PROGRAM.format("main").replace("use m", "! more\n  use k"))
    equal(work.codes("main.cuf"), ["3 CUF0134"], "it moves with the text")
    (work.root / "k_old.cuf").unlink()
    work.client.notify("workspace/didChangeWatchedFiles",
                       {"changes": [{"uri": (work.root / "k_old.cuf").as_uri(), "type": 3}]})
    work.idle()
    equal(work.codes("main.cuf"), [], "one is gone")
    work.close()


def becomes_cuda() -> None:
    plain = "module kernels\n  implicit none\ncontains\n  subroutine scale(a)\n    real :: a(:)\n    a = 2.0 * a\n" \
            "  end subroutine\nend module\nprogram main\n  use kernels\n  real :: x(10)\n  x = 1.0\n  call scale(x)\n" \
            "end program\n"
    work = Workspace("port", {"main.f90": plain})
    work.open("main.f90")
    equal(work.codes("main.f90"), [], "plain Fortran")
    device = plain.replace("  real :: x(10)", "  real, device :: x(10)")
    work.change("main.f90", device)
    check(not any(code.split()[1] in ("CUF0100", "CUF1109", "CUF1199") for code in work.codes("main.f90")),
          f"a device array: {work.codes('main.f90')}")
    kernel = device.replace("  subroutine scale(a)\n    real :: a(:)\n    a = 2.0 * a",
                            "  attributes(global) subroutine scale(a)\n    real :: a(10)\n    a(threadIdx%x) = 2.0")
    kernel = kernel.replace("call scale(x)", "call scale<<<1, 10>>>(x)")
    work.change("main.f90", kernel)
    equal(work.codes("main.f90"), [], "a kernel")
    work.change("main.f90", plain)
    equal(work.codes("main.f90"), [], "and back")
    work.change("main.f90", kernel)
    (work.root / "main.f90").write_text(kernel)
    work.client.notify("textDocument/didSave", {"textDocument": {"uri": (work.root / "main.f90").as_uri()}})
    equal(work.codes("main.f90"), [], "saved")
    work.close()


def plain_folder() -> None:
    files = {"app/main.cuf": "program main\n  real, device :: x(3)\n  x = 1.0\nend program\n",
             "lib/a.f90": "module a\n  implicit none\n  real :: x\nend module\n",
             "lib/b.f90": "module b\n  use a\n  implicit none\n  real :: y\ncontains\n  subroutine s\n    x = y\n"
                          "  end subroutine\nend module\n"}
    work = Workspace("plain", files)
    work.open("lib/b.f90")
    equal(work.codes("lib/b.f90"), [], "a sibling without CUDA")
    work.idle()
    equal(work.definition("lib/b.f90", 7, "x"), ["lib/a.f90:3"], "definition in the sibling")
    text = files["lib/b.f90"].replace("  use a\n", "  use a\n  use c\n")
    work.write("lib/c.f90", "module c\n  real :: z\nend module\n")
    work.client.notify("workspace/didChangeWatchedFiles",
                       {"changes": [{"uri": (work.root / "lib/c.f90").as_uri(), "type": 1}]})
    work.change("lib/b.f90", text.replace("x = y", "x = z"))
    deadline = time.monotonic() + 60
    while work.codes("lib/b.f90") and time.monotonic() < deadline:
        time.sleep(0.3)
    equal(work.codes("lib/b.f90"), [], "a sibling that was made meanwhile")
    work.close()


def large_folder() -> None:
    shutil.rmtree(FOLDER / "large", ignore_errors=True)
    many_sources.generate(FOLDER / "large", 6000)
    for name, module in (("far", "solver"), ("lost", "nowhere_at_all")):
        (FOLDER / f"large/{name}.cuf").write_text(f"program {name}\n  use {module}\n  implicit none\nend program\n")
    work = Workspace("large", options={"index": {"time": 3}})
    begin = time.monotonic()
    work.open("one.cuf", "app/main.cuf", "far.cuf", "lost.cuf")
    equal(work.codes("one.cuf"), [], "a file alone")
    first = time.monotonic() - begin
    check(first < 20, f"the open file waits {first:.1f} s")
    status = work.idle(300)
    equal(work.codes("app/main.cuf"), [], "a program and its modules")
    equal(work.codes("lost.cuf"), ["2 CUF1103"], "a module that is nowhere")
    told = [d["code"] for n in work.client.notifications if n["method"] == "textDocument/publishDiagnostics"
            and n["params"]["uri"].endswith("/far.cuf") for d in n["params"]["diagnostics"] if d["severity"] == 1]
    equal(told, [], "what was said of a program whose module lies below, while that was looked for")
    equal(work.definition("app/main.cuf", 4, "n)"), ["app/parts/grid.f90:2"], "definition")
    check(status["sources"] > 100, f"the folder was looked through: {status}")
    work.close()


for conversation in (modules_of_one_name, programs_of_one_folder, outside_of_the_build, common_blocks,
                     ambiguous_modules, becomes_cuda, plain_folder, large_folder):
    if len(sys.argv) > 1 and conversation.__name__ not in sys.argv[1:]:
        continue
    try:
        conversation()
    except Exception as error:  # pylint: disable=broad-except
        check(False, f"{conversation.__name__}: {type(error).__name__}: {error}")
sys.exit(1 if failures else 0)
