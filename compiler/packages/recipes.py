#!/usr/bin/env python3
"""Fills in the recipes for other package managers: recipes.py RELEASE VERSION OUT

In the files of recipes/ @VERSION@, @ADDRESS@ (of the project), @RELEASES@ (of its releases) and @SHA256:END@, the digest of the one file of
the folder RELEASE whose name ends so, are replaced.
"""
from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path

RECIPES = Path(__file__).resolve().parent / "recipes"
ADDRESS = "https://github.com/cufls/cufc"


def fill(text: str, release: Path, version: str) -> str:
    def digest(match: "re.Match[str]") -> str:
        found = [file for file in release.iterdir() if file.name.endswith(match[1])]
        if len(found) != 1:
            raise SystemExit(f"{release}: {len(found)} files whose names end in {match[1]}")
        return hashlib.sha256(found[0].read_bytes()).hexdigest()

    text = text.replace("@VERSION@", version).replace("@RELEASES@", f"{ADDRESS}/releases/download").replace("@ADDRESS@", ADDRESS)
    return re.sub(r"@SHA256:([^@]+)@", digest, text)


def main() -> int:
    release, version, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    for file in sorted(RECIPES.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            place = out / file.relative_to(RECIPES)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(fill(file.read_text(), release, version))
    return 0


if __name__ == "__main__":
    sys.exit(main())
