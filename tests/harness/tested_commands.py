"""A table in a page of what a server of ours answers, and which conversations of the tests have it answer that: written by the tests
themselves with --update, and compared by them otherwise."""

from __future__ import annotations

from pathlib import Path

BEGIN, END = "<!-- tested: {} -->\n", "<!-- end -->\n"


MOST_SHOWN = 4


def _listed(tests: "list[str]") -> str:
    shown = ", ".join(f"`{test}`" for test in tests[:MOST_SHOWN])
    return shown + (f" and {len(tests) - MOST_SHOWN} more" if len(tests) > MOST_SHOWN else "")


def problems(page: Path, name: str, head: str, known: "list[str]", seen: "dict[str, list[str]]", *, update: bool) -> "list[str]":
    """`seen` has the conversations for each of `known`. The table stands between two marks of the page."""
    untested = [f"{each}: no conversation has it" for each in known if each not in seen]
    unknown = [f"{each} is answered and not in the list" for each in seen if each not in known]
    rows = "".join(f"| `{each}` | {_listed(seen.get(each, []))} |\n" for each in known)
    table = f"| {head} | conversations |\n|---|---|\n{rows}"
    text = page.read_text(encoding="utf-8")
    begin, end = BEGIN.format(name), END
    before, mark, behind = text.partition(begin)
    old, closing, rest = behind.partition(end)
    if not mark or not closing:
        return [f"{page.name} has no table '{name}'"]
    if update:
        page.write_text(before + begin + table + end + rest, encoding="utf-8")
    stale = [] if update or old == table else [f"{page.name}: the table '{name}' is not what the tests saw: run them with --update"]
    return [*untested, *unknown, *stale]
