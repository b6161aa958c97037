#!/usr/bin/env python3
"""Definitions, references and hover of random identifiers of real sources, compared with a resolver of its own.

The resolver reads declarations by regular expressions and follows Fortran's scope rules (19.5): the procedure, its
hosts, and modules by USE with ONLY and renames. It knows free form without components, statement functions and
preprocessor conditions around declarations; what it cannot resolve, and names with several declarations in a scope
(generic procedures, conditions), is left out, as are intrinsic procedures, keywords, and names that an ASSOCIATE or a
DO CONCURRENT of the same procedure gives to something of its own (19.4). Dummies in interface bodies may lead to those of
the procedure. A definition is right if it
leads to the line where the resolver finds the declaration; references, if they hold the place itself and the
declaration; hover, if it is there.

Usage: navigation.py CUFLS FOLDER... [--places 200] [--seed 1] [--rows] [--flags-from make]
"""

from __future__ import annotations

import argparse
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

NAME = r"[a-z]\w*"
OPENS = re.compile(r"(?:(?:attributes\s*\([^)]*\)|pure|elemental|recursive|impure|module|(?:integer|real|complex|logical|character|double\s+precision|"
                   rf"type|class)\s*(?:\*\s*\d+)?(?:\([^()]*(?:\([^()]*\))?[^()]*\))?)\s+)*(subroutine|function)\s+({NAME})\s*(?:\(|$|bind|result)", re.I)
UNIT = re.compile(rf"(module|program|submodule\s*\([^)]*\))\s+(?!procedure\b|subroutine\b|function\b)({NAME})\s*$", re.I)
TYPE = re.compile(rf"type(?:\s*,[^:]*)?(?:\s*::\s*|\s+)({NAME})\s*$", re.I)
INTERFACE = re.compile(rf"(?:abstract\s+)?interface(?:\s+(.*))?$", re.I)
DECLARES = re.compile(r"(integer|real|complex|logical|character|double\s+precision|type\s*\(|class\s*\(|procedure\s*\()", re.I)
END = re.compile(r"end\s*(module|program|submodule|subroutine|function|type|interface|procedure)?\b(?!\s*[=(%])", re.I)
OTHER_END = re.compile(r"end\s*(do|if|select|where|forall|associate|block|critical|enum|file|team)\b", re.I)
USE = re.compile(rf"use\b(?:\s*,\s*(?:non_)?intrinsic)?\s*(?:::)?\s*({NAME})\s*(?:,(.*))?$", re.I)


class Scope:
    def __init__(self, kind: str, name: str, parent: "Scope | None", path: Path, line: int):
        self.kind, self.name, self.parent, self.path, self.line = kind, name.lower(), parent, path, line
        self.end = line
        self.names: "dict[str, list[tuple[Path, int]]]" = {}
        self.uses: "list[tuple[str, dict[str, str] | None, dict[str, str]]]" = []

    def add(self, name: str, line: int) -> None:
        places = self.names.setdefault(name.lower(), [])
        if (self.path, line) not in places:
            places.append((self.path, line))


def bare(text: str) -> str:
    """Without strings and comment, of the same length up to there."""
    text = re.sub(r"'[^'\n]*'|\"[^\"\n]*\"", lambda m: "'" + "x" * (len(m[0]) - 2) + "'", text)
    return text.split("!")[0]


def statements(text: str) -> "list[tuple[str, list[int]]]":
    """Statements, with the line of each character."""
    found: "list[tuple[str, list[int]]]" = []
    whole, lines, goes_on = "", [], False
    for number, line in enumerate(text.splitlines()):
        if line.startswith("#") or not bare(line).strip():
            continue
        code = bare(line)
        if goes_on and code.lstrip().startswith("&"):
            code = " " * (code.index("&") + 1) + code[code.index("&") + 1:]
        goes_on = code.rstrip().endswith("&")
        code = code.rstrip().rstrip("&") if goes_on else code
        whole += code
        lines += [number] * len(code)
        if not goes_on:
            at = 0
            for part in whole.split(";"):
                found.append((part, lines[at:at + len(part)]))
                at += len(part) + 1
            whole, lines = "", []
    return found


def entities(text: str) -> "list[tuple[str, int]]":
    """The names of a list "a(n) = 1, b", with their offsets."""
    found, depth, wants = [], 0, True
    for match in re.finditer(rf"{NAME}|\S", text, re.I):
        if match[0] in "([":
            depth += 1
        elif match[0] in ")]":
            depth -= 1
        elif match[0] == "," and depth == 0:
            wants = True
        elif wants and depth == 0 and match[0][0].isalpha():
            found.append((match[0], match.start()))
            wants = False
    return found


