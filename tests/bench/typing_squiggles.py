#!/usr/bin/env python3
"""What is underlined for a moment while somebody types a program: it is typed key by key, diagnostics are asked for as
VS Code asks (after each change, and when the server says that they have changed), and those are counted that came and
went by themselves while the fingers were busy.

Usage: typing_squiggles.py CUFLS [PROGRAM...] [--keys 12] [--pause 0] [--rows]; `--keys` a second, `--pause` seconds at
the end of each line. Without a program, one of 120 lines is typed. Prints how many distinct diagnostics vanished,
the longest life of one in lines that were finished meanwhile, and the diagnostics of the finished text.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client  # noqa: E402

CAPABILITIES = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
PROGRAM = Path(__file__).with_name("typed_program.cuf").read_text()


class Typist:
    def __init__(self, client: Client, path: Path):
        self.client, self.path = client, path
        self.version, self.asked, self.refreshes = 1, None, 0
        self.shown: "dict[tuple, int]" = {}     # diagnostics on the screen, and the line that was being typed when they came
        self.ended: "list[tuple[tuple, int]]" = []
        self.line = 0

    def ask(self) -> None:
        if self.asked is None:
            self.asked = self.client.send_request("textDocument/diagnostic", {"textDocument": {"uri": self.path.as_uri()}})

    def take(self, items: "list[dict]") -> None:
        now = {(d["range"]["start"]["line"], d.get("code"), d["message"]) for d in items if d["severity"] <= 3 and not d.get("tags")}
        for gone in set(self.shown) - now:
            self.ended.append((gone, self.line - self.shown.pop(gone)))
        for come in now - set(self.shown):
            self.shown[come] = self.line

    def step(self, until: float) -> None:
        while self.client.step(until - time.monotonic()):
            if self.asked in self.client.answers:
                answer = self.client.answers.pop(self.asked)
                self.asked = None
                if "result" in answer:
                    self.take(answer["result"]["items"])
                if self.again:
                    self.again = False
                    self.ask()
            if any(r["method"] == "workspace/diagnostic/refresh" for r in self.client.requests):
                self.client.requests.clear()
                self.want()

    again = False

    def want(self) -> None:
        self.again = self.asked is not None
        self.ask()

    def type(self, text: str, key: float, pause: float) -> None:
        column = 0
        for character in text:
            self.version += 1
            where = {"line": self.line, "character": column}
            self.client.change(self.path, self.version, [{"range": {"start": where, "end": where}, "text": character}])
            column += 1
            if character == "\n":
                self.line, column = self.line + 1, 0
            self.want()
            self.step(time.monotonic() + key + (pause if character == "\n" else 0))

    def settle(self, seconds: float) -> None:
        self.step(time.monotonic() + seconds)


def measure(cufls: str, name: str, text: str, arguments: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text("")
        client = Client([cufls], cwd=Path(folder))
        client.initialize(Path(folder), CAPABILITIES)
        client.open(path, "")
        typist = Typist(client, path)
        typist.type(text, 1 / arguments.keys, arguments.pause)
        typist.settle(15)
        vanished = {what for what, _ in typist.ended}
        longest = max((lines for _, lines in typist.ended), default=0)
        print(f"{name}: {text.count(chr(10))} lines, {len(vanished)} diagnostics vanished by themselves, "
              f"the longest over {longest} lines; {len(typist.shown)} remain", flush=True)
        if arguments.rows:
            for (line, code, message), lines in typist.ended:
                print(f"  {line + 1}: {code} {message[:100]} ({lines} lines)")
            for line, code, message in typist.shown:
                print(f"  remains {line + 1}: {code} {message[:100]}")
        client.process.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cufls")
    parser.add_argument("programs", nargs="*", type=Path)
    parser.add_argument("--keys", type=float, default=12)
    parser.add_argument("--pause", type=float, default=0)
    parser.add_argument("--rows", action="store_true")
    arguments = parser.parse_args()
    for name, text in [(p.name, p.read_text()) for p in arguments.programs] or [("typed.cuf", PROGRAM)]:
        measure(str(Path(arguments.cufls).resolve()), name, text, arguments)


if __name__ == "__main__":
    main()
