#!/usr/bin/env python3
"""What protects an executable against mistakes in it: PIE, full RELRO, no executable stack, no writable code, and whether functions check their
stack and the C library the sizes of buffers. hardened.py FILE [--compiled] says what is missing; --compiled asks for the last two, which depend on
how all sources were compiled (CUFC_HARDENED in CMake)."""

from __future__ import annotations

import re
import subprocess
import sys


def readelf(option: str, file: str) -> str:
    return subprocess.run(["readelf", "-W", option, file], capture_output=True, text=True, check=True).stdout


def missing(file: str, compiled: bool = False) -> "list[str]":
    segments, dynamic = readelf("-l", file), readelf("-d", file)
    found = []
    if not re.search(r"Type:\s+DYN", readelf("-h", file)) or "PIE" not in dynamic:
        found.append("it is no PIE")
    if "GNU_RELRO" not in segments:
        found.append("no RELRO")
    if "BIND_NOW" not in dynamic and not re.search(r"FLAGS_1\).*\bNOW\b", dynamic):
        found.append("RELRO is not full (-z now)")
    if not re.search(r"GNU_STACK.*\sRW\s", segments):
        found.append("the stack can be executed")
    if re.search(r"LOAD.*\sRWE\s", segments):
        found.append("a segment can be written and executed")
    if re.search(r"RPATH|RUNPATH", dynamic):
        found.append("a path of libraries is built in")
    if compiled:
        symbols = readelf("--dyn-syms", file)
        found += [f"no {name}" for name in ("__stack_chk_fail", "__memcpy_chk") if name not in symbols]
    return found


if __name__ == "__main__":
    problems = missing(sys.argv[1], "--compiled" in sys.argv)
    print("\n".join(problems))
    sys.exit(1 if problems else 0)
