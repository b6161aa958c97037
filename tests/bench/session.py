#!/usr/bin/env python3
"""Latency of a file that is edited: `cufls check --watch` on the module of 14,000 lines of large_sources.py.

Each round writes the file with another number in one procedure's body, or another value of a constant that all
procedures see, and reads how long after the write the analysis of the procedure and of the whole file came.

Usage: session.py CUFLS LARGE [ROUNDS]; prints a line for each measurement: median and worst time in milliseconds.
"""

import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ANSWER = re.compile(r": \d+ messages?, (procedure|whole file) after ([\d.]+) ms$")


class Watch:
    def __init__(self, cufls: str, file: Path):
        self.file = file
        self.process = subprocess.Popen([cufls, "check", "--watch", "--no-cache", str(file)], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if line.startswith("watching"):
                break

    def write(self, text: str) -> None:
        self.file.write_text(text)

    def answer(self, kind: str) -> float:
        for line in self.process.stdout:
            found = ANSWER.search(line.strip())
            if found and found[1] == kind:
                return float(found[2])
        sys.exit("the watch ended")

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()


def edited(text: str, pattern: str, replacement: str) -> str:
    changed = re.sub(pattern, replacement, text, count=1)
    assert changed != text, f"nothing fits {pattern}"
    return changed


def row(name: str, times: list) -> None:
    print(f"{name:42} median {statistics.median(times):8.1f} ms   worst {max(times):8.1f} ms", flush=True)


def main() -> None:
    cufls, original = sys.argv[1], Path(sys.argv[2])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / original.name
        text = original.read_text()
        file.write_text(text)
        watch = Watch(cufls, file)
        procedure, whole = [], []
        for i in range(rounds):
            watch.write(edited(text, r"weight \* total( \+ [\d.]+)?", f"weight * total + {i + 1}.0"))
            procedure.append(watch.answer("procedure"))
            whole.append(watch.answer("whole file"))
        row("edit of one body: the procedure", procedure)
        row("edit of one body: the whole file", whole)
        whole = []
        for i in range(3):
            watch.write(edited(text, r"size_01 = \d+", f"size_01 = {i + 100}"))
            whole.append(watch.answer("whole file"))
        row("edit of an interface: the whole file", whole)
        watch.close()


if __name__ == "__main__":
    main()
