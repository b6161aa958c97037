#!/usr/bin/env python3
"""Programs with one mistake each (tests/debug/planted): a run with checks finds it in the line that has the mark `! mistake`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
PLANTED = Path(__file__).resolve().parents[1] / "debug/planted"


def places(found: dict) -> "list[tuple[str, int]]":
    related = [(Path(note["file"]).name, note["line"]) for note in found.get("related", []) if "line" in note]
    return [(Path(found["file"]).name, found["line"]), *related]


def main() -> int:
    missed = []
    programs = sorted(PLANTED.glob("*.cuf"))
    for program in programs:
        line = next(number for number, text in enumerate(program.read_text().splitlines(), 1) if "! mistake" in text)
        folder = Path.cwd() / program.stem
        folder.mkdir(exist_ok=True)
        shutil.copy(program, folder)
        done = subprocess.run([CUFLS, "check", "--run", "--format=json", "--allow=unused,hazard,performance", program.name], cwd=folder,
                              capture_output=True, text=True, timeout=120, check=False)
        found = json.loads(done.stdout)["diagnostics"]
        errors = [each for each in found if each["severity"] == "error" and each.get("code", "").startswith("CUF08")]
        if done.returncode != 1 or not any((program.name, line) in places(each) for each in errors):
            missed.append(f"{program.name}:{line}: {done.stdout}{done.stderr}")
    print(f"{len(programs) - len(missed)} of {len(programs)} found", *missed, sep="\n")
    return 1 if missed or len(programs) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
