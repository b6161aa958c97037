#!/usr/bin/env python3
"""Which versions of the C and C++ libraries the programs of a folder ask for: versions.py FOLDER [--newest 2.28]

Reads every ELF program and shared library of the folder. Exit status 1 if one asks for a newer glibc than that, or for another
library than those below. Objects in static libraries carry no versions; what they call is found when a program is linked.
"""
from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

OF_GLIBC = re.compile(r"(lib(c|m|pthread|dl|rt)\.so\.\d|ld-linux-[\w-]+\.so\.\d)$")
# Loaded by libomp on demand, under ThreadSanitizer alone, which needs GCC's library anyway.
WITH_CXX = {"libarcher.so": ("3.4.29", re.compile(r"lib(stdc\+\+\.so\.6|gcc_s\.so\.1)$"))}


def number(version: str) -> "tuple[int, ...]":
    return tuple(int(part) for part in version.split("."))


def tool(*words: "str | Path") -> str:
    return subprocess.run(list(words), text=True, check=True, stdout=subprocess.PIPE).stdout


def elf_files(folder: Path) -> "list[Path]":
    found = []
    for file in sorted(folder.rglob("*")):
        if file.is_file() and not file.is_symlink():
            with file.open("rb") as stream:
                head = stream.read(18)
            if head[:4] == b"\x7fELF" and head[16] in (2, 3):
                found.append(file)
    return found


def problems(file: Path, newest: str) -> "tuple[list[str], str]":
    """What is wrong, and the newest version that is asked for."""
    asked = re.findall(r"\*UND\*\s+[0-9a-f]+\s+\(?(GLIBC|GLIBCXX)_([\d.]+)\)?\s+(\S+)", tool("objdump", "-T", file))
    cxx_limit, others = WITH_CXX.get(file.name, ("0", re.compile(r"(?!)")))
    limits = {"GLIBC": newest, "GLIBCXX": cxx_limit}
    wrong = [f"{symbol} of {kind}_{version}" for kind, version, symbol in asked if number(version) > number(limits[kind])]
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", tool("readelf", "-d", file))
    wrong += [f"needs {name}" for name in needed if not OF_GLIBC.match(name) and not others.match(name)]
    versions = [version for kind, version, _ in asked if kind == "GLIBC"]
    return wrong, max(versions, key=number, default="none")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--newest", default="2.28")
    arguments = parser.parse_args()
    files, failed = elf_files(arguments.folder), False
    if not files:
        raise SystemExit(f"{arguments.folder}: no programs")
    for file in files:
        wrong, newest = problems(file, arguments.newest)
        failed |= bool(wrong)
        print(f"{file.relative_to(arguments.folder)}: glibc {newest}" + "".join(f"\n    {each}" for each in wrong))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
