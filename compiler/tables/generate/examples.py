"""Examples on pages of docs/reference: the programs tests/run/reference_PAGE.cuf, which are compiled and run as tests."""

from pathlib import Path

PROGRAMS = Path(__file__).resolve().parents[3] / "tests/run"


def example(page: str) -> "list[str]":
    """The section of a page, or nothing where there is no program for it."""
    file = PROGRAMS / f"reference_{page.replace('-', '_')}.cuf"
    if not file.exists():
        return []
    lines = file.read_text().rstrip().split("\n")
    return ["## Example", "", lines[0].removeprefix("! "), "", "```fortran", *lines[1:], "```", ""]
