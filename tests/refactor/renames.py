#!/usr/bin/env python3
"""Renames in public code: after each, `cufls check` of the project says what it said before.

Usage: renames.py CUFLS FOLDER[=BUILD]... [--places=100] [--seed=1] [--rows]

Each FOLDER has the sources of one application, which whoever runs this has fetched; BUILD is what `cufls flags --from`
is told. Names of all kinds (variables, components, procedures, modules, types, constants, labels) are drawn at random
from copies, renamed by the server, and the edits made in a second copy, of which the diagnostics are compared, with
lines and columns' lines. A rename that is refused is printed with the reason. Not part of `./dev test`.
"""
from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client  # noqa: E402

SUFFIXES = {".f90", ".F90", ".f", ".F", ".for", ".cuf", ".CUF", ".f95", ".f03"}
NAME = r"[A-Za-z]\w*"
KINDS = {  # of names, by the text around them; group 1 is the name
    "component": rf"%\s*({NAME})",
    "procedure": rf"\b(?:call|subroutine|function)\s+({NAME})",
    "module": rf"^\s*(?:use|module)\s+(?!procedure\b|subroutine\b|function\b)({NAME})\s*(?:,|$)",
    "type": rf"\b(?:type|class)\s*\(\s*({NAME})",
    "constant": rf"\bparameter\b[^:]*::\s*({NAME})",
    "dummy": rf"\bintent\s*\([^)]*\)[^:]*::\s*({NAME})",
    "label": r"^\s{0,5}(\d+)\s+\S",
    "name": rf"(?<![\w.%])({NAME})(?=\s*(?:[-+*/=(),]|$))",
}


def bare(line: str, fixed: bool) -> str:
    if line.startswith("#") or (fixed and line[:1] in "cC*!dD"):
        return ""
    line = re.sub(r"'[^']*'|\"[^\"]*\"", lambda m: " " * len(m[0]), line)
    return line.split("!")[0]


def candidates(path: Path, text: str) -> "list[tuple[str, Path, int, int, str]]":
    found = []
    for number, line in enumerate(text.splitlines()):
        code = bare(line, path.suffix in (".f", ".F", ".for"))
        for kind, pattern in KINDS.items():
            found += [(kind, path, number, m.start(1), m[1]) for m in re.finditer(pattern, code, re.I)]
    return found


def offsets(text: str) -> "list[int]":
    result = [0]
    for line in text.split("\n"):
        result.append(result[-1] + len(line) + 1)
    return result


