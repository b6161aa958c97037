"""Every code of compiler/tables/diagnostics.def is named in some test, or below with the reason."""

from __future__ import annotations

import re
from pathlib import Path

TABLE = "compiler/tables/diagnostics.def"
TABLES = (TABLE, "compiler/tables/hazards.def")
PLACES = ("tests/diagnostics/*", "tests/bad/*.py", "tests/project/*.py", "tests/unit/compiler/*.cpp", "tests/compile/*")
ROW = re.compile(r'^CUF_DIAGNOSTIC\((\w+), "(CUF\d{4})"', re.MULTILINE)

# Codes that no input is known to raise.
UNTESTED = {
    "CUF0104": "flang explains every syntax error that is known",
    "CUF0902": "the compiler itself crashed; any input that does it is a bug to mend",
    "CUF0903": "flang or LLVM found code of ours to be wrong; any input that does it is a bug to mend",
}


def check(root: Path) -> "list[str]":
    rows = [row for table in TABLES for row in ROW.findall((root / table).read_text())]
    files = [file for place in PLACES for file in root.glob(place) if file.is_file()]
    text = "\n".join(file.read_text(errors="replace") for file in files)
    named = set(re.findall(r"CUF\d{4}", text))
    problems = []
    for name, code in rows:
        if code not in named and code not in UNTESTED:
            problems.append(f"{TABLE}: {code} ({name}) is in no test")
        if code in named and code in UNTESTED:
            problems.append(f"tests/tidy/tested_codes.py: {code} is tested; take it from UNTESTED")
    known = {code for _, code in rows}
    problems += [f"tests/tidy/tested_codes.py: no code {code}" for code in set(UNTESTED) - known]
    problems += [f"{TABLE}: {code} stands twice" for code in known if sum(c == code for _, c in rows) > 1]
    return problems
