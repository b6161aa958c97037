"""tests/mistakes: programs with one mistake that beginners make, what the compiler says of it, and what the fix makes.

    saxpy<<<grid, 256>>>(x, y, a, n)
!   ^^^^^ error[CUF1032]: CALL is missing before 'saxpy<<<...>>>'
!=> call saxpy<<<grid, 256>>>(x, y, a, n)

Under a line stand its messages, as in tests/diagnostics, and the lines that `cufls check --fix` puts in its place: `!=> `
and the text, `!+> ` for a line that is added behind it, `!=x` where it goes. Neither is part of the program that is
compiled. Sources named hazard_* are read by `cufls check`. What was mended must compile without an error. `--update` writes these lines.
"""

from __future__ import annotations

import difflib
import re
from functools import partial
from pathlib import Path

from . import diagnostics, directives
from .execution import fresh_folder, run
from .model import FAILED, PASSED, Result, Setup, Test

FIXED = re.compile(r"!(=>|\+>|=x)")
SUFFIXES = ("cuf", "CUF", "f", "f90")


def discover(setup: Setup) -> "list[Test]":
    folder = setup.root / "tests/mistakes"
    files = sorted(f for suffix in SUFFIXES for f in folder.glob(f"*.{suffix}"))
    return [Test(f"mistakes/{f.name}", partial(run_file, setup, f)) for f in files]


def program_of(text: str) -> str:
    """The text without what it expects."""
    lines = [line for line in text.splitlines() if not FIXED.match(line) and not diagnostics.EXPECTED.match(line)]
    return "\n".join(lines) + "\n"


def annotated(program: str, reported: "list[diagnostics.Message]", mended: str) -> str:
    """The program with its messages and the lines that a fix changed."""
    old, new = program.splitlines(), mended.splitlines()
    below: "dict[int, list[str]]" = {}
    for message in sorted(reported):
        below.setdefault(message.line, []).append(message.comment())
    for kind, first, last, begin, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "insert":
            below.setdefault(first, []).extend(f"!+> {line}".rstrip() for line in new[begin:end])
        elif kind == "delete":
            for line in range(first, last):
                below.setdefault(line + 1, []).append("!=x")
        elif kind == "replace":
            for line in range(first, last - 1):
                at = begin + line - first
                below.setdefault(line + 1, []).append(f"!=> {new[at]}".rstrip() if at < end else "!=x")
            rest = new[begin + last - 1 - first : end]
            below.setdefault(last, []).extend(f"!{'+' if i else '='}> {line}".rstrip() for i, line in enumerate(rest))
            if not rest:
                below[last].append("!=x")
    result = list(below.get(0, []))
    for number, line in enumerate(old, 1):
        result += [line, *below.get(number, [])]
    return "\n".join(result) + "\n"


def run_file(setup: Setup, file: Path) -> "list[Result]":
    name = f"mistakes/{file.name}"
    folder = fresh_folder(setup.output / name)
    flags = directives.read([file]).flags
    program = program_of(file.read_text())
    copy = folder / file.name
    copy.write_text(program)
    compile_it = [setup.cufc, *flags, "-c", file.name, "-o", "t.o"]
    cufls = setup.cufc.with_name("cufls")
    check_it = [cufls, "check", "--no-cache", "--allow=unused", file.name]
    outcome = run(check_it if file.name.startswith(diagnostics.HAZARDS) else compile_it, folder, setup.timeout)
    reported = [message for message in diagnostics.parse_output(outcome.stdout + outcome.stderr, copy)
                if message.severity != "hint"]
    reason = diagnostics.check_ending(outcome, reported)
    run([*check_it, "--fix", *(["--", *flags] if flags else [])], folder, setup.timeout)
    mended = copy.read_text()
    if not reason and mended != program:
        after = run(compile_it, folder, setup.timeout)
        left = [message for message in diagnostics.parse_output(after.stdout + after.stderr, copy) if message.severity == "error"]
        if left or after.code != 0:
            reason = f"the fix leaves {'; '.join(map(str, left)) or after.problem()}"
    text = annotated(program, reported, mended)
    if setup.update:
        file.write_text(text)
    elif not reason and text != file.read_text():
        differences = [line for line in difflib.unified_diff(file.read_text().splitlines(), text.splitlines(), "", "", "", "", 0)
                       if not line.startswith(("---", "+++", "@@"))]
        reason = "; ".join(differences[:6])
    return [Result(name, FAILED if reason else PASSED, outcome.seconds, reason, outcome.command)]
