#!/usr/bin/env python3
"""Writes lsp/editors/nvim/doc/tags, which `:help cufls` needs:

    vim_tags.py [--check]

Vim makes such a file by :helptags, for which the folder must be writable; an installed one is not. With --check nothing is
written, and the exit status is 1 if the file differs.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "lsp/editors/nvim/doc"
TAGS = FOLDER / "tags"


def tags() -> str:
    """As :helptags writes it: sorted by bytes, with the place as a search."""
    lines = []
    for page in sorted(FOLDER.glob("*.txt")):
        for tag in re.findall(r"(?:^|(?<=\s))\*([^*\s|]+)\*(?=\s|$)", page.read_text(), re.MULTILINE):
            lines.append(f"{tag}\t{page.name}\t/*{tag}*\n")
    return "".join(sorted(lines))


def main() -> int:
    text = tags()
    if "--check" in sys.argv[1:]:
        if not TAGS.exists() or TAGS.read_text() != text:
            print("lsp/editors/nvim/doc/tags is stale: run compiler/tables/generate/vim_tags.py")
            return 1
        return 0
    TAGS.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
