"""tests/ide: what the language server answers, as data.

A test is a source with marks ($0, $1, ... which are taken out), perhaps further files, and a script:

    program p
      use m
      call s$0(1)
    end program
    !! file m.cuf
    module m
    ...
    !! hover $0
    !| what is answered, as text
    !! references $0 {"context": {"includeDeclaration": true}}
    !| p.cuf 3:8-3:9
    !! edit $0 "(2"
    !! completion $1

A step is the name of a request (of textDocument/ if there is no slash) with the mark that gives its
position, or two marks $0-$1 for a range, and more parameters as JSON, in which strings such as "$0"
are positions and "$uri" names the file. `edit` puts text in place of a mark or a range; `wait` waits until the newest text is
analysed, `index` until all files are. Expected answers stand below their steps; `--update` writes them, to be read.

RENDER has a function for results that read better than as JSON. In all of them positions count from 1
and files are named as in the test.
"""

from __future__ import annotations

import difflib
import json
import re
import threading
import time
from functools import partial
from pathlib import Path

from . import ide_text
from .execution import fresh_folder
from .lsp_client import Client
from .model import FAILED, PASSED, Result, Setup, Test

MARK = re.compile(r"\$(\d)")
STEP = re.compile(r"^!! ([\w/$]+)(?: \$(\d)(?:-\$(\d))?)?(?: (.*))?$")
CAPABILITIES = {
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True, "labelDetailsSupport": True}},
        "signatureHelp": {"signatureInformation": {"parameterInformation": {"labelOffsetSupport": True}}},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "foldingRange": {"lineFoldingOnly": False},
        "rename": {"prepareSupport": True},
    },
}


def discover(setup: Setup) -> "list[Test]":
    return [Test(f"ide/{path.stem}", partial(run_test, setup, path))
            for path in sorted((setup.root / "tests/ide").glob("*.*")) if path.suffix.lower() in (".cuf", ".f", ".f90", ".inc")]


# ------------------------------------------------------------------------------------- the test file


class Script:
    """The files of a test with their marks, and its steps."""

    def __init__(self, name: str, text: str):
        self.sources: "dict[str, str]" = {}
        self.marks: "dict[str, tuple]" = {}  # mark to (file, line, column), from 0
        self.steps: "list[list]" = []  # [line, mark, mark, rest], expected lines
        self.head = ""  # what stands before the steps
        self.main = name
        current, lines = name, []
        for line in text.splitlines():
            if line.startswith("!! file "):
                self.add(current, lines)
                current, lines = line.split()[2], []
            elif line.startswith("!! ") and STEP.match(line):
                self.steps.append([line, []])
                continue
            elif line.startswith("!|") and self.steps:
                self.steps[-1][1].append(line[3:])
                continue
            else:
                lines.append(line)
            self.head += line + "\n"
        self.add(current, lines)

    def add(self, name: str, lines: "list[str]") -> None:
        clean = []
        for number, line in enumerate(lines):
            while found := MARK.search(line):
                self.marks[found[1]] = (name, number, found.start())
                line = line[:found.start()] + line[found.end():]
            clean.append(line)
        self.sources[name] = "\n".join(clean) + "\n"


# ------------------------------------------------------------------------------------------ sessions


