"""Formatting never changes what a program means: every source of the tests and examples is formatted.

Of each source, and of a broken form of it, the tokens before and after must be equal, as read here and
not by the formatter, and formatting again must change nothing. Of some `cufls check` must say the same
about both. CI takes a part of the sources for each of the options.
"""

from __future__ import annotations

import random
import re
import subprocess
import time
from functools import partial
from pathlib import Path

from .execution import fresh_folder
from .lsp_client import Client
from .model import FAILED, PASSED, Result, Setup, Test
from .sample import is_taken, least

FOLDERS = ("tests/run", "tests/diagnostics", "tests/compile", "tests/ide", "docs/examples")
SUFFIXES = (".cuf", ".f90", ".f")
SAMPLE = 12  # of how many one is checked by cufls
PARTS = 8  # of which CI takes one
OPTIONS = [
    ({"tabSize": 2, "insertSpaces": True}, {}),
    ({"tabSize": 4, "insertSpaces": True, "trimTrailingWhitespace": True, "trimFinalNewlines": True},
     {"format": {"keywordCase": "upper", "indentUnits": False, "indentCase": True}}),
    ({"tabSize": 3, "insertSpaces": False, "insertFinalNewline": True}, {"format": {"keywordCase": "lower"}}),
]
# Numbers with signs in their exponents, words, operators of more than one character, anything else.
TOKEN = re.compile(r"""(?:\d+(?:\.(?![a-z]+\.)\d*)?|\.\d+)(?:[edq][+-]?\d+)?(?:_\w+)?|[a-z_$][\w$]*|\.[a-z]+\.
                       |<<<|>>>|\*\*|//|==|/=|<=|>=|=>|::|\S""", re.VERBOSE | re.IGNORECASE)


def discover(setup: Setup) -> "list[Test]":
    return [Test(f"format/{number + 1}", partial(run_test, setup, number)) for number in range(len(OPTIONS))]


def tokens(text: str, fixed: bool, any_case: bool) -> "list[str]":
    """A line a list of tokens; strings, comments and lines of the preprocessor are one each."""
    result, quote = [], ""
    for line in text.splitlines():
        line = line.rstrip()
        if fixed or line.startswith("#"):
            result.append(line if not fixed else line[:6] + "|" + line[6:].lstrip())
            continue
        line, words = line.lstrip(), []
        while line:
            if quote or line[0] in "'\"":
                begin = 0 if quote else 1
                quote = quote or line[0]
                end = line.find(quote, begin)
                while end >= 0 and line[end:end + 2] == quote * 2:
                    end = line.find(quote, end + 2)
                words.append(line if end < 0 else line[:end + 1])
                line = "" if end < 0 else line[end + 1:].lstrip()
                if end >= 0 or not words[-1].endswith("&"):
                    quote = ""
            elif line[0] == "!":
                words.append(line)
                line = ""
            else:
                match = TOKEN.match(line)
                words.append(match[0].lower() if any_case else match[0])
                line = line[match.end():].lstrip()
        if words:
            result.append(" ".join(words))
    return result


def apply(text: str, edits: "list[dict]") -> str:
    """The protocol's edits, with columns in bytes."""
    lines = text.encode().splitlines(keepends=True) + [b""]

    def before(place):
        return sum(map(len, lines[:place["line"]])) + place["character"]

    content = text.encode()
    for edit in sorted(edits, key=lambda e: before(e["range"]["start"]), reverse=True):
        begin, end = before(edit["range"]["start"]), before(edit["range"]["end"])
        content = content[:begin] + edit["newText"].encode() + content[end:]
    return content.decode()


def broken(text: str, seed: str) -> str:
    """The text without some lines and with characters that do not belong there."""
    source = random.Random(seed)
    lines = text.splitlines(keepends=True)
    for _ in range(4):
        if len(lines) > 2:
            del lines[source.randrange(len(lines))]
        at = source.randrange(len(lines))
        column = source.randrange(len(lines[at]) or 1)
        lines[at] = lines[at][:column] + source.choice(["'", "(", "&", ")", '"', "if (x) then", "!", ";"]) + lines[at][column:]
    return "".join(lines)


def checked(setup: Setup, path: Path) -> str:
    """What cufls says about a file, without places."""
    command = [str(setup.cufc.with_name("cufls")), "check", path.name]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, timeout=setup.timeout, check=False)
    return "\n".join(sorted(re.findall(r"\[CUF\d+\]", done.stdout + done.stderr)))


class Formatter:
    def __init__(self, setup: Setup, number: int):
        self.client = Client([str(setup.cufc.with_name("cufls"))])
        self.options, settings = OPTIONS[number]
        self.any_case = "keywordCase" in settings.get("format", {})
        self.client.initialize(None, {"general": {"positionEncodings": ["utf-8"]}}, settings)
        self.count = 0

    def once(self, path: Path, text: str) -> str:
        """The text, formatted as that of a file which need not be there."""
        uri = {"uri": path.as_uri()}
        self.client.open(path, text)
        edits = self.client.request("textDocument/formatting", {"textDocument": uri, "options": self.options})
        self.client.notify("textDocument/didClose", {"textDocument": uri})
        self.client.notifications.clear()
        return apply(text, edits)

    def problem(self, path: Path, text: str) -> str:
        self.count += 1
        fixed = path.suffix.lower() == ".f"
        once = self.once(path, text)
        before, after = (tokens(part, fixed, self.any_case) for part in (text, once))
        if fixed:
            before, after = ([line for line in part if line.strip("|")] for part in (before, after))
        if before != after:
            line = next((pair for pair in zip(before, after) if pair[0] != pair[1]), (len(before), len(after)))
            return f"other tokens: {line}"
        twice = self.once(path, once)
        if twice != once:
            line = next((pair for pair in zip(once.splitlines(), twice.splitlines()) if pair[0] != pair[1]), "length")
            return f"formatting again changes {line}"
        return ""


def run_test(setup: Setup, number: int) -> "list[Result]":
    name, begin = f"format/{number + 1}", time.monotonic()
    folder = fresh_folder(setup.output / name)
    sources = sorted(path for part in FOLDERS for path in (setup.root / part).rglob("*.*")
                     if path.suffix.lower() in SUFFIXES)
    problems = []
    try:
        formatter = Formatter(setup, number)
        for index, path in enumerate(sources):
            if not is_taken(f"format {number} {path.relative_to(setup.root)}", PARTS):
                continue
            text = path.read_text(errors="replace")
            place = folder / f"{index}{path.suffix}"
            for form in (text, broken(text, path.name)):
                if found := formatter.problem(place, form):
                    problems.append(f"{path.relative_to(setup.root)}: {found}")
            other_form = "-Mfixed" in text.split("\n", 1)[0]  # than its name says
            if index % SAMPLE == 4 * number and not other_form:
                place.write_text(text)
                before = checked(setup, place)
                place.write_text(formatter.once(place, text))
                if checked(setup, place) != before:
                    problems.append(f"{path.relative_to(setup.root)}: other diagnostics")
        formatter.client.stop()
        if formatter.count < least(200, PARTS) and not setup.root.joinpath("bin/cufc").exists():
            problems.append(f"only {formatter.count} sources were found")
    except Exception as error:  # the server is gone, or the test is wrong
        problems.append(f"{type(error).__name__}: {error}")
    return [Result(name, FAILED if problems else PASSED, time.monotonic() - begin, "\n".join(problems))]
