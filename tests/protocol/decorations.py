#!/usr/bin/env python3
"""Random edits, after which what decorates the text must still fit it: semantic tokens lie within lines
and do not overlap, a delta applied to the tokens before gives those of a full answer, those of a range are
a part of the full ones; folds, selections, hints and lenses are answered. Then inactive regions, settings, hostile texts.
"""

from __future__ import annotations

import bisect
import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import ide_text  # noqa: E402
from harness.lsp_client import Client  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
FOLDER = Path.cwd()
ROUNDS = 60
PIECES = ["x", "'", '"', "&", "&\n", "\n", " ", "(", ")", "!", "! ä\n", "𝄞", "end if\n", "do i = 1, 3\n", "#if X\n", "#endif\n",
          "#else\n", "!$cuf kernel do <<<*, *>>>\n", "call s<<<1, 2>>>(a)\n", "subroutine q\n", "end\n", "1.0_wp", "\r\n", "\r", "\t", "\\",
          "#define A \\\n", ";", "'äö&\n&ü'", "10 continue\n", "z'F'", "%", "type(t) :: v\n", "\0"]
SOURCE = """#define LIMIT 4
module m
  use cudafor
  implicit none
  integer, parameter :: wp = kind(1.0)
  type t
    real(wp) :: part ! ein Teil für später
  end type
contains
  attributes(global) subroutine scale(a, n)
    real, device :: a(n)
    integer, value :: n
    integer :: i
    i = threadIdx%x
    if (i <= n) then
      a(i) = 2.0_wp * a(i)
    end if
#if LIMIT > 5
    a(i) = 0
#endif
  end subroutine
  subroutine run
    real, device :: a(10)
    call scale<<<1, 10>>>(a, &
                          10)
    print *, 'Größe', "it's"
  end subroutine
end module
"""


def random_edit(numbers: random.Random, text: str) -> dict:
    """A change; its range is in UTF-16 units."""
    starts = ide_text.line_starts(text)

    def position(offset: int) -> dict:
        line = bisect.bisect_right(starts, offset) - 1
        return {"line": line, "character": ide_text.units(ide_text.lines_of(text)[line][:offset - starts[line]])}

    begin = numbers.randrange(len(text) + 1)
    end = min(len(text), begin + numbers.choice([0, 0, 0, 1, 2, 10, 60]))
    return {"range": {"start": position(begin), "end": position(end)}, "text": numbers.choice(PIECES)}


def applied(data: "list[int]", edits: "list[dict]") -> "list[int]":
    for edit in sorted(edits, key=lambda edit: -edit["start"]):
        data = data[:edit["start"]] + edit.get("data", []) + data[edit["start"] + edit["deleteCount"]:]
    return data