class Session:
    """The files of one test in the server that all tests share."""

    def __init__(self, client: Client, folder: Path, script: Script):
        self.client, self.folder, self.script = client, folder, script
        self.version = 1
        for name, text in script.sources.items():
            (folder / name).write_text(text)
        self.path = folder / script.main
        self.text = script.sources[script.main]
        client.notifications.clear()
        client.open(self.path, self.text)
        self.wait()
        if len(script.sources) > 1:
            self.wait_for_index()

    def wait(self) -> None:
        self.client.request("textDocument/diagnostic", {"textDocument": {"uri": self.path.as_uri()}})

    def wait_for_index(self, seconds: float = 20) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = [n["params"] for n in self.client.notifications if n["method"] == "cufls/status"]
            if not self.client.step(0.05) and found and found[-1]["state"] == "idle" and found[-1]["indexed"] == found[-1]["sources"]:
                return

    def close(self) -> None:
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.path.as_uri()}})

    def position(self, mark: str) -> dict:
        _, line, column = self.script.marks[mark]
        return {"line": line, "character": column}

    def perform(self, line: str) -> str:
        name, mark, end, rest = STEP.match(line).groups()
        if name == "wait":
            self.wait()
            return ""
        if name == "index":
            self.wait_for_index()
            return ""
        if name == "edit":
            self.edit(mark, end or mark, json.loads(rest))
            return ""
        if name == "resolve":
            return self.resolve(mark, json.loads(rest))
        if name in HIERARCHY:
            return self.follow(name, mark)
        if name == "action":
            return self.action(mark, end or mark, json.loads(rest))
        method = name if "/" in name else "textDocument/" + name
        params = {"textDocument": {"uri": self.path.as_uri()}} if not name.startswith("workspace/") else {}
        if mark and end:
            params["range"] = {"start": self.position(mark), "end": self.position(end)}
        elif mark:
            params["position"] = self.position(mark)
        params |= self.with_positions(json.loads(rest)) if rest else {}
        number = self.client.send_request(method, params)
        answer = self.client.wait(number)
        if "error" in answer:
            return "error: " + answer["error"]["message"]
        render = RENDER.get(name, as_text)
        return render(Results(self), answer["result"])

    def resolve(self, mark: str, label: str) -> str:
        params = {"textDocument": {"uri": self.path.as_uri()}, "position": self.position(mark)}
        items = self.client.request("textDocument/completion", params)["items"]
        chosen = next((item for item in items if item["label"] == label), None)
        if chosen is None:
            return "no such item"
        item = self.client.request("completionItem/resolve", chosen)
        return f"{item.get('detail', '')}\n{item.get('documentation', {}).get('value', '')}".rstrip()

    def follow(self, name: str, mark: str) -> str:
        """A step in a hierarchy from each item that is prepared at a mark."""
        prepare, follow = HIERARCHY[name]
        params = {"textDocument": {"uri": self.path.as_uri()}, "position": self.position(mark)}
        lines = []
        for item in self.client.request(prepare, params) or []:
            lines.append(f"{item['name']}:")
            for result in self.client.request(follow, {"item": item}) or []:
                other = result.get("from", result.get("to", result))
                places = " ".join(Results.range(place) for place in result.get("fromRanges", []))
                lines.append(f"  {hierarchy_item(Results(self), other)}" + (f" at {places}" if places else ""))
        return "\n".join(lines) or "none"

    def action(self, begin: str, end: str, title: str) -> str:
        """What the text is after a code action, and what the analysis then says about it."""
        uri = {"uri": self.path.as_uri()}
        where = {"start": self.position(begin), "end": self.position(end)}
        found = self.client.request("textDocument/codeAction",
                                    {"textDocument": uri, "range": where, "context": {"diagnostics": []}})
        action = next((item for item in found if item["title"] == title), None)
        if action is None:
            return "not offered; only " + ", ".join(item["title"] for item in found)
        before, edits = self.text, action["edit"]["changes"]
        self.replace(edits.get(uri["uri"], []))
        report = self.client.request("textDocument/diagnostic", {"textDocument": uri})
        results = Results(self)
        lines = [line for line in difflib.unified_diff(before.splitlines(), self.text.splitlines(), lineterm="", n=1)
                 if not line.startswith(("---", "+++"))]
        lines = ["..." if line.startswith("@@") else line for line in lines]
        for other in edits:
            if other != uri["uri"]:
                lines.append(f"{results.file(other)}: {json.dumps(results.simple(edits[other]))}")
        for item in report["items"]:
            if item["severity"] <= 2:
                lines.append(f"{results.range(item['range'])} {item['message']}")
        self.text = before
        self.version += 1
        self.client.change(self.path, self.version, [{"text": before}])
        self.wait()
        return "\n".join(lines)

    def with_positions(self, value):
        if isinstance(value, dict):
            return {key: self.with_positions(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.with_positions(item) for item in value]
        if value == "$uri":
            return self.path.as_uri()
        if isinstance(value, str) and (found := MARK.fullmatch(value)):
            return self.position(found[1])
        return value

    def edit(self, begin: str, end: str, text: str) -> None:
        where = {"start": self.position(begin), "end": self.position(end)}
        self.replace([{"range": where, "newText": text}])

    def replace(self, edits: "list[dict]") -> None:
        self.version += 1
        self.text = applied(self.text, edits)
        self.client.change(self.path, self.version, [{"text": self.text}] if len(edits) != 1 else
                           [{"range": edits[0]["range"], "text": edits[0]["newText"]}])


def applied(text: str, edits: "list[dict]") -> str:
    """A text with the protocol's edits, whose places are all those of the text before."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def offset(place: dict) -> int:
        line = min(place["line"], len(starts) - 1)
        end = starts[line + 1] if line + 1 < len(starts) else len(text)
        return min(starts[line] + place["character"], end)

    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        begin, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:begin] + edit["newText"] + text[end:]
    return text


# ------------------------------------------------------------------------------------------- results


class Results:
    """Names files and places of results as the test does."""

    def __init__(self, session: Session):
        self.session = session
        self.folder = session.folder
        self.text = session.text

    def file(self, uri: str) -> str:
        return uri.removeprefix(self.folder.as_uri() + "/")

    @staticmethod
    def range(value: dict) -> str:
        start, end = value["start"], value["end"]
        return f"{start['line'] + 1}:{start['character'] + 1}-{end['line'] + 1}:{end['character'] + 1}"

    def simple(self, value):
        """The same with short ranges and names."""
        if isinstance(value, dict):
            if set(value) == {"start", "end"} and isinstance(value["start"], dict):
                return self.range(value)
            if set(value) == {"line", "character"}:
                return f"{value['line'] + 1}:{value['character'] + 1}"
            return {self.file(key): self.simple(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.simple(item) for item in value]
        return self.file(value) if isinstance(value, str) else value


def as_text(results: Results, value) -> str:
    """Any result: a line for each element of a list, JSON otherwise."""
    if value is None:
        return "null"
    simple = results.simple(value)
    if isinstance(simple, list):
        return "\n".join(json.dumps(item) for item in simple) or "[]"
    return json.dumps(simple, indent=1)


def locations(results: Results, value) -> str:
    if not value:
        return "none"
    value = value if isinstance(value, list) else [value]
    return "\n".join(f"{results.file(place['uri'])} {results.range(place['range'])}" for place in value)


def hover(results: Results, value) -> str:
    if not value:
        return "none"
    return f"at {results.range(value['range'])}\n{value['contents']['value']}".rstrip()


def highlights(results: Results, value) -> str:
    kinds = {1: "text", 2: "read", 3: "write"}
    return "\n".join(f"{results.range(item['range'])} {kinds[item['kind']]}" for item in value or []) or "none"


COMPLETION_KINDS = {1: "text", 2: "binding", 3: "procedure", 5: "component", 6: "variable", 9: "module", 10: "argument", 14: "keyword", 15: "snippet",
         21: "constant", 22: "type", 23: "kernel"}


def completion(results: Results, value) -> str:
    """The first items: label, kind, what is inserted if it is something else, further edits."""
    if not value["items"]:
        return "none"
    items = sorted(value["items"], key=lambda item: item["sortText"] if "sortText" in item else item["label"])
    most = 14
    lines = [f"at {results.range(items[0]['textEdit']['range'])}" + (", incomplete" if value["isIncomplete"] else "")]
    for item in items[:most]:
        text = item["textEdit"]["newText"]
        line = f"{item['label']} | {COMPLETION_KINDS[item['kind']]}"
        line += f" | {json.dumps(text)}" if text != item["label"] else ""
        line += f" | from {item['labelDetails']['description']}" if "labelDetails" in item else ""
        for edit in item.get("additionalTextEdits", []):
            line += f" | {results.range(edit['range'])} {json.dumps(edit['newText'])}"
        lines.append(line)
    return "\n".join(lines + (["..."] if len(items) > most else []))


def signatures(results: Results, value) -> str:
    """A line for each signature, ">" before the active one, and the documentation of the active parameter."""
    if not value:
        return "none"
    lines = []
    for number, signature in enumerate(value["signatures"]):
        label, parameters = signature["label"], signature["parameters"]
        active = signature["activeParameter"]
        if active < len(parameters):
            begin, end = parameters[active]["label"]
            label = f"{label[:begin]}__{label[begin:end]}__{label[end:]}"
        lines.append(("> " if number == value["activeSignature"] else "  ") + label)
    shown = value["signatures"][value["activeSignature"]]
    lines += [shown["documentation"]["value"]] if "documentation" in shown else []
    if value["activeParameter"] < len(shown["parameters"]):
        lines.append(shown["parameters"][value["activeParameter"]]["documentation"]["value"])
    return "\n".join(lines)


KINDS = {2: "module", 6: "method", 8: "field", 11: "interface", 12: "function", 13: "variable", 14: "constant",
         19: "object", 20: "key", 23: "struct", 25: "operator"}


def outline(results: Results, value, depth: int = 0) -> str:
    lines = []
    for item in value or []:
        lines.append(f"{'  ' * depth}{KINDS[item['kind']]} {item['name']} [{item.get('detail', '')}] "
                     f"{results.range(item['range'])} name {results.range(item['selectionRange'])}")
        if item.get("children"):
            lines.append(outline(results, item["children"], depth + 1))
    return "\n".join(lines) or "none"


def workspace_symbols(results: Results, value) -> str:
    folder = results.folder.as_uri() + "/"  # other tests have their files in the same server
    return "\n".join(f"{KINDS[item['kind']]} {item.get('containerName', '')}::{item['name']} "
                     f"{locations(results, item['location'])}"
                     for item in value if item["location"]["uri"].startswith(folder)) or "none"


def hierarchy_item(results: Results, item) -> str:
    return (f"{KINDS[item['kind']]} {item['name']} [{item.get('detail', '')}] "
            f"{results.file(item['uri'])} {results.range(item['selectionRange'])}")


def rename(results: Results, value) -> str:
    lines = [f"{results.file(uri)} {results.range(edit['range'])} {edit['newText']}"
             for uri, edits in sorted(value["changes"].items()) for edit in edits]
    return "\n".join(lines) or "no changes"


HIERARCHY = {
    "incomingCalls": ("textDocument/prepareCallHierarchy", "callHierarchy/incomingCalls"),
    "outgoingCalls": ("textDocument/prepareCallHierarchy", "callHierarchy/outgoingCalls"),
    "supertypes": ("textDocument/prepareTypeHierarchy", "typeHierarchy/supertypes"),
    "subtypes": ("textDocument/prepareTypeHierarchy", "typeHierarchy/subtypes"),
}

def formatted(results: Results, value) -> str:
    """The text after the edits."""
    return applied(results.text, value or []).rstrip("\n")


def actions(_: Results, value) -> str:
    return "\n".join(f"{item['kind']}: {item['title']}" + (" (preferred)" if item.get("isPreferred") else "")
                     for item in value or []) or "none"


RENDER = {
    "codeAction": actions,
    "formatting": formatted,
    "rangeFormatting": formatted,
    "documentSymbol": outline,
    "rename": rename,
    "workspace/symbol": workspace_symbols,
    "completion": completion,
    "signatureHelp": signatures,
    "hover": hover,
    "definition": locations,
    "declaration": locations,
    "typeDefinition": locations,
    "implementation": locations,
    "references": locations,
    "documentHighlight": highlights,
    **ide_text.RENDER,
}


# ------------------------------------------------------------------------------------------- running

LOCK = threading.Lock()
SERVERS: "dict[Path, Client]" = {}


def shared_client(setup: Setup) -> Client:
    """The server of all tests; one that has died is replaced."""
    server = setup.cufc.with_name("cufls")
    client = SERVERS.get(server)
    if client is None or client.process.poll() is not None:
        client = SERVERS[server] = Client([str(server)])
        client.initialize(None, CAPABILITIES)
    return client


def run_test(setup: Setup, path: Path) -> "list[Result]":
    name = f"ide/{path.stem}"
    begin = time.monotonic()
    script = Script(path.name, path.read_text())
    problems, written = [], script.head
    with LOCK:
        try:
            session = Session(shared_client(setup), fresh_folder(setup.output / name), script)
            for line, expected in script.steps:
                text = session.perform(line)
                got = text.splitlines()
                written += line + "\n" + "".join(f"!| {part}".rstrip() + "\n" for part in got)
                if [part.rstrip() for part in expected] != [part.rstrip() for part in got]:
                    problems += [line, *difflib.unified_diff(expected, got, "expected", "answered", lineterm="", n=1)]
            session.close()
        except Exception as error:  # the server is gone, or the test is wrong
            problems.append(f"{type(error).__name__}: {error}")
            SERVERS.clear()
    if setup.update and not any("Error" in problem for problem in problems[-1:]):
        path.write_text(written)
        problems = []
    status = FAILED if problems else PASSED
    return [Result(name, status, time.monotonic() - begin, "\n".join(problems))]