class File:
    def __init__(self, path: Path, text: str, modules: "dict[str, list[Scope]]"):
        self.path, self.scopes = path, []
        self.top = Scope("file", "", None, path, 0)
        self.now, self.modules = self.top, modules
        for statement, lines in statements(text):
            stripped = statement.strip()
            if stripped and lines:
                self.read(stripped, lines[len(statement) - len(statement.lstrip()):], re.sub(rf"^\d+\s+", "", stripped))
        self.top.end = 10 ** 9

    def push(self, kind: str, name: str, line: int) -> None:
        self.now = Scope(kind, name, self.now, self.path, line)
        self.scopes.append(self.now)

    def read(self, text: str, lines: "list[int]", bare_text: str) -> None:
        if OTHER_END.match(text):
            return
        if END.match(text) and (END.match(text)[1] or text.lower() == "end"):
            self.now.end = lines[-1]
            self.now = self.now.parent or self.now
            return
        if (unit := UNIT.match(text)):
            name_line = lines[unit.start(2)]
            self.push(unit[1].split("(")[0].strip().lower(), unit[2], lines[0])
            if self.now.kind == "module":
                self.modules.setdefault(self.now.name, []).append(self.now)
                self.now.own = (self.path, name_line)
        elif (procedure := OPENS.match(text)):
            line = lines[procedure.start(2)]
            if self.now.kind != "file":
                self.now.add(procedure[2], line)
            kind = self.now.kind
            self.push("procedure", procedure[2], lines[0])
            if procedure[1].lower() == "function" and not re.search(r"\bresult\s*\(", text, re.I):
                self.now.names[procedure[2].lower()] = [(self.path, line), (self.path, -1)]
            if kind == "interface":
                self.now.body = True
        elif INTERFACE.match(text) and not re.match(r"interface\s*[=(%]", text, re.I):
            generic = INTERFACE.match(text)[1] or ""
            if re.fullmatch(NAME, generic.strip(), re.I):
                self.now.names.setdefault(generic.strip().lower(), []).extend([(self.path, -1), (self.path, -2)])
            self.push("interface", "", lines[0])
        elif TYPE.match(text) and not re.match(r"type\s+is\b", text, re.I):
            self.now.add(TYPE.match(text)[1], lines[TYPE.match(text).start(1)])
            self.push("type", TYPE.match(text)[1], lines[0])
        elif USE.match(text):
            self.use(USE.match(text))
        elif DECLARES.match(text) and self.now.kind not in ("type", "file"):
            self.declare(text, lines)

    def use(self, match: "re.Match[str]") -> None:
        names: "dict[str, str] | None" = None
        renames: "dict[str, str]" = {}
        rest = match[2] or ""
        if re.match(r"\s*only\s*:", rest, re.I):
            names = {}
            rest = rest.split(":", 1)[1]
        for item in rest.split(","):
            local, _, remote = (part.strip().lower() for part in item.partition("=>"))
            if re.fullmatch(NAME, local):
                (names if names is not None else renames)[local] = remote or local
        self.now.uses.append((match[1].lower(), names, renames))

    def declare(self, text: str, lines: "list[int]") -> None:
        if "::" in text:
            begin = text.index("::") + 2
        else:
            head = re.match(r"(?:double\s+precision|\w+)(?:\s*\*\s*\d+|\s*\((?:[^()]|\([^()]*\))*\))?\s+(?=[a-z])", text, re.I)
            if not head or re.match(r"\w+\s*(=|%|\()", text[head.end():] if head.end() else text) and "=" in text:
                return
            begin = head.end()
        for name, at in entities(text[begin:]):
            self.now.add(name, lines[min(begin + at, len(lines) - 1)])

    def scope_at(self, line: int) -> Scope:
        inner = self.top
        for scope in self.scopes:
            if scope.line <= line <= scope.end and (inner is self.top or scope.line >= inner.line):
                inner = scope
        return inner


class Resolver:
    def __init__(self, texts: "dict[Path, str]"):
        self.modules: "dict[str, list[Scope]]" = {}
        self.files = {path: File(path, text, self.modules) for path, text in texts.items()}

    def imported(self, scope: Scope, name: str, seen: "set[str]") -> "list[tuple[Path, int]]":
        found = []
        for module, only, renames in scope.uses:
            if len(self.modules.get(module, [])) != 1:
                continue
            wanted = only.get(name) if only is not None else renames.get(name, name)
            if wanted and module + "." + wanted not in seen:
                seen.add(module + "." + wanted)
                inner = self.modules[module][0]
                found += inner.names.get(wanted) or self.imported(inner, wanted, seen)
        return found

    def resolve(self, path: Path, line: int, name: str) -> "tuple[Path, int] | None":
        scope: "Scope | None" = self.files[path].scope_at(line)
        if scope and scope.kind in ("type", "interface"):
            return None
        while scope:
            found = scope.names.get(name) or self.imported(scope, name, set())
            if found:
                return found[0] if len(set(found)) == 1 else None
            if any(len(self.modules.get(module, [])) != 1 and only is None for module, only, _ in scope.uses):
                return None  # it may come from there
            scope = None if getattr(scope, "body", False) else scope.parent
        return None


def construct_names(text: str, file: File) -> "set[tuple[int, str]]":
    """Names that constructs make, with the first line of the procedure."""
    found = set()
    for statement, lines in statements(text):
        head = re.match(rf"\s*(?:{NAME}\s*:)?\s*(?:associate|do\s+concurrent)\b(.*)", statement, re.I)
        for name in re.findall(rf"({NAME})\s*=", head[1], re.I) if head else ():
            found.add((file.scope_at(lines[0]).line, name.lower()))
    return found


