#!/usr/bin/env python3
"""Refactorings on public code: how many places, and whether the results compile.

Usage: measure.py FOLDER... [--places=50] [--seconds=600] [--only=NAME,...] [--gfortran] [--keep=FOLDER]

Each FOLDER has the sources of one application, which whoever runs this has fetched. Copies of its files are changed, a
refactoring and a file at a time, until there are enough places. What `cufls check` says of a changed file in its folder is
compared with what it says of the original; with --gfortran, what gfortran -fsyntax-only says of files that it accepts as
they are. Not part of `./dev test`.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CUFLS = Path(os.environ.get("CUFC") or ROOT / "build/bin/cufc").resolve().with_name("cufls")
OPTIONS = {"change-signature": ["--add=integer, intent(in) :: added_here = 1"]}  # without it unused dummies alone go
SUFFIXES = {".f90", ".F90", ".f", ".F", ".for", ".cuf", ".CUF", ".f95", ".f03"}


def run(*command, folder: Path, timeout=300) -> "subprocess.CompletedProcess":
    return subprocess.run([str(word) for word in command], cwd=folder, text=True, check=False, timeout=timeout,
                          stdin=subprocess.DEVNULL, capture_output=True)


def errors(folder: Path, file: str) -> "Counter[str]":
    """What is wrong in a file, without the numbers that move."""
    done = run(CUFLS, "check", "--format=json", file, folder=folder)
    found = json.loads(done.stdout)["diagnostics"] if done.stdout.strip() else [{"severity": "error", "code": "none", "message": ""}]
    return Counter(re.sub(r"\d+", "", item["code"] + item["message"]) for item in found if item["severity"] == "error")


def accepted(folder: Path, file: str) -> bool:
    with tempfile.TemporaryDirectory() as modules:
        return run("gfortran", "-fsyntax-only", "-std=gnu", "-J", modules, file, folder=folder).returncode == 0


class Count:
    def __init__(self):
        self.places = self.files = self.worse = self.judged = self.differs = self.refused = 0
        self.reasons = Counter()


def change(refactoring: str, original: Path, folder: Path, file: str, count: Count, arguments) -> None:
    before = errors(folder, file)
    judged = arguments.gfortran and accepted(folder, file)
    done = run(CUFLS, "refactor", refactoring, file, *OPTIONS.get(refactoring, []), "--format=json", "-v", folder=folder,
               timeout=900)
    places = json.loads(done.stdout) if done.stdout.strip() else []
    good = [place for place in places if place["done"]]
    count.refused += sum("would not compile" in place["reason"] for place in places)
    for place in places:
        if not place["done"]:
            count.reasons[re.sub(r"'[^']*'|\d+", "_", place["reason"])[:60]] += 1
    if good:
        count.places += len(good)
        count.files += 1
        now = file if (folder / file).exists() else str(Path(file).with_suffix(".F90" if file.endswith("F") else ".f90"))
        new = errors(folder, now) - before
        if new:
            count.worse += 1
            print(f"  {refactoring} {original / file}: {list(new)[:2]}", file=sys.stderr)
        if judged:
            count.judged += 1
            if not accepted(folder, now):
                count.differs += 1
                print(f"  {refactoring} {original / file}: gfortran refuses it", file=sys.stderr)
        if arguments.keep:
            kept = Path(arguments.keep) / refactoring / file
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(folder / now, kept)
        (folder / now).unlink()
    for path in original.rglob("*"):  # as they were: callers may have changed too
        if path.suffix in SUFFIXES and path.is_file():
            copy = folder / path.relative_to(original)
            if not copy.exists() or (good and copy.read_bytes() != path.read_bytes()):
                shutil.copy(path, copy)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--places", type=int, default=50)
    parser.add_argument("--seconds", type=int, default=600, help="for each refactoring")
    parser.add_argument("--only", default="")
    parser.add_argument("--gfortran", action="store_true")
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    names = [line.split()[0] for line in run(CUFLS, "refactor", "--list", folder=ROOT).stdout.splitlines()]
    wanted = [name for name in arguments.only.split(",") if name] or names
    print(f"{'refactoring':20} {'places':>6} {'files':>5} {'worse':>5} {'would not':>9} {'gfortran':>8} {'refuses':>7}")
    worse = 0
    for refactoring in wanted:
        count = Count()
        end = time.monotonic() + arguments.seconds
        for name in arguments.folders:
            original = Path(name).resolve()
            with tempfile.TemporaryDirectory() as scratch:
                folder = Path(scratch) / original.name
                shutil.copytree(original, folder, ignore=shutil.ignore_patterns(".git", "*.mod", "*.o"), symlinks=False)
                for path in sorted(original.rglob("*")):
                    if path.suffix in SUFFIXES and path.is_file() and count.places < arguments.places \
                            and time.monotonic() < end:
                        try:
                            change(refactoring, original, folder, str(path.relative_to(original)), count, arguments)
                        except subprocess.TimeoutExpired:
                            print(f"  {refactoring} {path}: took too long", file=sys.stderr)
        worse += count.worse + count.differs
        print(f"{refactoring:20} {count.places:6} {count.files:5} {count.worse:5} {count.refused:9} {count.judged:8} {count.differs:7}",
              flush=True)
        for reason, number in count.reasons.most_common(3):
            print(f"    {number:5} {reason}", flush=True)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
