#!/usr/bin/env python3
"""`cufls index --scip`: the file is read with the numbers of the schema's fields below, and says of each name what the server answers to
textDocument/references there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
FOLDER = Path.cwd() / "heat flow"

# Fields of https://github.com/sourcegraph/scip/blob/main/scip.proto: number to name and kind, a message's name for messages.
SCHEMA = {
    "Index": {1: ("metadata", "Metadata"), 2: ("documents*", "Document"), 3: ("external_symbols*", "SymbolInformation")},
    "Metadata": {1: ("version", int), 2: ("tool_info", "ToolInfo"), 3: ("project_root", str), 4: ("text_document_encoding", int)},
    "ToolInfo": {1: ("name", str), 2: ("version", str), 3: ("arguments*", str)},
    "Document": {1: ("relative_path", str), 2: ("occurrences*", "Occurrence"), 3: ("symbols*", "SymbolInformation"), 4: ("language", str),
                 5: ("text", str), 6: ("position_encoding", int)},
    "SymbolInformation": {1: ("symbol", str), 3: ("documentation*", str), 4: ("relationships*", "Relationship"), 5: ("kind", int),
                          6: ("display_name", str), 7: ("signature_documentation", "Document"), 8: ("enclosing_symbol", str)},
    "Relationship": {1: ("symbol", str), 2: ("is_reference", int), 3: ("is_implementation", int), 4: ("is_type_definition", int),
                     5: ("is_definition", int)},
    "Occurrence": {1: ("range", "packed"), 2: ("symbol", str), 3: ("symbol_roles", int), 7: ("enclosing_range", "packed")},
}
DEFINITION, IMPORT, WRITE, READ, FORWARD = 1, 2, 4, 8, 64

# The grammar of message Symbol.
NAME = r"(?:[\w+$-]+|`(?:[^`]|``)+`)"
PART = r"(?:[^ ]|  )+"
SYMBOL = re.compile(rf"local [\w+$-]+|{PART} {PART} {PART} {PART} (?:{NAME}[/#.:!]|{NAME}\({NAME}?\)\.|\({NAME}\)|\[{NAME}\])+")

FILES = {
    "shapes.cuf": """!> Shapes of the plane.
module shapes
  implicit none
  integer, parameter :: wp = kind(1.0)
  type :: shape
    real(wp) :: extent = 1.0
  contains
    procedure :: area => shape_area
  end type
  type, extends(shape) :: circle
  contains
    procedure :: area => circle_area
  end type
  interface total
    module procedure total_one, total_all
  end interface
  interface
    module subroutine later(x)
      real(wp), intent(inout) :: x
    end subroutine
  end interface
contains
  real(wp) function shape_area(self)
    class(shape), intent(in) :: self
    shape_area = self%extent
  end function
  real(wp) function circle_area(self)
    class(circle), intent(in) :: self
    circle_area = 3.0 * self%extent
  end function
  !> The area of one.
  real(wp) function total_one(a)
    class(shape), intent(in) :: a
    total_one = a%area()
  end function
  real(wp) function total_all(a)
    type(circle), intent(in) :: a(:)
    integer :: i
    total_all = 0
    do i = 1, size(a)
      total_all = total_all + total_one(a(i))
    end do
  end function
end module
""",
    "later.cuf": """submodule (shapes) bodies
contains
  module subroutine later(x)
    real(wp), intent(inout) :: x
    x = x + 1; call outside(x)
  end subroutine
end submodule
""",
    "outside.f90": "subroutine outside(x)\n  real, intent(inout) :: x\n  common /counts/ calls\n  integer :: calls\n  calls = calls + 1\n  x = x - 1\nend subroutine\n",
    "consts.inc": "integer, parameter :: n = 64\n",
    "main.cuf": """module kernels
  implicit none
  include 'consts.inc'
  real, device :: table(n)
contains
  attributes(global) subroutine scale(a, factor)
    real, device :: a(n)
    real, value :: factor
    integer :: i
    i = threadIdx%x
    if (i <= n) a(i) = factor * a(i) + table(i)
  end subroutine
end module

program heat
  use cudafor
  use shapes, only: circle, total, later, wp
  use kernels
  implicit none
  interface
    subroutine outside(x)
      real, intent(inout) :: x
    end subroutine
  end interface
  common /counts/ calls
  integer :: calls, istat
  type(circle) :: c(2)
  real, device :: a(n)
  real(wp) :: x
  character(9) :: name = 'é😀'; integer :: behind
  behind = 1
  table = 0; a = 1
  call scale<<<1, n>>>(a, factor=2.0)
  istat = cudaDeviceSynchronize()
  x = total(c) + total(c(1)); call later(x); call outside(x)
  print *, x, c(1)%area(), name, behind, calls, istat, sin(x)