def unclosed(text: str) -> "dict[int, int]":
    """How many parentheses are open where a line that goes on a statement begins."""
    open_at = {}
    for statement, lines in statements(text):
        depth, last = 0, -1
        for character, line in zip(statement, lines):
            if line != last:
                open_at[line], last = depth, line
            depth += (character == "(") - (character == ")")
    return open_at


def candidates(path: Path, text: str, resolver: Resolver) -> "list[tuple[Path, int, int, str, tuple[Path, int]]]":
    found = []
    own, open_at = construct_names(text, resolver.files[path]), unclosed(text)
    for number, line in enumerate(text.splitlines()):
        if line.startswith("#"):
            continue
        for match in re.finditer(rf"(?<![\w.%]){NAME}", bare(line), re.I):
            before = line[:match.start()].rstrip()
            depth = open_at.get(number, 0) + before.count("(") - before.count(")")
            if before.endswith("%") or (re.match(r"\s*=(?!=)", line[match.end():]) and depth > 0):
                continue
            if (resolver.files[path].scope_at(number).line, match[0].lower()) in own:
                continue
            target = resolver.resolve(path, number, match[0].lower())
            if target and target[1] >= 0 and not re.match(r"\s*(end|use|type\s*[,:]|public|private)\b", line, re.I):
                found.append((path, number, match.start(), match[0], target))
    return found


def is_inactive(client: Client, path: Path, line: int) -> bool:
    """Whether the preprocessor leaves a line out, as the server has said of the open file."""
    regions = [n["params"]["regions"] for n in client.notifications
               if n["method"] == "cufls/inactiveRegions" and n["params"]["textDocument"]["uri"] == path.as_uri()]
    return any(r["start"]["line"] <= line <= r["end"]["line"] for r in (regions[-1] if regions else []))


def measure(cufls: str, original: Path, arguments: argparse.Namespace) -> Counter:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        os.environ["XDG_CACHE_HOME"] = scratch + "/cache"
        folder = Path(scratch) / original.name
        shutil.copytree(original, folder, ignore=shutil.ignore_patterns(".git", "*.mod", "*.o"))
        if arguments.flags_from:
            subprocess.run([cufls, "flags", f"--from={arguments.flags_from}"], cwd=folder, check=False, capture_output=True)
        texts = {}
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".f90", ".F90", ".cuf", ".CUF") and path.is_file():
                texts[path] = path.read_bytes().decode("latin-1").encode("ascii", "replace").decode()
                path.write_text(texts[path])
        resolver = Resolver(texts)
        every = [row for path, text in texts.items() for row in candidates(path, text, resolver)]
        chance = random.Random(arguments.seed)
        chance.shuffle(every)
        client = Client([cufls], cwd=folder)
        client.initialize(folder, {"experimental": {"inactiveRegions": True}})
        result: Counter = Counter()
        opened: "set[Path]" = set()
        for path, line, column, name, target in every:
            if result["places"] >= arguments.places:
                break
            if path not in opened:
                client.open(path, texts[path])
                opened.add(path)
                client.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}}, 300)
            if is_inactive(client, path, line):
                result["inactive"] += 1
                continue
            ask = {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": column}}
            found = client.request("textDocument/definition", ask, 300) or []
            found = found if isinstance(found, list) else [found]
            places = {(p.get("uri") or p["targetUri"], (p.get("range") or p["targetSelectionRange"])["start"]["line"]) for p in found}
            references = client.request("textDocument/references", ask | {"context": {"includeDeclaration": True}}, 300) or []
            used = {(p["uri"], p["range"]["start"]["line"]) for p in references}
            wanted = (target[0].as_uri(), target[1])
            body = resolver.files[path].scope_at(line)
            inner = bool(body.parent and body.parent.kind == "interface" and bool(places))
            right = {"definition": wanted in places or inner, "references": wanted in used and (path.as_uri(), line) in used,
                     "hover": bool(client.request("textDocument/hover", ask, 300))}
            result["places"] += 1
            for what, good in right.items():
                result[what] += good
            if arguments.rows and not all(right.values()):
                print(f"  {path.relative_to(folder)}:{line + 1}:{column + 1} {name}: wanted {target[0].name}:{target[1] + 1}, definition "
                      f"{[(Path(u).name, l + 1) for u, l in places]} {[w for w, good in right.items() if not good]} | {texts[path].splitlines()[line].strip()[:80]}", flush=True)
        client.process.kill()
        client.process.wait()
        return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cufls")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--places", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", action="store_true")
    parser.add_argument("--flags-from", default="", help="what `cufls flags --from` is told")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        result = measure(str(Path(arguments.cufls).resolve()), folder.resolve(), arguments)
        total = max(1, result["places"])
        print(f"{folder.name}: {result['places']} places ({result['inactive']} more in inactive branches), " +
              ", ".join(f"{what} {100 * result[what] / total:.1f} %" for what in ("definition", "references", "hover")), flush=True)


if __name__ == "__main__":
    main()
