"""tests/diagnostics: sources whose expected messages stand as comments under the lines they meet.

    call launch(a, b)
    !    ^^^^^^ error[CUF0203]: text of the message

The carets cover the range that the compiler underlines. `!@1 error: text` gives the column in
figures, for a range that starts under the comment's own mark. Several messages for a line follow
each other. What flang says in one of its versions alone ends with ` // flang 22`. The compiler's messages are read in the form

    FILE:LINE:COLUMN: error: text [CUF0203]       or       FILE:LINE:COLUMN: error[CUF0203]: text

and the range's length from the line of carets after the source line, if one is printed. With
`--update` the expectations are rewritten from what the compiler says. Sources named hazard_* are read
by `cufls check`, which prints the same form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from . import directives
from .compile_tests import llvm_version
from .execution import Outcome, fresh_folder, run
from .model import FAILED, PASSED, Result, Setup, Test

SEVERITY = r"(?P<severity>error|warning|information|hint|note)"
HAZARDS = "hazard_"  # sources that `cufls check` reads, since cufc does not look for hazards
EXPECTED = re.compile(
    rf"!(?: *(?P<carets>\^+)|@(?P<column>\d+)) {SEVERITY}(?:\[(?P<code>\w+)\])?: (?P<text>.*?)(?: // flang (?P<version>\d+))?$"
)
REPORTED = re.compile(
    rf"(?P<file>[^:\s][^:]*):(?P<line>\d+):(?P<column>\d+): {SEVERITY}(?:\[(?P<code>\w+)\])?: "
    r"(?P<text>.*?)(?: \[(?P<tail>CUF\d+)\])?$"
)
UNDERLINE = re.compile(r"^[\s|]*(?P<marks>\^~*|\^+)\s*$")


@dataclass(frozen=True, order=True)
class Message:
    """One diagnostic; `line` and `column` start at one, `length` is 0 where it is not known."""

    line: int
    column: int
    length: int
    severity: str
    code: str
    text: str

    def comment(self) -> str:
        code = f"[{self.code}]" if self.code else ""
        carets = "^" * max(1, self.length)
        place = "!" + " " * (self.column - 2) + carets if self.column > 1 else "!@1"
        return f"{place} {self.severity}{code}: {self.text}"

    def matches(self, other: "Message") -> bool:
        """Equal, but for a length that one side does not know."""
        if 0 not in (self.length, other.length) and self.length != other.length:
            return False
        ours = (self.line, self.column, self.severity, self.code, self.text)
        return ours == (other.line, other.column, other.severity, other.code, other.text)

    def __str__(self) -> str:
        code = f"[{self.code}]" if self.code else ""
        return f"{self.line}:{self.column}: {self.severity}{code}: {self.text}"


def discover(setup: Setup) -> "list[Test]":
    folder = setup.root / "tests/diagnostics"
    files = sorted(f for suffix in ("cuf", "CUF", "f", "f90") for f in folder.glob(f"*.{suffix}"))
    return [Test(f"diagnostics/{f.name}", partial(run_file, setup, f)) for f in files]


def run_file(setup: Setup, file: Path) -> "list[Result]":
    name = f"diagnostics/{file.name}"
    folder = fresh_folder(setup.output / name)
    flags = directives.read([file]).flags
    compile_it = [setup.cufc, *flags, "-c", file, "-o", folder / "t.o"]
    check_it = [setup.cufc.with_name("cufls"), "check", file]
    command = check_it if file.name.startswith(HAZARDS) else compile_it
    outcome = run(command, folder, setup.timeout)
    reported = parse_output(outcome.stdout + outcome.stderr, file)
    if setup.update:
        file.write_text(rewrite(file.read_text(), reported, llvm_version(setup)))
        return [Result(name, PASSED, outcome.seconds)]
    reason = compare(expectations(file.read_text(), llvm_version(setup)), reported) or check_ending(outcome, reported)
    if reason:
        return [Result(name, FAILED, outcome.seconds, reason, outcome.command)]
    return [Result(name, PASSED, outcome.seconds)]


def expectations(text: str, version: str) -> "list[Message]":
    """The messages that the comments of a test ask for, with a version of flang."""
    found, target = [], 0
    for number, line in enumerate(text.splitlines(), 1):
        match = EXPECTED.match(line)
        if not match:
            target = number
            continue
        if match["version"] not in (None, version):
            continue
        carets = match["carets"]
        column = match.start("carets") + 1 if carets else int(match["column"])
        length = len(carets) if carets else 0
        found.append(
            Message(target, column, length, match["severity"], match["code"] or "", match["text"])
        )
    return found


def parse_output(output: str, file: Path) -> "list[Message]":
    """The messages about `file` that the compiler printed."""
    found = []
    lines = output.splitlines()
    for index, line in enumerate(lines):
        match = REPORTED.match(line)
        if not match or Path(match["file"]).name != file.name:
            continue
        underline = UNDERLINE.match(lines[index + 2]) if index + 2 < len(lines) else None
        length = len(underline["marks"]) if underline else 0
        code = match["code"] or match["tail"] or ""
        place = (int(match["line"]), int(match["column"]), length)
        found.append(Message(*place, match["severity"], code, match["text"]))
    return found


def compare(expected: "list[Message]", reported: "list[Message]") -> str:
    """The differences in one line, or an empty string."""
    left, missing = list(reported), []
    for message in expected:
        twin = next((other for other in left if message.matches(other)), None)
        if twin:
            left.remove(twin)
        else:
            missing.append(message)
    parts = [f"not reported: {message}" for message in missing]
    parts += [f"not expected: {message}" for message in left]
    return "; ".join(parts)


def check_ending(outcome: Outcome, reported: "list[Message]") -> str:
    """The exit status must be 0 exactly if no error was reported, and never a signal."""
    if outcome.code is None or outcome.code < 0:
        return outcome.problem()
    failed = any(message.severity == "error" for message in reported)
    if failed != (outcome.code != 0):
        errors = "errors were" if failed else "no error at a position in the file was"
        return f"exit status {outcome.code} although {errors} reported"
    return ""


def rewrite(text: str, reported: "list[Message]", version: str) -> str:
    """`text` with the expectations that `reported`, whose lines are those of `text`, asks for; those of other versions stay."""
    result = []
    for number, line in enumerate(text.splitlines(), 1):
        if match := EXPECTED.match(line):
            result += [line] if match["version"] not in (None, version) else []
            continue
        result.append(line)
        result += [message.comment() for message in sorted(reported) if message.line == number]
    return "\n".join(result) + "\n"