end program
""",
    "other/main.cuf": "module shapes\n  integer :: wp\nend module\nprogram heat\n  use shapes\n  wp = 1\n  print *, wp\nend program\n",
    "cufls.json": '{"targets": {"heat": {"sources": ["*.cuf", "*.f90"]}, "other": {"sources": ["other/*.cuf"]}}}',
}


def varint(data: bytes, at: int) -> "tuple[int, int]":
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def decode(data: bytes, kind: str) -> dict:
    """A message as a dictionary; lists for repeated fields. Unknown fields and kinds are errors."""
    fields = SCHEMA[kind]
    result: dict = {name.rstrip("*"): [] for name, _ in fields.values() if name.endswith("*")}
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        name, what = fields[tag >> 3]
        if tag & 7 == 0:
            assert what is int, f"{kind}.{name} is no number"
            value, at = varint(data, at)
        else:
            assert tag & 7 == 2 and what is not int, f"{kind}.{name} has a wrong kind"
            length, at = varint(data, at)
            raw, at = data[at:at + length], at + length
            assert len(raw) == length, f"{kind}.{name} ends early"
            if what is str:
                value = raw.decode()
            elif what == "packed":
                value, place = [], 0
                while place < len(raw):
                    number, place = varint(raw, place)
                    value.append(number)
            else:
                value = decode(raw, what)
        if name.endswith("*"):
            result[name[:-1]].append(value)
        else:
            assert name not in result, f"{kind}.{name} is there twice"
            result[name] = value
    return result


def make(folder: Path) -> None:
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def whole(numbers: "list[int]") -> "tuple[int, int, int, int]":
    assert len(numbers) in (3, 4), numbers
    return tuple(numbers) if len(numbers) == 4 else (numbers[0], numbers[1], numbers[0], numbers[2])


def check_form(index: dict) -> None:
    metadata = index["metadata"]
    assert metadata["project_root"] == "file://" + str(FOLDER).replace(" ", "%20"), metadata
    assert metadata["text_document_encoding"] == 1 and metadata["tool_info"]["name"] == "cufls", metadata
    paths = [d["relative_path"] for d in index["documents"]]
    assert sorted(paths) == sorted(name for name in FILES if name != "cufls.json"), paths
    everywhere = [s["symbol"] for d in index["documents"] for s in d["symbols"] if not s["symbol"].startswith("local ")]
    everywhere += [s["symbol"] for s in index["external_symbols"]]
    assert len(everywhere) == len(set(everywhere)), "a symbol is described once"
    for document in index["documents"]:
        known = set(everywhere) | {s["symbol"] for s in document["symbols"]}
        lines = FILES[document["relative_path"]].encode().split(b"\n")
        for occurrence in document["occurrences"]:
            assert SYMBOL.fullmatch(occurrence["symbol"]), occurrence
            assert occurrence["symbol"] in known, f"{occurrence} is described nowhere"
            line, begin, last, end = whole(occurrence["range"])
            assert line == last and re.fullmatch(rb"[\w.()+=/*]+", lines[line][begin:end]), (document["relative_path"], occurrence)
            if "enclosing_range" in occurrence:
                outer = whole(occurrence["enclosing_range"])
                assert outer[:2] <= (line, begin) and (line, end) <= outer[2:], occurrence
        for symbol in document["symbols"]:
            assert symbol["display_name"] and symbol["kind"] and symbol["signature_documentation"]["text"], symbol
            for related in symbol["relationships"]:
                assert related["symbol"] in known, related


def check_content(index: dict) -> None:
    symbols = {s["symbol"]: s for d in index["documents"] for s in d["symbols"]}
    external = {s["symbol"]: s for s in index["external_symbols"]}
    project = "cufls . heat  flow . "

    def related(symbol: str, how: str) -> "set[str]":
        return {r["symbol"] for r in symbols[project + symbol]["relationships"] if r.get(how)}

    assert symbols[project + "`shapes.cuf`/shapes/"]["documentation"] == ["Shapes of the plane."], [s for s in symbols if "shapes/" in s]
    assert symbols[project + "`other/main.cuf`/shapes/wp."], "modules of one name are two"
    shapes = "`shapes.cuf`/shapes/"
    assert project + shapes + "shape#" in related(shapes + "circle#", "is_implementation")
    assert project + shapes + "shape#area()." in related(shapes + "circle#area().", "is_implementation")
    assert project + shapes + "shape#area()." in related(shapes + "circle#area().", "is_reference")
    assert symbols[project + "kernels/scale()."]["signature_documentation"]["text"].startswith("attributes(global) subroutine scale")
    assert "cudaDeviceSynchronize" in external["cufls . cufc . cudafor/cudadevicesynchronize()."]["documentation"][0]
    assert any(s.startswith("cufls . fortran . intrinsic/sin") for s in external), list(external)
    main = next(d for d in index["documents"] if d["relative_path"] == "main.cuf")
    roles: "dict[str, list[int]]" = {}
    for occurrence in main["occurrences"]:
        roles.setdefault(occurrence["symbol"], []).append(occurrence.get("symbol_roles", 0))
    assert roles[project + "kernels/table."] == [DEFINITION, READ, WRITE], roles[project + "kernels/table."]
    assert roles[project + "kernels/scale()."][:1] == [DEFINITION] and READ in roles[project + "kernels/scale()."], "a launch reads a kernel"
    assert IMPORT in roles[project + "kernels/"], roles[project + "kernels/"]
    assert FORWARD in roles[project + "outside()."] and DEFINITION not in roles[project + "outside()."], "an interface is no definition"


def wait_until_idle(client: Client) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        quiet = not client.step(1.5)
        found = [n["params"] for n in client.notifications if n["method"] == "cufls/status"]
        if quiet and found and found[-1]["state"] == "idle":
            return
    raise TimeoutError("the server is not idle")


def compare_with_server(index: dict) -> int:
    """References of the index: of a symbol and of those that it names as referenced with it."""
    places: "dict[str, set]" = {}
    partners: "dict[str, set[str]]" = {}
    for document in index["documents"]:
        local = document["relative_path"] + ":"

        def name(symbol: str, prefix: str = local) -> str:
            return prefix + symbol if symbol.startswith("local ") else symbol

        for occurrence in document["occurrences"]:
            places.setdefault(name(occurrence["symbol"]), set()).add((document["relative_path"], *whole(occurrence["range"])))
        for symbol in document["symbols"]:
            partners[name(symbol["symbol"])] = {name(r["symbol"]) for r in symbol["relationships"] if r.get("is_reference")}
    client = Client([str(CUFLS)])
    client.initialize(FOLDER, {"general": {"positionEncodings": ["utf-8"]}})
    files = [d["relative_path"] for d in index["documents"] if not d["relative_path"].endswith(".inc")]
    for file in files:
        client.open(FOLDER / file)
    wait_until_idle(client)
    compared = 0
    intrinsic = {s["symbol"] for s in index["external_symbols"] if s["symbol"].startswith("cufls . fortran ") or s["symbol"].endswith("cudafor/")}
    for symbol, found in places.items():
        expected = set(found).union(*(places.get(other, set()) for other in partners.get(symbol, ())))
        for file, line, begin, _, end in found:
            at = [s for s, all in places.items() if (file, line, begin, line, end) in all]
            # At a call of a generic name the server means the specific procedure.
            # Of what Fortran itself defines the server lists no references.
            if file not in files or symbol in intrinsic or (len(at) > 1 and "(+generic)" in symbol):
                continue
            answer = client.request("textDocument/references", {
                "textDocument": {"uri": (FOLDER / file).as_uri()}, "position": {"line": line, "character": begin},
                "context": {"includeDeclaration": True}})
            said = {(str(Path(uri_path(a["uri"])).relative_to(FOLDER)), *span(a["range"])) for a in answer or []}
            assert said == expected, f"{symbol} at {file}:{line + 1}:{begin + 1}\nserver {sorted(said - expected)}\nindex {sorted(expected - said)}"
            compared += 1
    client.stop()
    return compared


def uri_path(uri: str) -> str:
    from urllib.parse import unquote, urlparse
    return unquote(urlparse(uri).path)


def span(range: dict) -> "tuple[int, int, int, int]":
    return range["start"]["line"], range["start"]["character"], range["end"]["line"], range["end"]["character"]


def main() -> int:
    make(FOLDER)
    output = FOLDER.parent / "index.scip"
    run = subprocess.run([str(CUFLS), "index", f"--scip={output}", "-v", str(FOLDER)], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    print(run.stderr.strip())
    index = decode(output.read_bytes(), "Index")
    check_form(index)
    check_content(index)
    compared = compare_with_server(index)
    assert compared > 150, compared
    print(f"{compared} answers of the server are those of the index")
    for arguments, code in (([], "CUF0002"), (["--scip=/nowhere/x"], "CUF0012"), (["--scip=x", "a", "b"], "CUF0142"), (["--scip=x", "/nowhere"], "CUF0011")):
        run = subprocess.run([str(CUFLS), "index", *arguments], capture_output=True, text=True, timeout=60, cwd=FOLDER)
        assert run.returncode == 2 and code in run.stderr, (arguments, run.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
