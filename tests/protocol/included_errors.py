#!/usr/bin/env python3
"""Errors in files that an open text includes are shown at its INCLUDE, with the place in the other file.

Also where one included file includes the other, by way of another folder, and when the mistake is mended on disk.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
MAIN = """module m
  implicit none
  include 'good.inc'
  include 'outer.inc'
contains
  subroutine s
#include "../far/body.h"
  end subroutine
end module
"""
FILES = {
    "source/good.inc": "integer :: good\n",
    "source/outer.inc": "integer :: a\ninclude '../far/inner.inc'\n",
    "far/inner.inc": "integer :: b\ninteger :: c = wrong\ninteger :: d = too\n",
    "far/body.h": "good = 1\nunknown = 2\n",
    "source/main.F90": MAIN,
}


def errors(client: Client, path: Path) -> "list[dict]":
    report = client.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}})
    return [item for item in report["items"] if item["severity"] == 1]


def main() -> int:
    problems = []
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        for file, text in FILES.items():
            (root / file).parent.mkdir(exist_ok=True)
            (root / file).write_text(text)
        (root / "source/cufls.json").write_text('{"targets": {"app": {"sources": ["*.F90"]}}}\n')
        client = Client([str(CUFLS), "--stdio"], env={**os.environ, "XDG_CACHE_HOME": str(root / "cache")})
        client.initialize(root / "source")
        path = root / "source/main.F90"
        client.open(path)
        found = [(item["range"]["start"]["line"] + 1, item["message"], item["relatedInformation"][0]["location"])
                 for item in errors(client, path)]
        expected = [(4, "wrong", "far/inner.inc", 2), (7, "unknown", "far/body.h", 2)]
        if len(found) != len(expected):
            problems.append(f"errors: {found}")
        for (line, message, place), (want, word, file, where) in zip(sorted(found, key=lambda row: row[0]), expected):
            if line != want or not message.startswith("in the included file: ") or f"'{word}'" not in message:
                problems.append(f"line {line}: {message}, expected '{word}' in line {want}")
            if place["uri"] != (root / file).as_uri() or place["range"]["start"]["line"] + 1 != where:
                problems.append(f"the place of {word}: {place}")
        client.stop()
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