def check_round(client: Client, path: Path, text: str, last: dict) -> dict:
    """The last full result is updated by a delta and compared."""
    document = {"textDocument": {"uri": path.as_uri()}}
    delta = client.request("textDocument/semanticTokens/full/delta", {**document, "previousResultId": last["resultId"]})
    data = applied(last["data"], delta["edits"])
    full = client.request("textDocument/semanticTokens/full", document)
    assert data == full["data"], "the delta does not lead to the full tokens"
    ide_text.check(text, data)
    lines = len(ide_text.lines_of(text))
    some = {"start": {"line": lines // 3, "character": 0}, "end": {"line": lines // 2, "character": 0}}
    part = client.request("textDocument/semanticTokens/range", {**document, "range": some})
    inside = [token for token in ide_text.decoded(data) if lines // 3 <= token[0] < lines // 2]
    assert [*ide_text.decoded(part["data"])] == inside, "the tokens of a range differ from the full ones"
    for fold in client.request("textDocument/foldingRange", document):
        assert 0 <= fold["startLine"] < fold["endLine"] < lines, "a fold outside of the text"
    client.request("textDocument/selectionRange", {**document, "positions": [some["start"], {"line": 10**6, "character": 10**6}]})
    client.request("textDocument/linkedEditingRange", {**document, "position": some["start"]})
    client.request("textDocument/documentLink", document)
    client.request("textDocument/inlayHint", {**document, "range": some})
    for lens in client.request("textDocument/codeLens", document):
        client.request("codeLens/resolve", lens)
    return full


def random_edits(client: Client, path: Path, numbers: random.Random) -> None:
    client.open(path, SOURCE)
    last = client.request("textDocument/semanticTokens/full", {"textDocument": {"uri": path.as_uri()}})
    text = SOURCE
    for version in range(2, ROUNDS):
        change = random_edit(numbers, text)
        text = ide_text.apply(text, change)
        client.change(path, version, [change])
        if version % 7 == 0:
            client.diagnostics(path, version)
        last = check_round(client, path, text, last)
    unknown = client.request("textDocument/semanticTokens/full/delta",
                             {"textDocument": {"uri": path.as_uri()}, "previousResultId": "none"})
    assert unknown["data"] == last["data"], "an unknown result id is answered in full"


def inactive_regions() -> None:
    """Told once for each change of them."""
    client = Client([str(CUFLS)])
    client.initialize(FOLDER, {"textDocument": {"inactiveRegionsCapabilities": {"inactiveRegions": True}}})
    path = FOLDER / "regions.CUF"
    text = "#ifdef _CUDA\n#else\nno\n#endif\n#if 1 + 1 == 3\nno\nno\n#endif\nend\n"
    client.open(path, text)
    first = client.wait_notification("textDocument/inactiveRegions")["params"]
    lines = [(region["start"]["line"], region["end"]["line"]) for region in first["regions"]]
    assert lines == [(2, 2), (5, 6)], f"inactive regions {lines}"
    change = {"range": {"start": {"line": 4, "character": 13}, "end": {"line": 4, "character": 14}}, "text": "2"}
    client.change(path, 2, [change])
    second = client.wait_notification("textDocument/inactiveRegions")["params"]
    assert len(second["regions"]) == 1, "a condition that was edited"
    client.stop()


def hostile_texts() -> None:
    """What would take for ever, or all of the stack, if nothing limited it."""
    client = Client([str(CUFLS)])
    client.initialize(FOLDER, {"textDocument": {"inactiveRegionsCapabilities": {"inactiveRegions": True}}})
    doubling = "".join(f"#define A{i} (A{i + 1} + A{i + 1})\n" for i in range(60)) + "#define A60 0\n#if A0\nno\n#endif\nend\n"
    itself = '#include "itself.CUF"\n' * 20 + "end\n"
    for name, text in {"doubling.CUF": doubling, "itself.CUF": itself, "deep.cuf": "x = " + "(" * 50000 + ")" * 50000 + "\nend\n",
                       "open.cuf": "do\n" * 5000, "wide.cuf": "print *, " + "'ä', " * 3000 + "1\nend\n",
                       "empty.cuf": "", "zeros.cuf": "\0" * 100}.items():
        path = FOLDER / name
        path.write_text(text)
        client.open(path, text)
        document = {"textDocument": {"uri": path.as_uri()}}
        client.request("textDocument/foldingRange", document, 20)
        client.request("textDocument/selectionRange", {**document, "positions": [{"line": 0, "character": len(text) // 2}]}, 20)
        client.request("textDocument/documentLink", document, 20)
        if name == "wide.cuf":
            client.request("textDocument/semanticTokens/full", document, 60)
        client.request("textDocument/linkedEditingRange", {**document, "position": {"line": 9, "character": 9}}, 20)
    client.stop()


def settings() -> None:
    """Hints and lenses can be turned off one by one."""
    client = Client([str(CUFLS)])
    hints = {"argumentNames": False, "implicitTypes": True}
    client.initialize(FOLDER, {}, {"inlayHints": hints, "codeLens": {"references": False, "run": False}})
    path = FOLDER / "settings.cuf"
    client.open(path, "subroutine s(x)\n  k = int(x)\n  call s(1.0)\nend\n")
    document = {"textDocument": {"uri": path.as_uri()}}
    everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": 4, "character": 0}}
    labels = [hint["label"] for hint in client.request("textDocument/inlayHint", {**document, "range": everywhere})]
    assert labels == [": real(4)", ": integer(4)"], f"hints {labels}"
    assert client.request("textDocument/codeLens", document) == [], "lenses that are turned off"
    client.stop()


def main() -> int:
    numbers = random.Random(1)
    for name in ("edits.CUF", "edits.f"):
        client = Client([str(CUFLS)])
        client.initialize(FOLDER, {})
        random_edits(client, FOLDER / name, numbers)
        client.stop()
    inactive_regions()
    settings()
    hostile_texts()
    return 0


if __name__ == "__main__":
    sys.exit(main())
