#!/usr/bin/env python3
"""Somebody edits at random: programs are opened, typed into, pasted into, undone, renamed in, saved and closed, with
requests of all kinds in between, some of which are cancelled.

Checked: the server lives, every request is answered once, answers are errors only where the protocol has one, its
memory does not grow, and in the end what it says of every file is what a fresh server says.

    editing.py [--seconds N] [--seed N] [--kill]   CUFC names the compiler; --kill ends workers now and then

When the two differ, the files are kept in the folder that CUFLS_FUZZ_KEEP names, or in ./fuzz-editing.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from harness.lsp_client import Client, processes  # noqa: E402

PROGRAMS = 20
PATIENCE = 120  # seconds in which a server on a busy machine answers, and has read its folder again
# Refusals of the protocol: wrong parameters, a request that failed with a reason, cancelled, content modified.
ALLOWED_ERRORS = {-32602, -32803, -32800, -32801}
SNIPPETS = ["x", " ", "\n", "(", ")", "%", "'", "!", "&", "end do\n", "if (i > 1) then\n", "call s(a, b)\n", "use cudafor\n", "integer :: i, j\n",
            "attributes(global) subroutine k(a, n)\n", "<<<1, 32>>>", "!$cuf kernel do\n", "é😀", "\t", "&\n  &", "contains\n", "#if 0\n", "end\n", "1.0d0", "::"]
AT_POSITION = ["hover", "definition", "declaration", "typeDefinition", "implementation", "documentHighlight", "completion", "signatureHelp",
               "prepareRename", "prepareCallHierarchy", "prepareTypeHierarchy", "linkedEditingRange"]
OF_DOCUMENT = ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "documentLink", "diagnostic"]
CAPABILITIES = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}, "window": {"workDoneProgress": True},
                "workspace": {"semanticTokens": {"refreshSupport": True}}}


class File:
    def __init__(self, path: Path):
        self.path = path
        self.text = path.read_text()
        self.version = 0
        self.open = False
        self.undo: "list[str]" = []


class Editing:
    def __init__(self, cufls: Path, folder: Path, seed: int):
        self.random = random.Random(seed)
        self.cufls, self.folder = cufls, folder
        sources = sorted((ROOT / "run").glob("*.cuf"))
        chosen = self.random.sample(sources, min(PROGRAMS, len(sources)))
        for source in chosen:
            (folder / source.name).write_text(source.read_text())
        self.files = [File(folder / source.name) for source in chosen]
        self.client = self.start()
        self.waiting: "dict[int, str]" = {}
        self.asked = self.refused = self.kills = 0
        self.problems: "list[str]" = []
        self.methods = set()

    def start(self) -> Client:
        client = Client([str(self.cufls), f"--log-file={self.folder / 'log'}"])
        self.provided = client.initialize(self.folder, CAPABILITIES)["capabilities"]
        return client

    # ---------------------------------------------------------------------------------- the document

    def position(self, file: File) -> dict:
        offset = self.random.randint(0, len(file.text))
        return self.position_of(file.text, offset)

    @staticmethod
    def position_of(text: str, offset: int) -> dict:
        line = text.count("\n", 0, offset)
        begin = text.rfind("\n", 0, offset) + 1
        return {"line": line, "character": len(text[begin:offset].encode("utf-16-le")) // 2}

    def edit(self, file: File, begin: int, end: int, text: str) -> None:
        file.undo.append(file.text)
        del file.undo[:-20]
        where = {"start": self.position_of(file.text, begin), "end": self.position_of(file.text, end)}
        file.text = file.text[:begin] + text + file.text[end:]
        self.change(file, [{"range": where, "text": text}])

    def change(self, file: File, changes: "list[dict]") -> None:
        file.version += 1
        self.client.change(file.path, file.version, changes)

    # --------------------------------------------------------------------------------------- actions

    def insert(self, file: File) -> None:
        offset = self.random.randint(0, len(file.text))
        for character in self.random.choice(SNIPPETS):
            self.edit(file, offset, offset, character)
            offset += 1

    def delete(self, file: File) -> None:
        begin = self.random.randint(0, len(file.text))
        self.edit(file, begin, min(len(file.text), begin + self.random.choice([1, 1, 1, 5, 40])), "")

    def paste(self, file: File) -> None:
        other = self.random.choice(self.files).text
        begin = self.random.randint(0, len(other))
        at = self.random.randint(0, len(file.text))
        self.edit(file, at, at, other[begin:begin + self.random.randint(1, 400)])

    def take_back(self, file: File) -> None:
        if file.undo:
            file.text = file.undo[self.random.randrange(len(file.undo))]
            file.undo.clear()
            self.change(file, [{"text": file.text}])

    def repair(self, file: File) -> None:
        file.text = (ROOT / "run" / file.path.name).read_text()
        self.change(file, [{"text": file.text}])

    def save(self, file: File) -> None:
        file.path.write_text(file.text)
        self.client.notify("textDocument/didSave", {"textDocument": {"uri": file.path.as_uri()}})
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": file.path.as_uri(), "type": 2}]})

    def close(self, file: File) -> None:
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": file.path.as_uri()}})
        file.open = False
        file.text = file.path.read_text()

    def rename(self, file: File) -> None:
        self.ask("textDocument/rename", file, position=self.position(file), newName=f"renamed_{self.random.randint(0, 99)}")

    def ask_something(self, file: File) -> None:
        kind = self.random.random()
        if kind < 0.6:
            extra = {"context": {"includeDeclaration": True}} if (method := self.random.choice(AT_POSITION + ["references"])) == "references" else {}
            self.ask("textDocument/" + method, file, position=self.position(file), **extra)
        elif kind < 0.9:
            self.ask("textDocument/" + self.random.choice(OF_DOCUMENT), file)
        elif kind < 0.95:
            a, b = sorted([self.position(file), self.position(file)], key=lambda p: (p["line"], p["character"]))
            self.ask("textDocument/codeAction", file, range={"start": a, "end": b}, context={"diagnostics": []})
            self.ask("textDocument/inlayHint", file, range={"start": a, "end": b})
        else:
            self.ask("workspace/symbol", None, query=self.random.choice(["", "a", "scale", "_k"]))
            self.ask("textDocument/formatting", file, options={"tabSize": 2, "insertSpaces": True})

    def ask(self, method: str, file: "File | None", **params) -> None:
        if file:
            params["textDocument"] = {"uri": file.path.as_uri()}
        number = self.client.send_request(method, params)
        self.waiting[number] = method
        self.asked += 1
        self.methods.add(method)
        if self.random.random() < 0.05:
            self.client.notify("$/cancelRequest", {"id": number})

    # ------------------------------------------------------------------------------------ the session

    def take_answers(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while self.client.step(max(0.0, end - time.monotonic())):
            for number in list(self.client.answers):
                answer = self.client.answers.pop(number)
                method = self.waiting.pop(number, None)
                if method is None:
                    self.problems.append(f"answered twice or unasked: {answer}")
                elif "error" in answer:
                    self.refused += 1
                    code = answer["error"]["code"]
                    if code not in ALLOWED_ERRORS and code != -32601:
                        self.problems.append(f"{method}: {answer['error']}")
            self.client.notifications.clear()
            self.client.requests.clear()

    def step(self) -> None:
        file = self.random.choice(self.files)
        if not file.open:
            file.open, file.version = True, 1
            self.client.open(file.path, file.text)
        actions = [(self.insert, 30), (self.delete, 15), (self.paste, 4), (self.take_back, 10), (self.repair, 4), (self.save, 3),
                   (self.close, 2), (self.rename, 2), (self.ask_something, 40)]
        action = self.random.choices([a for a, _ in actions], [w for _, w in actions])[0]
        action(file)
        self.take_answers(self.random.choice([0, 0, 0.01, 0.05]))

    def kill_worker(self) -> None:
        victims = [pid for pid in processes(self.client.process.pid) if pid != self.client.process.pid]
        for pid in self.random.sample(victims, min(len(victims), self.random.choice([1, len(victims)]))):
            try:
                os.kill(pid, signal.SIGKILL)
                self.kills += 1
            except ProcessLookupError:
                pass

    def final_state(self, client: Client, files: "list[File]") -> "dict[str, list]":
        result = {}
        for file in files:
            number = client.send_request("textDocument/diagnostic", {"textDocument": {"uri": file.path.as_uri()}})
            answer = client.wait(number, 600)  # files that were edited for an hour are broken in many places
            result[file.path.name] = sorted((d["range"]["start"]["line"], d["code"], d["message"]) for d in answer["result"]["items"])
        return result

    def compare(self) -> None:
        while self.waiting:
            before = len(self.waiting)
            self.take_answers(PATIENCE)
            if len(self.waiting) == before:
                self.problems.append(f"never answered: {sorted(self.waiting.values())}")
                break
        for file in self.files:
            if file.open:
                self.save(file)
        opened = [file for file in self.files if file.open]
        fresh = Client([str(self.cufls)])
        fresh.initialize(self.folder, CAPABILITIES)
        for file in opened:
            fresh.open(file.path, file.text)
        # Both read the folder behind their answers, at the pace of the machine: what counts is where they arrive.
        end = time.monotonic() + PATIENCE
        while (mine := self.final_state(self.client, opened)) != (theirs := self.final_state(fresh, opened)) and time.monotonic() < end:
            time.sleep(1)
        fresh.stop()
        for name in mine:
            if mine[name] != theirs[name]:
                self.problems.append(f"{name}: {difference(mine[name], theirs[name])}")
                self.keep(name)

    def keep(self, name: str) -> None:
        """The files as they were when something differed, for somebody who looks for the reason."""
        folder = Path(os.environ.get("CUFLS_FUZZ_KEEP", "fuzz-editing"))
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.folder, folder)
        self.problems.append(f"the files are in {folder.resolve()}, {name} among them")


def difference(mine: list, theirs: list) -> str:
    return f"only here {[d for d in mine if d not in theirs][:3]}, only in a fresh server {[d for d in theirs if d not in mine][:3]}"


def resident(pid: int) -> float:
    """Megabytes of the server itself."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kill", action="store_true")
    arguments = parser.parse_args()
    cufls = Path(os.environ["CUFC"]).with_name("cufls")
    with tempfile.TemporaryDirectory() as folder:
        editing = Editing(cufls, Path(folder), arguments.seed)
        begin, steps, early = time.monotonic(), 0, None
        while time.monotonic() - begin < arguments.seconds:
            editing.step()
            steps += 1
            if arguments.kill and editing.random.random() < 0.01:
                editing.kill_worker()
            if early is None and time.monotonic() - begin > arguments.seconds / 6:
                early = resident(editing.client.process.pid)
        editing.compare()
        late = resident(editing.client.process.pid)
        status = editing.client.stop()
    if status != 0:
        editing.problems.append(f"the server ended with {status}")
    if arguments.seconds >= 600 and late > 1.2 * early:
        editing.problems.append(f"memory grew from {early:.0f} to {late:.0f} MB")
    print(f"{steps} steps, {editing.asked} requests of {len(editing.methods)} kinds, {editing.refused} refused, {editing.kills} processes "
          f"killed, memory {early or 0:.0f} MB after a sixth and {late:.0f} MB at the end, {len(editing.problems)} problems")
    for problem in editing.problems[:20]:
        print("FAILED:", problem[:600])
    return 1 if editing.problems else 0


if __name__ == "__main__":
    sys.exit(main())
