#!/usr/bin/env python3
"""Latency of the language server while somebody types: a trace of key strokes is replayed in the middle of files of
300, 1,400 and 14,000 lines, and the answers to the edit (diagnostics), completion, hover and semantic tokens are timed.

In the same run clangd on C++ files of the same lengths and fortls on the Fortran files, where they are installed
(Debian: clangd-22, fortran-language-server).

Usage: keystrokes.py CUFLS [--rounds N] [--lines 300,1400,14000] [--occupancy]; times in milliseconds: median and 95th percentile.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import large_sources  # noqa: E402
from harness.lsp_client import Client, memory  # noqa: E402

TYPED = {"cuf": "total = total + weight * abs(left - right)\n", "cpp": "total = total + weight * std::fabs(left - right);\n"}
CAPABILITIES = {
    "textDocument": {
        "semanticTokens": {"requests": {"full": {"delta": True}}, "tokenTypes": [], "tokenModifiers": [], "formats": ["relative"]},
        "publishDiagnostics": {"versionSupport": True},
        "completion": {"completionItem": {"snippetSupport": True}},
    }
}


def fortran(lines: int) -> str:
    large_sources.LINES, large_sources.PROCEDURES = lines, max(4, lines // 70 // 2 * 2)
    return large_sources.large(random.Random(1))


def cpp(lines: int) -> str:
    """Functions of the same length with the same arithmetic."""
    count = max(4, lines // 70)
    numbers = random.Random(1)
    text = "#include <cmath>\n#include <vector>\nnamespace large {\n"
    left = lines - 4
    for n in range(1, count + 1):
        length = left // (count - n + 1)
        left -= length
        text += f"// Function {n}: a smoothing step.\nvoid kernel_{n:03}(const std::vector<float> &a, std::vector<float> &b, float weight) {{\n"
        text += "  for (std::size_t i = 1; i + 1 < a.size(); ++i) {\n    float left = a[i - 1], right = a[i + 1], centre = a[i];\n"
        text += "    float total = left + right - 2.0f * centre;\n"
        for _ in range(length - 8):
            text += f"    total = total + {numbers.random():.4f}f * std::sqrt(std::fabs(left * right + {numbers.random():.4f}f * centre));\n"
        text += "    b[i] = centre + weight * total;\n  }\n}\n"
    return text + "} // namespace large\n"


def place_to_type(text: str, marker: str) -> "tuple[int, int]":
    """A line in the middle of the file, behind one that holds the marker, from 0; and the column of its first word."""
    lines = text.splitlines()
    middle = len(lines) // 2
    line = next(i for i in range(middle, len(lines)) if marker in lines[i]) + 1
    return line, len(lines[line]) - len(lines[line].lstrip())


class Trace:
    def __init__(self, client: Client, path: Path, text: str, version_said: bool):
        self.client, self.path, self.text = client, path, text
        self.version, self.version_said = 1, version_said
        self.times: "dict[str, list[float]]" = {}

    def note(self, what: str, begin: float, end: float) -> None:
        self.times.setdefault(what, []).append((end - begin) * 1000)

    def ask(self, what: str, method: str, **params) -> object:
        begin = time.perf_counter()
        answer = self.client.wait(self.client.send_request(method, {"textDocument": {"uri": self.path.as_uri()}, **params}))
        self.note(what, begin, answer["received"])
        return answer.get("result")

    def type(self, line: int, column: int, character: str, wait: bool) -> None:
        self.version += 1
        self.client.notifications.clear()
        where = {"line": line, "character": column}
        begin = time.perf_counter()
        self.client.change(self.path, self.version, [{"range": {"start": where, "end": where}, "text": character}])
        if not wait:
            return
        message = self.client.wait_notification(
            "textDocument/publishDiagnostics",
            lambda p: p["uri"] == self.path.as_uri() and (not self.version_said or p.get("version", self.version) == self.version), 120)
        self.note("diagnostics", begin, message["received"])

    def run(self, marker: str, typed: str, rounds: int, tokens: bool) -> None:
        line, column = place_to_type(self.text, marker)
        result = self.ask("tokens, full", "textDocument/semanticTokens/full") if tokens else None
        for _ in range(rounds):
            at = column
            for index, character in enumerate(typed):
                self.type(line, at, character, wait=True)
                at += 1
                position = {"line": line, "character": at}
                if character.isalpha() and index % 3 == 0:
                    self.ask("completion", "textDocument/completion", position=position)
                if character == " ":
                    self.ask("hover", "textDocument/hover", position={"line": line - 1, "character": column + 2})
                    if tokens and result:
                        result = self.ask("tokens, delta", "textDocument/semanticTokens/full/delta",
                                          previousResultId=result["resultId"]) or result
                time.sleep(0.02)
            where = {"start": {"line": line, "character": column}, "end": {"line": line + 1, "character": 0}}
            self.version += 1
            self.client.change(self.path, self.version, [{"range": where, "text": ""}])
            time.sleep(0.3)


def measure(name: str, command: "list[str]", path: Path, text: str, marker: str, typed: str, rounds: int,
            occupancy: bool = False) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    begin = time.perf_counter()
    client = Client(command, cwd=path.parent)
    result = client.initialize(path.parent, CAPABILITIES, {"occupancy": {"enabled": occupancy}} if name == "cufls" else None)
    client.open(path, text)
    trace = Trace(client, path, text, version_said=name != "fortls")
    try:
        message = client.wait_notification("textDocument/publishDiagnostics", lambda p: p["uri"] == path.as_uri(), 120)
        trace.note("start to diagnostics", begin, message["received"])
    except TimeoutError:
        print(f"{name}: no diagnostics on opening")
    time.sleep(1)
    trace.run(marker, typed, rounds, "semanticTokensProvider" in result["capabilities"])
    used = memory(client.process.pid)
    lines = text.count("\n")
    for what, times in trace.times.items():
        times.sort()
        print(f"{lines:6} lines  {name:8} {what:22} median {statistics.median(times):8.1f}  p95 {times[int(len(times) * 0.95 - 0.01)]:8.1f}  n {len(times)}")
    print(f"{lines:6} lines  {name:8} memory {used:.0f} MB", flush=True)
    client.process.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cufls")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--lines", default="300,1400,14000")
    parser.add_argument("--occupancy", action="store_true", help="with the costs of kernels, which are measured beside it")
    parser.add_argument("--only", default="", help="cufls, clangd or fortls")
    arguments = parser.parse_args()
    others = [("clangd", shutil.which("clangd-22") or shutil.which("clangd"), ["--log=error", "--background-index=false"]),
              ("fortls", shutil.which("fortls"), [])]
    with tempfile.TemporaryDirectory() as folder:
        for lines in map(int, arguments.lines.split(",")):
            source, root = fortran(lines), Path(folder) / str(lines)
            servers = [("cufls", str(Path(arguments.cufls).resolve()), []), *others]
            for name, program, options in servers:
                if not program or arguments.only not in ("", name):
                    continue
                suffix = {"clangd": "cpp", "fortls": "f90"}.get(name, "cuf")
                text = cpp(lines) if name == "clangd" else source
                typed = TYPED["cpp" if name == "clangd" else "cuf"]
                marker = "float total" if name == "clangd" else "total = left + right + below"
                rounds = 1 if name == "fortls" else arguments.rounds
                try:
                    measure(name, [program, *options], root / name / f"large.{suffix}", text, marker, typed, rounds, arguments.occupancy)
                except TimeoutError as error:
                    print(f"{lines:6} lines  {name:8} {error}", flush=True)


if __name__ == "__main__":
    main()
