#!/usr/bin/env python3
"""What `cufls refactor` makes of the programs in cases/: the text, and that the program prints what it printed.

Usage: applied.py [--update] [WORD...]     CUFC in the environment is the compiler

The first line of a case names refactorings, which are applied to copies of the program wherever that is possible. The
differences must be those in NAME.REFACTORING.diff, which --update writes.
"""
import difflib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CUFC = Path(os.environ.get("CUFC") or HERE.parents[1] / "build/bin/cufc").resolve()
CUFLS = CUFC.with_name("cufls")


def run(*command, folder: Path) -> "tuple[int, str]":
    environment = {**os.environ, "CUF_DEVICE": "host", "XDG_CACHE_HOME": str(folder / "cache")}
    done = subprocess.run([str(word) for word in command], cwd=folder, text=True, check=False, timeout=300, env=environment,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def printed(source: Path, folder: Path) -> str:
    """What a program prints, or why it does not compile."""
    status, text = run(CUFC, source.name, "-O0", "-o", "program", folder=folder)
    return f"cufc: {text}" if status else run("./program", folder=folder)[1]


def look(case: Path, refactoring: str, expected: Path, update: bool) -> str:
    """What is wrong, or nothing."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / case.name
        source.write_text(case.read_text())
        before = printed(source, folder)
        status, said = run(CUFLS, "refactor", refactoring, source.name, folder=folder)
        if status:
            return said
        made = next(path for path in sorted(folder.iterdir()) if path.suffix in (".f", ".f90"))
        after = printed(made, folder)
        lines = difflib.unified_diff(case.read_text().splitlines(), made.read_text().splitlines(), case.name, made.name,
                                     lineterm="", n=1)
        text = "\n".join(lines) + "\n"
        if update:
            expected.write_text(text)
        if after != before and not (before.startswith("cufc:") and not after.startswith("cufc:")):
            return f"it printed\n{before}and prints\n{after}{text}"
        wanted = expected.read_text() if expected.exists() else ""
        return "" if text == wanted else f"expected\n{wanted}found\n{text}"


def main() -> int:
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    failed = 0
    for case in sorted(path for path in (HERE / "cases").iterdir() if path.suffix != ".diff"):
        names = case.read_text().splitlines()[0].split(":")[1].split(",")
        for refactoring in (name.strip() for name in names):
            if words and not any(word in f"{case.stem} {refactoring}" for word in words):
                continue
            wrong = look(case, refactoring, case.with_suffix(f".{refactoring}.diff"), "--update" in sys.argv)
            if wrong:
                failed += 1
                print(f"{case.name}, {refactoring}: {wrong}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
