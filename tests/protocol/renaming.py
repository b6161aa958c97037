#!/usr/bin/env python3
"""Renames names of the programs of tests/run one by one, and looks for new errors.

Each name of a program is renamed to a new one, and to another name of the same program, which the server has to
refuse or to do without harm. After each renaming the editor's text changes accordingly, the server's errors must
be those of before, and references must find the new name. In the end `cufls check` reads the result.
Programs are a sample that does not change; `--all` takes all of them, names given as arguments those.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
PROGRAMS = Path(__file__).resolve().parent.parent / "run"
SECONDS = float(os.environ.get("RENAMING_SECONDS", "15"))
NAME = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|![^\n]*|[A-Za-z]\w*")
REASONS: "Counter[str]" = Counter()


class Program:
    """A source file in the server, with its text as the server knows it."""

    def __init__(self, client: Client, path: Path, text: str):
        self.client, self.path, self.text, self.version = client, path, text, 1
        path.write_text(text)
        client.open(path, text)
        self.errors = self.find_errors()

    def find_errors(self) -> "list[str]":
        report = self.client.request("textDocument/diagnostic", {"textDocument": {"uri": self.path.as_uri()}})
        return [f"{d['range']['start']['line'] + 1}: {d['message']}" for d in report["items"] if d["severity"] == 1]

    def position(self, offset: int) -> dict:
        before = self.text[:offset]
        return {"line": before.count("\n"), "character": offset - (before.rfind("\n") + 1)}

    def offset(self, position: dict) -> int:
        at = 0
        for _ in range(position["line"]):
            at = self.text.index("\n", at) + 1
        return at + position["character"]

    def edits(self, offset: int, name: str) -> "list[tuple[int, int, str]] | None":
        """What a renaming changes; None if it is refused."""
        answer = self.client.wait(self.client.send_request("textDocument/rename", {
            "textDocument": {"uri": self.path.as_uri()}, "position": self.position(offset), "newName": name}))
        if "error" in answer:
            REASONS[re.sub(r"'[^']*'|\S+:\d+", "...", answer["error"]["message"])] += 1
            return None
        changes = answer["result"]["changes"]
        assert set(changes) <= {self.path.as_uri()}, changes.keys()
        return sorted((self.offset(edit["range"]["start"]), self.offset(edit["range"]["end"]), edit["newText"])
                      for edit in changes.get(self.path.as_uri(), []))

    def apply(self, edits: "list[tuple[int, int, str]]") -> None:
        for begin, end, text in reversed(edits):
            self.text = self.text[:begin] + text + self.text[end:]
        self.show()

    def show(self) -> None:
        self.version += 1
        self.client.change(self.path, self.version, [{"text": self.text}])

    def references(self, offset: int) -> int:
        return len(self.client.request("textDocument/references", {
            "textDocument": {"uri": self.path.as_uri()}, "position": self.position(offset),
            "context": {"includeDeclaration": True}}))

    def close(self) -> None:
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.path.as_uri()}})


def names(text: str) -> "list[re.Match[str]]":
    return [m for m in NAME.finditer(text) if m[0][0] not in "'\"!" and not m[0].endswith("_rn")]


def has_new_errors(program: Program, edits: "list[tuple[int, int, str]]", problems: "list[str]", what: str) -> bool:
    program.apply(edits)
    errors = program.find_errors()
    if errors != program.errors:
        problems.append(f"{what}: {errors[:2]}")
    return errors != program.errors


def rename_some(program: Program, chance: random.Random, most: int, end: float) -> "tuple[int, list[str]]":
    done, problems, tried = 0, [], set()
    while done < most and time.monotonic() < end:
        left = [m for m in names(program.text) if (m[0].lower(), m.start() // 400) not in tried]
        if not left:
            break
        found = chance.choice(left)
        tried.add((found[0].lower(), found.start() // 400))
        edits = program.edits(found.start(), found[0] + "_rn")
        if not edits:
            continue
        # The name of something else: refused, or harmless.
        other = chance.choice(names(program.text) or [found])[0]
        harmful = program.edits(found.start(), other) if other.lower() != found[0].lower() else None
        before = program.text
        if harmful:
            has_new_errors(program, harmful, problems, f"{found[0]} to {other}")
            program.text = before
        if has_new_errors(program, edits, problems, f"{found[0]} in line {before[:found.start()].count(chr(10)) + 1}"):
            program.text = before
            program.show()
            continue
        done += 1
        place = next((begin for begin, _, _ in edits if begin <= found.start()), edits[0][0])
        if not program.references(place):
            problems.append(f"{found[0]}: no references afterwards")
    return done, problems


def main(arguments: "list[str]") -> int:
    everything = "--all" in arguments
    wanted = [argument for argument in arguments if not argument.startswith("--")]
    paths = sorted(PROGRAMS.glob("*.cuf"))
    chance = random.Random(6)
    if wanted:
        paths = [PROGRAMS / f"{name}.cuf" for name in wanted]
    elif not everything:
        chance.shuffle(paths)
    end = time.monotonic() + (3600 if everything or wanted else SECONDS)
    client = Client([str(CUFLS)])
    client.initialize(None, {"general": {"positionEncodings": ["utf-8", "utf-16"]}})
    total, failed = 0, 0
    for path in paths:
        if total and time.monotonic() > end:
            break
        folder = Path.cwd() / path.stem
        folder.mkdir(exist_ok=True)
        (folder / "cufls.json").write_text("{}")
        program = Program(client, folder / path.name, path.read_bytes().decode("latin-1").encode("ascii", "replace").decode())
        if program.errors:
            program.close()
            continue
        done, problems = rename_some(program, chance, 1000 if everything or wanted else 4, end if total else end + 60)
        total += done
        (folder / path.name).write_text(program.text)
        check = subprocess.run([CUFLS, "check", path.name], cwd=folder, capture_output=True, text=True)
        if check.returncode not in (0, 1) or ": error:" in check.stdout + check.stderr:
            problems.append("check: " + (check.stdout + check.stderr)[:300])
        for problem in problems:
            print(f"{path.name}: {problem}", flush=True)
        failed += len(problems)
        program.close()
    client.stop()
    print(f"{total} names renamed, {failed} problems; refused:")
    for reason, count in REASONS.most_common(30):
        print(f"  {count:5} {reason}")
    return 1 if failed or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
