"""compiler/tables/explanations: the sources on the pages of the diagnostics, which are tests.

The block under "## Wrong" raises the page's code and no other, the one under "## Right" nothing.
Both are compiled as `cufls check FILE`, or as the block of shell lines that follows says, where the
source is `wrong.cuf` or `right.cuf`. The word behind "cuf" in the block's head is another suffix:
".f". Under the lines of the wrong source stand its messages, as in tests/diagnostics; `--update`
writes them.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from . import diagnostics
from .compile_tests import llvm_version
from .execution import fresh_folder, run
from .directives import has_cuda
from .model import FAILED, PASSED, SKIPPED, Result, Setup, Test

SECTION = re.compile(r"^## (Wrong|Right)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```(cuf|shell)(?: (\.\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COSTS = "CUF06"  # what ptxas tells of kernels
CODE = re.compile(r"\[(CUF\d{4})\]")


@dataclass
class Example:
    """One of the sources with the commands that compile it."""

    source: str = ""
    suffix: str = ".cuf"
    commands: "list[list[str]]" = field(default_factory=list)


def discover(setup: Setup) -> "list[Test]":
    pages = sorted((setup.root / "compiler/tables/explanations").glob("*.md"))
    return [Test(f"explanations/{page.stem}", partial(run_page, setup, page)) for page in pages]


def examples(text: str) -> "dict[str, Example]":
    found = {}
    for title, body in SECTION.findall(text):
        example = found[title] = Example()
        for kind, suffix, content in BLOCK.findall(body):
            if kind == "cuf":
                example.source, example.suffix = content, suffix or ".cuf"
            else:
                example.commands += [shlex.split(line) for line in content.splitlines() if line]
    return found


def run_page(setup: Setup, page: Path) -> "list[Result]":
    name = f"explanations/{page.stem}"
    text = page.read_text()
    if setup.update:
        page.write_text(updated(setup, page, text))
        return [Result(name, PASSED)]
    if page.stem.startswith(COSTS) and not has_cuda():
        return [Result(name, SKIPPED, reason="needs a CUDA toolkit")]
    reasons = []
    for title, example in examples(text).items():
        output, seconds = compile_example(setup, name, title, example)
        wanted = {page.stem} if title == "Wrong" else set()
        codes = set(CODE.findall(output))
        if codes != wanted:
            reasons.append(f"{title} raises {', '.join(sorted(codes)) or 'nothing'}")
        if title == "Wrong" and not example.commands:
            file = Path(f"wrong{example.suffix}")
            asked = diagnostics.expectations(example.source, llvm_version(setup))
            reasons.append(diagnostics.compare(asked, diagnostics.parse_output(output, file)))
    reason = "; ".join(filter(None, reasons))
    return [Result(name, FAILED if reason else PASSED, reason=reason)]


def compile_example(setup: Setup, name: str, title: str, example: Example) -> "tuple[str, float]":
    """What the compiler says of a source, and how long it took."""
    folder = fresh_folder(setup.output / name / title.lower())
    file = f"{title.lower()}{example.suffix}"
    if example.source:
        (folder / file).write_text(example.source)
    output, seconds = "", 0.0
    # What is unused in a short example says nothing, but on the pages about that.
    about_unused = re.search(r"CUF(05\d\d|130[12])$", name)
    allow = [] if about_unused else ["--allow=unused"]
    for command in example.commands or [["cufls", "check", *allow, file]]:
        program = setup.cufc.parent / command[0] if command[0] in ("cufc", "cufls") else command[0]
        outcome = run([program, *command[1:]], folder, setup.timeout)
        if outcome.code is None or outcome.code < 0:
            output += f"[CUF0902] {outcome.problem()}"
        output += outcome.stdout + outcome.stderr
        seconds += outcome.seconds
    return output, seconds


def updated(setup: Setup, page: Path, text: str) -> str:
    """The page with the messages of its wrong source."""
    example = examples(text).get("Wrong")
    if example is None or example.commands:
        return text
    output, _ = compile_example(setup, f"explanations/{page.stem}", "Wrong", example)
    reported = diagnostics.parse_output(output, Path(f"wrong{example.suffix}"))
    rewritten = diagnostics.rewrite(example.source, reported, llvm_version(setup))
    return text.replace(example.source, rewritten)
