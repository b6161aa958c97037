#!/usr/bin/env python3
"""What cuda-gdb says of variables in the kernels of tests/debug/kernels.cuf, which is compiled with -g -O0 and runs on the GPU.

Usage: cuda_gdb.py [--cufc PATH] [--debugger PATH]      prints what was not as expected, and cuda-gdb's whole output then
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "debug/kernels.cuf"

# Kernel, a text of the line to stop at, and what follows "$N = ": expression to pattern. Thread 1 of block 1 stops first.
STOPS = [
    ("loops", "if (i == 11) then",
     {"n": "16", "factor": r".*\b2", "i": "1", "m": "8", "k": r"\(1, 2, 3\)", "d": r".*0\.5", "l": r".*TRUE", "c": r".*\(1,2\)",
      "c8": r"\(1,-2\)", "word": "'abcde'", "even": r".*FALSE", "mine%id": "1", "mine%at": r"\(1, 2, 3\)", "mine%tag": "'wxyz'", "x(2)": "4|2",
      "x(1)": "2", "y(1)": r"0\.5", "z(2)": "1", "p%id": "4", "q%tag": "'abcd'", "whole(4)": "4", "automatic(1)": "1",
      "weights": r"\(0\.5, 2, 3, 4\)", "scale": r"0\.75", "counter": "3", "table(0,1)": r"0\.5", "pool(2)": "2"}),
    ("barriers", "if (i == 5) then",
     {"i": "1", "n": "16", "mine": "16", "pair": r"\(1, -1\)", "tile(8)": "16", "plane(2,3)": "80", "many": ".*5", "dynamic(3)": "-3", "z(2)": ".*",
      "q%at": r"\(1, 2, 3\)"}),
]


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(SOURCE.read_text().splitlines(), 1) if text in line)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cufc", default=os.environ.get("CUFC", "cufc"))
    parser.add_argument("--debugger", default="cuda-gdb")
    arguments = parser.parse_args()
    wrong = right = 0
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        subprocess.run([arguments.cufc, "-g", "-O0", str(SOURCE), "-o", str(program)], cwd=folder, check=True)
        for kernel, text, values in STOPS:
            commands = ["set pagination off", "set width 0", "set breakpoint pending on", "set print repeats 0",
                        f"break kernels.cuf:{line_of(text)}", "run", "bt 2", "info args", "info locals"]
            commands += [part for name in values for part in (f"echo \\n@{name}@\\n", f"print {name}")]
            told = [part for command in commands for part in ("-ex", command)]
            done = subprocess.run([arguments.debugger, "-q", "-nx", "-batch", *told, str(program)], cwd=folder, capture_output=True,
                                  text=True, check=False, stdin=subprocess.DEVNULL, timeout=240, errors="replace",
                                  env={**os.environ, "CUF_DEVICE": "gpu"})
            output = done.stdout + done.stderr
            failed = [name for name, pattern in values.items()
                      if not re.search(rf"\n@{re.escape(name)}@\n(?:\n)?\$\d+ = (?:{pattern})", output)]
            right += len(values) - len(failed)
            wrong += len(failed)
            if failed:
                print(f"{kernel}: not as expected: {', '.join(failed)}\n{output}")
    print(f"cuda-gdb: {right} variables right, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
