#!/usr/bin/env python3
"""flang's own tests of CUDA Fortran, run with cufc: which of the errors that they expect are found, and which files without
errors are accepted. The tests are not part of this repository: FLANG_TEST is the folder flang/test of LLVM's sources.

An error counts as found if cufc reports one at its line, in the file as it is or with the lines of all other expected errors
left blank, since an error of syntax hides those behind it. What differs and why is in reasons.toml; a difference without a
reason is a failure.

Usage: run.py FLANG_TEST [-v] [WORD...]     WORDs select files by name; CUFC in the environment is the compiler
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
CUFC = Path(os.environ.get("CUFC") or HERE.parents[1] / "build/bin/cufc").resolve()
EXPECTED = re.compile(r"^\s*!\s*ERROR: (.*)")
COMMENT = re.compile(r"^\s*!(?!\$cuf|\$omp|\$acc|@cuf|dir\$)", re.IGNORECASE)
REPORTED = re.compile(r"^(?P<file>[^\s:]+):(?P<line>\d+):\d+: error: (?P<text>.*)$", re.MULTILINE)
OPTIONS = {"-fopenmp": ["-mp"], "-fopenacc": ["-acc=host"], "-gpu=unified": ["-gpu=unified"], "-gpu=managed": ["-gpu=managed"]}
FOLDERS = ("Semantics", "Semantics/CUDA", "Lower/CUDA", "Parser")


@dataclass
class File:
    path: Path
    lines: "list[str]" = field(default_factory=list)
    expected: "dict[int, list[str]]" = field(default_factory=dict)  # by line, from 1

    def __post_init__(self) -> None:
        self.lines = self.path.read_text().splitlines()
        waiting: "list[str]" = []
        for number, line in enumerate(self.lines, 1):
            if found := EXPECTED.match(line):
                waiting.append(found[1])
            elif waiting and not COMMENT.match(line) and line.strip():
                self.expected[number], waiting = waiting, []

    def options(self) -> "list[str]":
        text = "\n".join(line for line in self.lines if "RUN:" in line)
        return [option for name, given in OPTIONS.items() if name in text for option in given]

    def needed(self) -> "list[Path]":
        """What its RUN lines compile before it, and what it includes."""
        text = "\n".join(self.lines)
        names = re.findall(r"RUN:.* %S/(\S+\.cuf)", text) + re.findall(r"^\s*include [\"']([^\"']+)", text, re.MULTILINE)
        return [self.path.parent / name for name in names if (self.path.parent / name).exists()]

    def alone(self, number: int) -> str:
        """The text with one of the errors."""
        return "\n".join("" if other in self.expected and other != number else line
                         for other, line in enumerate(self.lines, 1)) + "\n"


def compiled(text: str, file: File, folder: Path) -> "dict[int, str]":
    """The errors by line; 0: one without a place, or an end that is none."""
    name = file.path.name
    (folder / name).write_text(text)
    for needed in file.needed():
        (folder / needed.name).write_bytes(needed.read_bytes())
        if needed.suffix:  # a module of another test
            subprocess.run([CUFC, "-fsyntax-only", needed.name], cwd=folder, capture_output=True, check=False)
    done = subprocess.run([CUFC, "-fsyntax-only", *file.options(), name], cwd=folder, text=True, check=False, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    errors = {int(found["line"]): found["text"] for found in REPORTED.finditer(done.stdout) if found["file"] == name}
    if done.returncode not in (0, 1) or (done.returncode == 1 and not errors):
        errors[0] = done.stdout.strip()[-400:]
    return errors


def judged(file: File) -> "tuple[list, list, list]":
    """Lines whose errors were found, those that were not, and errors that nobody expects."""
    with tempfile.TemporaryDirectory() as folder:
        errors = compiled("\n".join(file.lines) + "\n", file, Path(folder))
        found, missed = [], []
        for number in file.expected:
            seen = number in errors or number in compiled(file.alone(number), file, Path(folder))
            (found if seen else missed).append(number)
    others = [(number, text) for number, text in errors.items() if number not in file.expected]
    return found, missed, others


def reason_for(reasons: "list[dict]", file: File, number: int, kind: str) -> "str | None":
    line = " ".join(file.lines[number - 1].split()) if number else ""
    for row in reasons:
        if row["kind"] == kind and file.path.name in row["files"] and (line in row["lines"] or row["lines"] == ["*"]):
            row["used"] = True
            return row["reason"]
    return None


def main() -> int:
    words = [word for word in sys.argv[2:] if word != "-v"]
    root = Path(sys.argv[1])
    paths = sorted(path for folder in FOLDERS for path in (root / folder).glob("*.*")
                   if path.suffix.lower() == ".cuf" and (not words or any(word in path.name for word in words)))
    reasons = tomllib.loads((HERE / "reasons.toml").read_text())["difference"]
    counts = dict.fromkeys(("errors", "found", "missed", "clean", "accepted", "refused", "unexpected"), 0)
    unexplained = []
    for path in paths:
        file = File(path)
        found, missed, others = judged(file)
        counts["errors"] += len(file.expected)
        counts["found"] += len(found)
        counts["missed"] += len(missed)
        if not file.expected:
            counts["clean"] += 1
            counts["refused" if others else "accepted"] += 1
        else:
            counts["unexpected"] += len(others)
        for number, text, kind in [*((n, file.expected[n][0], "missed") for n in missed), *((n, t, "extra") for n, t in others)]:
            reason = reason_for(reasons, file, number, kind)
            where = f"{path.relative_to(root)}:{number}: {kind}: {text}"
            if reason is None:
                unexplained.append(f"{where}\n    {file.lines[number - 1].strip() if number else ''}")
            elif "-v" in sys.argv:
                print(f"{where}\n    {reason}")
    print(f"{len(paths)} files; {counts['errors']} lines with errors: {counts['found']} found, {counts['missed']} not; "
          f"{counts['unexpected']} other errors in these files; {counts['clean']} files without: {counts['accepted']} accepted, "
          f"{counts['refused']} not")
    print("\n".join(unexplained))
    return 1 if unexplained or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