def edited(text: str, edits: "list[dict]") -> str:
    starts = offsets(text)
    places = [(starts[e["range"]["start"]["line"]] + e["range"]["start"]["character"],
               starts[e["range"]["end"]["line"]] + e["range"]["end"]["character"], e["newText"]) for e in edits]
    for begin, end, new in sorted(places, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


class Project:
    def __init__(self, cufls: str, original: Path, build: str, scratch: str):
        self.cufls, self.environment = cufls, {**os.environ, "XDG_CACHE_HOME": scratch + "/cache"}
        self.folder, self.changed = Path(scratch) / original.name, Path(scratch) / "changed" / original.name
        for copy in (self.folder, self.changed):
            shutil.copytree(original, copy, ignore=shutil.ignore_patterns(".git", "*.mod", "*.o"))
            for path in copy.rglob("*"):
                if path.suffix in SUFFIXES and path.is_file():
                    path.write_text(path.read_bytes().decode("latin-1").encode("ascii", "replace").decode())
            if build:
                subprocess.run([cufls, "flags", f"--from={build}"], cwd=copy, env=self.environment, check=False, capture_output=True)
        self.build = [f"--flags-from={build}"] if build else []

    def check(self, old: str = "", new: str = "") -> "Counter[tuple]":
        done = subprocess.run([self.cufls, "check", "--format=json", *self.build, "."], cwd=self.changed, env=self.environment,
                              check=False, capture_output=True, text=True, timeout=1200)
        if not done.stdout.strip():
            return Counter({("none", done.stderr[:200]): 1})
        return Counter((d["file"], d["line"], d["code"], re.sub(re.escape(new), old, d["message"], flags=re.I).lower() if new
                        else d["message"].lower()) for d in json.loads(done.stdout)["diagnostics"])

    def apply(self, edit: dict) -> "dict[Path, str]":
        """The texts before, by file."""
        before = {}
        changes = edit.get("changes") or {c["textDocument"]["uri"]: c["edits"] for c in edit["documentChanges"] if "edits" in c}
        for uri, edits in changes.items():
            path = self.changed / Path(uri.removeprefix("file://")).relative_to(self.folder)
            before[path] = path.read_text()
            path.write_text(edited(before[path], edits))
        return before


def rename(project: Project, client: Client, row: tuple, opened: "set[Path]", count: Counter, before: Counter) -> str:
    kind, path, line, column, name = row
    if path not in opened:
        client.open(path, path.read_text())
        opened.add(path)
        client.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}}, 300)
    place = {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": column}}
    try:
        ready = client.request("textDocument/prepareRename", place, 300)
    except RuntimeError as error:  # the answer says why
        ready = None
        reason = str(error)
    else:
        reason = "" if ready else "not a name"
    if not ready:
        count["none"] += 1
        return f"no name: {reason}"
    new = name + "7" if kind == "label" else name[:50] + "_zz"
    while True:
        answer = client.wait(client.send_request("textDocument/rename", {**place, "newName": new}), 300)
        if "still being read" not in answer.get("error", {}).get("message", ""):
            break
        client.step(0.5)
    if "error" in answer:
        count["refused"] += 1
        return f"refused: {answer['error']['message']}"
    edit = answer["result"]
    texts = project.apply(edit)
    after = project.check(name.lower(), new.lower())
    for file, text in texts.items():
        file.write_text(text)
    count["renamed"] += 1
    count["kind " + kind] += 1
    count["files"] += len(texts)
    if after == before:
        return ""
    count["differ"] += 1
    return f"DIFFERS: new {list((after - before).items())[:2]}, gone {list((before - after).items())[:2]}"


def draw(project: Project, seed: int) -> "list[tuple]":
    """All names, so that those of each kind come in turn."""
    chance = random.Random(seed)
    by_kind: "dict[str, list]" = {kind: [] for kind in KINDS}
    for path in sorted(project.folder.rglob("*")):
        if path.suffix in SUFFIXES and path.is_file():
            for row in candidates(path, path.read_text()):
                by_kind[row[0]].append(row)
    for rows in by_kind.values():
        chance.shuffle(rows)
    return [rows[i] for i in range(2000) for rows in by_kind.values() if i < len(rows)]


def measure(cufls: str, original: Path, build: str, places: int, arguments: argparse.Namespace) -> Counter:
    count: Counter = Counter()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        project = Project(cufls, original, build, scratch)
        before = project.check()
        client = Client([cufls], env=project.environment, cwd=project.folder)
        client.initialize(project.folder)
        opened: "set[Path]" = set()
        for row in draw(project, arguments.seed):
            if count["renamed"] >= places or count["refused"] > places:
                break
            said = rename(project, client, row, opened, count, before)
            if said and (arguments.rows or not said.startswith("no name")):
                print(f"  {row[0]} {row[1].relative_to(project.folder)}:{row[2] + 1}:{row[3] + 1} {row[4]}: {said[:300]}", flush=True)
        client.process.kill()
        client.process.wait()
    return count


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("cufls")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--places", type=int, default=100, help="over all folders")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", action="store_true")
    arguments = parser.parse_args()
    total: Counter = Counter()
    for folder in arguments.folders:
        name, _, build = folder.partition("=")
        count = measure(str(Path(arguments.cufls).resolve()), Path(name).resolve(), build,
                        -(-arguments.places // len(arguments.folders)), arguments)
        print(f"{Path(name).name}: {dict(count)}", flush=True)
        total += count
    print(f"all: {total['renamed']} renamed in {total['files']} files, {total['differ']} with other diagnostics, {total['refused']} refused")
    return 1 if total["differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
