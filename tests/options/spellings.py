#!/usr/bin/env python3
"""Runs cufc with every option of spellings.toml, as a dry run, and checks what it says of each.

An accepted option ends with status 0, also under -v, where one that does something is silent, and one that changes nothing is
named once (CUF0004). A noted one is named once, always (CUF0030). An error has status 1 and names its cause.

Usage: spellings.py [WORD...]     WORDs select options by their text; CUFC in the environment is the compiler
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_name("spellings.toml")
CUFC = os.environ.get("CUFC") or ROOT / "build/bin/cufc"
CODE = re.compile(r"\[(CUF\d{4})\]")
MISTAKES = {"CUF0001", "CUF0002", "CUF0003", "CUF0005", "CUF0006", "CUF0007", "CUF0010", "CUF0011"}
EXPECTED = {"means": [], "note": ["CUF0030"], "quiet": ["CUF0004"]}


def said(words: "list[str]", folder: str) -> "tuple[int, list[str], str]":
    """Exit status, codes of messages, and all that was printed."""
    done = subprocess.run([CUFC, *words], cwd=folder, text=True, check=False, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, CODE.findall(done.stdout), done.stdout


def problem(fate: str, option: str, folder: str) -> str:
    words = shlex.split(option)
    ahead = ["a.f90", "-###"]
    status, codes, text = said([*ahead, *words], folder)
    if fate == "error":
        good = status == 1 and codes and set(codes) <= MISTAKES
        return "" if good else f"status {status}, not an error\n{text}"
    if status != 0:
        return f"refused\n{text}"
    silent = [code for code in codes if code != "CUF0030"]
    notes = [code for code in codes if code == "CUF0030"]
    if silent or len(notes) != (fate == "note"):
        return f"says {codes} without -v\n{text}"
    status, codes, text = said([*ahead, "-v", *words], folder)
    wanted = EXPECTED[fate]
    # A list may hold an item that changes nothing beside one that is noted or does something.
    counted = codes if fate == "quiet" else [code for code in codes if code != "CUF0004"] if fate == "note" else codes
    good = set(counted) == set(wanted) and (fate == "quiet" or len(counted) == len(wanted))
    return "" if status == 0 and good else f"says {codes} under -v\n{text}"


def main() -> int:
    table = tomllib.loads(TABLE.read_text())
    toolkit = os.environ.get("CUDA_HOME") != "/nonexistent"
    tried = [(fate, option) for fate, entries in table.items() for entry in entries for option in entry["options"]
             if toolkit or entry.get("needs") != "toolkit"]
    for option, count in Counter(option for _, option in tried).items():
        if count > 1:
            print(f"{option}: in the table {count} times")
            return 1
    words = sys.argv[1:]
    tried = [(fate, option) for fate, option in tried if not words or any(word in option for word in words)]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        Path(folder, "a.f90").write_text("end\n")
        results = list(pool.map(lambda pair: problem(*pair, folder), tried))
    wrong = [(fate, option, result) for (fate, option), result in zip(tried, results) if result]
    for fate, option, result in wrong:
        print(f"{option} ({fate}): {result}")
    counts = Counter(fate for fate, _ in tried)
    print(f"{len(tried)} spellings: " + ", ".join(f"{count} {fate}" for fate, count in counts.items()) +
          f"; {len(wrong)} wrong")
    return 1 if wrong else 0


sys.exit(main())
