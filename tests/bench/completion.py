#!/usr/bin/env python3
"""How soon completion has the word that somebody wants: at random places of real sources an identifier is deleted and
its first two characters are typed again, as VS Code does it; the list is filtered and ordered as VS Code does it.

A request goes out for the first character, and another for the second if the answer said that it is incomplete.
Places are words of statements and of directives, without those where a new name is written (declared entities, names
and dummies of program units), without comments, strings and preprocessor lines.

Usage: completion.py CUFLS FOLDER... [--places 60] [--seed 1] [--rows] [--min-length 3]; a line for each folder: how
often the word was the first, among the first five, in the list, absent; `--rows` prints those that were not among five.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client  # noqa: E402
from harness.vscode_suggest import shown  # noqa: E402

CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"diagnostics": {"refreshSupport": True}},
    "textDocument": {
        "diagnostic": {},
        "completion": {
            "contextSupport": True,
            "completionItem": {"snippetSupport": True, "labelDetailsSupport": True, "insertReplaceSupport": True,
                               "insertTextModeSupport": {"valueSet": [1, 2]}, "commitCharactersSupport": True},
            "completionList": {"itemDefaults": ["commitCharacters", "editRange", "insertTextFormat", "insertTextMode", "data"]},
        },
    },
}
SUFFIXES = {".f90", ".F90", ".cuf", ".CUF", ".f", ".F"}
WORD = re.compile(r"'[^'\n]*'?|\"[^\"\n]*\"?|!.*|\d[\w.]*|[A-Za-z]\w*")
DIRECTIVE = re.compile(r"\s*[!cC*]\$(cuf|omp|acc)\b", re.I)
DECLARES = re.compile(r"\s*(integer|real|complex|logical|character|double|type\s*[(,:]|type\s+\w|class\s*\(|procedure\b.*::)", re.I)
UNIT = re.compile(r"\s*(?!end)[\w\s(),*=]*?\b(subroutine|function|program|module|submodule|interface|entry|namelist|common)\b(?!\s*[=%(])", re.I)


class Place:
    def __init__(self, line: int, begin: int, end: int, text: str):
        self.line, self.begin, self.end, self.text = line, begin, end, text


def new_names(statement: str, at: int) -> bool:
    """Whether a word of a statement is a name that the statement introduces."""
    before = statement[:at]
    if UNIT.match(statement) and not re.match(r"\s*(end|module\s+procedure)", statement, re.I):
        unit = UNIT.match(statement)
        result = re.search(r"\bbind\s*\(", before, re.I)
        return at >= unit.end() and not result and not re.match(r"(result|bind)\b", statement[at:], re.I)
    if not DECLARES.match(statement):
        return False
    behind = before.split("::")
    if len(behind) == 1:
        old_style = re.match(r"\s*(?:integer|real|complex|logical|character|double\s+precision)(?:\s*\*\s*\d+|\s*\([^()]*\))?\s+(?=\w)", statement, re.I)
        return bool(old_style) and "::" not in statement and at >= old_style.end()
    depth, value = 0, False
    for c in behind[-1]:
        depth += c in "([" and 1 or c in ")]" and -1 or 0
        value = (value or c == "=") and not (c == "," and depth == 0)
    return depth == 0 and not value


def places(text: str, fixed: bool, least: int) -> "list[Place]":
    found: "list[Place]" = []
    statement, continued = "", False
    for number, line in enumerate(text.splitlines()):
        directive = DIRECTIVE.match(line)
        comment = (fixed and line[:1] in "cC*!" or line.lstrip()[:1] == "!") and not directive
        if comment or not line.strip() or line[:1] == "#":
            continue
        begin = directive.end() if directive else 6 if fixed else 0
        if fixed and not directive:
            continued = line[5:6] not in ("", " ", "0")
        statement = statement if continued else ""
        for match in WORD.finditer(line, begin):
            word = match[0]
            if not word[0].isalpha() or len(word) < least or (fixed and match.end() > 72):
                continue
            before = statement + line[begin:match.start()]
            if not new_names(before + line[match.start():], len(before)):
                found.append(Place(number, match.start(), match.end(), word))
        code = re.sub(r"!.*", "", line[begin:])
        continued = not fixed and code.rstrip().endswith("&")
        statement += code.rstrip().rstrip("&")
    return found


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text).lower()


def is_wanted(item: dict, place: Place, line: str) -> bool:
    label = item["label"]
    head = re.match(r"\w+", label)
    if head and head[0].lower() == place.text.lower() and (len(head[0]) == len(label) or label[len(head[0])] in "(=<:%"):
        return True
    rest = squeezed(line[place.begin:])
    return item["kind"] in (14, 15) and len(squeezed(label)) >= len(place.text) and rest.startswith(squeezed(re.sub(r"[=(:].*", "", label)))


class Session:
    def __init__(self, cufls: str, folder: Path):
        self.client = Client([cufls], cwd=folder)
        self.client.initialize(folder, CAPABILITIES)
        self.version = 0

    def send(self, method: str, path: Path, **params: object) -> dict:
        return self.client.request(method, {"textDocument": {"uri": path.as_uri()}, **params}, 300)

    def edit(self, path: Path, line: int, begin: int, end: int, text: str) -> None:
        self.version += 1
        where = {"start": {"line": line, "character": begin}, "end": {"line": line, "character": end}}
        self.client.change(path, self.version, [{"range": where, "text": text}])

    def complete(self, path: Path, line: int, column: int) -> dict:
        return self.send("textDocument/completion", path, position={"line": line, "character": column}, context={"triggerKind": 1})

    def ask(self, path: Path, place: Place) -> "list[dict]":
        """The list after two characters; in the end the text is as it was."""
        self.edit(path, place.line, place.begin, place.end, "")
        self.send("textDocument/diagnostic", path)  # the analysis of the text without the word
        self.edit(path, place.line, place.begin, place.begin, place.text[0])
        answer = self.complete(path, place.line, place.begin + 1)
        self.edit(path, place.line, place.begin + 1, place.begin + 1, place.text[1])
        if answer["isIncomplete"]:
            answer = self.complete(path, place.line, place.begin + 2)
        self.edit(path, place.line, place.begin, place.begin + 2, place.text)
        return shown(answer["items"], place.text[:2])


def sources(folder: Path) -> "list[Path]":
    return sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())


def cause(place: Place, line: str, labels: "list[str]") -> str:
    before = line[:place.begin].rstrip()
    for what, pattern in (("directive", DIRECTIVE), ("kind", re.compile(r".*\d_$")), ("component", re.compile(r".*%$")),
                          ("CALL", re.compile(r".*\bcall$", re.I)), ("USE", re.compile(r"\s*use\b", re.I)),
                          ("statement", re.compile(r"\s*$"))):
        if pattern.match(before if what != "directive" else line):
            return what
    return "expression"


def measure(cufls: str, original: Path, count: int, chance: random.Random, arguments: argparse.Namespace) -> Counter:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        os.environ["XDG_CACHE_HOME"] = scratch + "/cache"
        folder = Path(scratch) / original.name
        shutil.copytree(original, folder, ignore=shutil.ignore_patterns(".git", "*.mod", "*.o"))
        texts = {path: path.read_bytes().decode("latin-1").encode("ascii", "replace").decode() for path in sources(folder)}
        every = [(path, place) for path, text in texts.items()
                 for place in places(text, path.suffix in (".f", ".F"), arguments.min_length)]
        chosen = sorted(chance.sample(every, min(count, len(every))), key=lambda row: str(row[0]))
        session = Session(cufls, folder)
        result: Counter = Counter()
        opened = None
        for path, place in chosen:
            if path != opened:
                path.write_text(texts[path])
                if opened:
                    session.client.notify("textDocument/didClose", {"textDocument": {"uri": opened.as_uri()}})
                session.client.open(path, texts[path])
                session.version, opened = 1, path
                session.send("textDocument/diagnostic", path)
            line = texts[path].splitlines()[place.line]
            items = session.ask(path, place)
            rank = next((n for n, item in enumerate(items) if is_wanted(item, place, line)), None)
            where = cause(place, line, [])
            result["places"] += 1
            result["first"] += rank == 0
            result["five"] += rank is not None and rank < 5
            result["absent"] += rank is None
            if rank is None or rank >= 5:
                result[f"{'absent' if rank is None else 'late'}: {where}"] += 1
                if arguments.rows:
                    print(f"  {path.relative_to(folder)}:{place.line + 1}:{place.begin + 1} {place.text}: "
                          f"{'absent' if rank is None else rank + 1} of {len(items)} {[i['label'] for i in items[:5]]} | {line.strip()[:90]}", flush=True)
        session.client.process.kill()
        return result


def report(name: str, result: Counter) -> None:
    total = max(1, result["places"])
    print(f"{name}: {result['places']} places, first {100 * result['first'] / total:.1f} %, among five {100 * result['five'] / total:.1f} %, "
          f"absent {100 * result['absent'] / total:.1f} %  {({k: v for k, v in result.items() if ':' in k})}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cufls")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--places", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--min-length", type=int, default=3)
    parser.add_argument("--rows", action="store_true")
    arguments = parser.parse_args()
    total: Counter = Counter()
    for folder in arguments.folders:
        result = measure(str(Path(arguments.cufls).resolve()), folder.resolve(), arguments.places, random.Random(arguments.seed), arguments)
        report(folder.name, result)
        total += result
    report("all", total)


if __name__ == "__main__":
    main()
