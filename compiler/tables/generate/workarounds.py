"""Writes docs/reference/workarounds.md, the defects that cufc mends, from workarounds.def.

workarounds.py            writes the page
workarounds.py --check    fails if the page is not what would be written
"""
import sys
from pathlib import Path

from options_table import workarounds

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/reference/workarounds.md"
INTRODUCTION = """# Defects of flang, of the assembler of GPU code and of LLVM that cufc mends

<!-- Generated from compiler/tables/workarounds.def by compiler/tables/generate/workarounds.py. -->

What flang {version} does by itself, where in flang's sources (`flang/lib` of llvm-project), and where the mend is (`compiler/`).
`cufc -mno-workaround=NAME` leaves a mend out, to see flang's own behaviour or to find out whether a newer flang still needs it; such
a program may be wrong. For each there is a source in `tests/workarounds/` that goes wrong without the mend.

| name | without the mend | in flang | the mend |
|---|---|---|---|
"""


def page() -> str:
    text = INTRODUCTION.format(version=22)
    for _, name, file, symptom, place in workarounds():
        text += f"| `{name}` | {symptom} | {', '.join(f'`{part}`' for part in place.split(', '))} | `{file}` |\n"
    return text


def main() -> None:
    if "--check" in sys.argv:
        if not PAGE.exists() or PAGE.read_text() != page():
            raise SystemExit(f"{PAGE.relative_to(ROOT)} is out of date")
    else:
        PAGE.write_text(page())


main()
