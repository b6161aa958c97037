"""Every code of a diagnostic is in some test, or below with the reason, and has a page.

A test is a source with the code's message, a script or a unit test that names the code, or the wrong
source on the code's page, which tests/harness/explanations.py compiles.
"""

from __future__ import annotations

import re
from pathlib import Path

TABLES = (
    "compiler/tables/diagnostics.def",
    "compiler/tables/flags.def",
    "compiler/tables/hazards.def",
    "compiler/tables/command_line.def",
    "compiler/tables/calls.def",
    "compiler/tables/language.def",
    "compiler/tables/mistakes.def",
    "compiler/tables/mpi.def",
    "compiler/tables/occupancy.def",
    "compiler/tables/parallel.def",
    "compiler/tables/runs.def",
    "compiler/tables/flang_messages.def",
)
PAGES = "compiler/tables/explanations"
PLACES = ("tests/diagnostics/*", "tests/mistakes/*", "tests/bad/*.py", "tests/mpi/*.py", "tests/options/*.py", "tests/project/*.py", "tests/foreign/*", "tests/protocol/*.py", "tests/unit/compiler/*.cpp", "tests/compile/*")
ROW = re.compile(r'^CUF_DIAGNOSTIC\((\w+), "(CUF\d{4})"', re.MULTILINE)
PATTERN = re.compile(r'^CUF_FLANG(?:_WARNING)?\("(CUF\d{4})"', re.MULTILINE)

# Codes that no input is known to raise.
UNTESTED = {
    "CUF0104": "flang explains every syntax error that is known",
    "CUF0440": "a place that belongs to another message, shown without its code",
    "CUF0441": "a place that belongs to another message, shown without its code",
    "CUF0442": "a place that belongs to another message, shown without its code",
    "CUF0443": "a place that belongs to another message, shown without its code",
    "CUF0444": "a place that belongs to another message, shown without its code",
    "CUF0445": "a place that belongs to another message, shown without its code",
    "CUF0446": "a place that belongs to another message, shown without its code",
    "CUF0447": "a place that belongs to another message, shown without its code",
    "CUF0903": "flang or LLVM found code of ours to be wrong; any input that does it is a bug to mend",
    "CUF0904": "no file is known whose analysis takes so long",
    "CUF0905": "the system has no more processes",
    "CUF1320": "flang reports it as an error where cufc accepts the source otherwise",
}


def named_codes(root: Path) -> "set[str]":
    files = [file for place in PLACES for file in root.glob(place) if file.is_file()]
    text = "\n".join(file.read_text(errors="replace") for file in files)
    named = set(re.findall(r"CUF\d{4}", text))
    pages = (root / PAGES).glob("*.md")
    return named | {page.stem for page in pages if "## Wrong\n" in page.read_text()}


def check(root: Path) -> "list[str]":
    rows = [(*row, table) for table in TABLES for row in ROW.findall((root / table).read_text())]
    named = named_codes(root)
    problems = []
    for name, code, table in rows:
        if code not in named and code not in UNTESTED:
            problems.append(f"{table}: {code} ({name}) is in no test")
        if code in named and code in UNTESTED:
            problems.append(f"tests/tidy/tested_codes.py: {code} is tested; take it from UNTESTED")
    known = [code for _, code, _ in rows]
    problems += [f"tests/tidy/tested_codes.py: no code {code}" for code in set(UNTESTED) - set(known)]
    problems += [f"{code} stands twice in the tables" for code in set(known) if known.count(code) > 1]
    patterns = PATTERN.findall((root / TABLES[-1]).read_text())
    problems += [f"{TABLES[-1]}: no row {code}" for code in set(patterns) - set(known)]
    return problems + check_pages(root, set(known))


def check_pages(root: Path, known: "set[str]") -> "list[str]":
    pages = {page.stem: page.read_text() for page in (root / PAGES).glob("*.md")}
    problems = [f"{PAGES}: no page for {code}" for code in sorted(known - set(pages))]
    problems += [f"{PAGES}/{code}.md: there is no such code" for code in sorted(set(pages) - known)]
    for code, text in sorted(pages.items()):
        sections = re.findall(r"^## (\w+)$", text, re.MULTILINE)
        if sections not in ([], ["Wrong", "Right"]):
            problems.append(f"{PAGES}/{code}.md: its sections must be Wrong and Right, or none")
        if text.startswith("#") or len(text) < 60:
            problems.append(f"{PAGES}/{code}.md: opens with what the message means, without a heading")
    return problems
