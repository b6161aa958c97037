"""Code actions give programs that compile: in correct programs, each action that is offered anywhere is
applied, and there must be no error afterwards. In broken ones and at places that are not there, every
request has to be answered.
"""

from __future__ import annotations

import random
import time
from functools import partial
from pathlib import Path

from .execution import fresh_folder
from .format_tests import broken
from .ide_tests import CAPABILITIES, applied
from .lsp_client import Client
from .model import FAILED, PASSED, Result, Setup, Test
from .sample import is_taken

FOLDERS = ("tests/run", "docs/examples")
EVERY = 10  # of how many sources one is tried; of these CI takes every third
MOST = 12  # actions of one source


def discover(setup: Setup) -> "list[Test]":
    return [Test("actions/compile", partial(run_test, setup, compile_all)),
            Test("actions/broken", partial(run_test, setup, ask_everywhere))]


class Editor:
    """One document at a time, as a client sees it."""

    def __init__(self, setup: Setup, folder: Path):
        self.client = Client([str(setup.cufc.with_name("cufls"))])
        self.client.initialize(None, CAPABILITIES)
        self.folder, self.number = folder, 0

    def open(self, source: Path, text: str) -> None:
        self.number += 1
        self.path = self.folder / f"{self.number}{source.suffix}"
        self.path.write_text(text)
        self.uri = {"uri": self.path.as_uri()}
        self.client.open(self.path, text)
        self.version = 1

    def close(self) -> None:
        self.client.notify("textDocument/didClose", {"textDocument": self.uri})
        self.client.notifications.clear()

    def change(self, text: str) -> None:
        self.version += 1
        self.client.change(self.path, self.version, [{"text": text}])

    def errors(self) -> "list[str]":
        report = self.client.request("textDocument/diagnostic", {"textDocument": self.uri})
        return [f"{item['range']['start']['line'] + 1}: {item['message']}"
                for item in report["items"] if item["severity"] == 1]

    def actions(self, line: int, character: int) -> "list[dict]":
        place = {"line": line, "character": character}
        return self.client.request("textDocument/codeAction", {
            "textDocument": self.uri, "range": {"start": place, "end": place}, "context": {"diagnostics": []}})


def sources(setup: Setup) -> "list[Path]":
    found = sorted(path for part in FOLDERS for path in (setup.root / part).rglob("*.cuf"))
    return [path for path in found[::EVERY] if is_taken(f"actions {path.name}", 3)]


def distinct_actions(editor: Editor, text: str) -> "list[tuple]":
    """(line, action) for each that some line offers, once."""
    found, seen = [], set()
    for number, line in enumerate(text.splitlines()):
        column = len(line) - len(line.lstrip())
        words = {column, line.find("subroutine ") + len("subroutine ") if "attributes(global)" in line else column}
        for character in sorted(words):
            for action in editor.actions(number, character):
                key = (action["title"], str(action["edit"]))
                if key not in seen:
                    seen.add(key)
                    found.append((number + 1, action))
    return found


def compile_all(setup: Setup, editor: Editor, path: Path, text: str) -> "list[str]":
    editor.open(path, text)
    if editor.errors():  # needs options or other files
        editor.close()
        return []
    problems = []
    found = distinct_actions(editor, text)
    for line, action in found if len(found) <= MOST else random.Random(path.name).sample(found, MOST):
        editor.change(applied(text, action["edit"]["changes"].get(editor.uri["uri"], [])))
        if errors := editor.errors():
            problems.append(f"{path.relative_to(setup.root)}:{line}: {action['title']}: {errors[0]}")
    editor.close()
    return problems


def ask_everywhere(setup: Setup, editor: Editor, path: Path, text: str) -> "list[str]":
    source = random.Random(path.name)
    editor.open(path, text)
    for _ in range(3):
        text = broken(text, path.name + str(source.random()))
        editor.change(text)  # the analysis is that of an older text
        for _ in range(6):
            line = source.randrange(text.count("\n") + 3)
            for action in editor.actions(line, source.randrange(80)):
                applied(text, action["edit"]["changes"].get(editor.uri["uri"], []))
    editor.close()
    return []


def run_test(setup: Setup, work) -> "list[Result]":
    name, begin = f"actions/{'compile' if work is compile_all else 'broken'}", time.monotonic()
    problems = []
    try:
        editor = Editor(setup, fresh_folder(setup.output / name))
        for path in sources(setup):
            problems += work(setup, editor, path, path.read_text())
        editor.client.stop()
    except Exception as error:  # the server is gone, or the test is wrong
        problems.append(f"{type(error).__name__}: {error}")
    return [Result(name, FAILED if problems else PASSED, time.monotonic() - begin, "\n".join(problems))]
