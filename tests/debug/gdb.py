#!/usr/bin/env python3
"""What gdb says of variables, in host code and in kernels on the CPU, compared with what the programs print of them.

Each .cuf file beside this one is compiled with -g -O0 and run in gdb (gdb_values.py); then what a debugger's user does otherwise:
breakpoints by name, lines, conditions on threadIdx, other levels of optimisation, checks.

Usage: gdb.py [--cufc PATH] [FILE...]      CUFC in the environment is the default
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77
sys.path.insert(0, str(HERE))
import gdb_values  # noqa: E402  pylint: disable=wrong-import-position


class Work:
    def __init__(self, cufc: str, folder: Path):
        self.cufc, self.folder = cufc, folder
        self.failures: "list[str]" = []

    def compile(self, source: Path, *flags: str) -> Path:
        program = self.folder / "program"
        done = subprocess.run([self.cufc, "-g", "-gpu=host", *flags, str(source), "-o", str(program)], cwd=self.folder,
                              capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{source.name}: {done.stdout}{done.stderr}")
        return program

    def gdb(self, program: Path, *commands: str) -> str:
        arguments = [part for command in ("set pagination off", "set width 0", *commands) for part in ("-ex", command)]
        done = subprocess.run(["gdb", "-q", "-nx", "-batch", *arguments, str(program)], cwd=self.folder, capture_output=True,
                              text=True, check=False, stdin=subprocess.DEVNULL, timeout=120, errors="replace",
                              env={**os.environ, "CUF_DEVICE": "host", "CUF_HOST_THREADS": "1"})
        return done.stdout + done.stderr

    def expect(self, what: str, pattern: str, text: str) -> None:
        if not re.search(pattern, text, re.DOTALL):
            self.failures.append(f"{what}: no {pattern!r} in\n{text[-1500:]}")


def check_programs(work: Work, files: "list[Path]") -> None:
    for source in files:
        shutil.copy(source, work.folder)
        right, wrong = gdb_values.compare(source, work.compile(Path(source.name), "-O0"), work.folder)
        print(f"{source.name}: {right} variables right, {len(wrong)} wrong")
        work.failures += wrong


def line_of(text: str, source: Path) -> int:
    return next(number for number, line in enumerate(source.read_text().splitlines(), 1) if text in line)


def check_stops(work: Work) -> None:
    """Breakpoints by the kernel's name, by line, with a condition, and what a stop shows."""
    source = HERE / "kernels.cuf"
    shutil.copy(source, work.folder)
    program = work.compile(Path(source.name), "-O0")
    said = work.gdb(program, "break loops", "run", "bt 1", "info args")
    work.expect("a kernel's name", r"Breakpoint 1, kernels::loops \(n=16, factor=2, ", said)
    work.expect("its arguments", r"\nd = 0\.5\n.*\nl = \.TRUE\.\n", said)
    said = work.gdb(program, "break kernels::barriers", "run", "info locals")
    work.expect("a kernel with barriers", r"Breakpoint 1, kernels::barriers \(n=16, ", said)
    line = line_of("mine = tile(9 - i)", source)
    said = work.gdb(program, f"break kernels.cuf:{line} if threadIdx%x == 6", "run", "print i", "print tile(3)", "next", "print mine",
                    "info locals")
    work.expect("a condition on threadIdx", r"\$1 = 6\n\$2 = 6\n.*\$3 = 6\n", said)
    work.expect("all locals", r"dynamic_first = .*\npair = \(6, -6\)\n", said)
    if re.search(r"optimized out|_Q[MF]|\n\.", said):
        work.failures.append(f"names and values for people: {said[-1500:]}")
    line = line_of("t(2) = 2 * t(1)", source)
    said = work.gdb(program, f"break kernels.cuf:{line}", "run", "bt 2", "print v", "up", "print n", "print k")
    work.expect("a device procedure", r"#0 .*twice \(v=3, w=.*#1 .*loops .*\$1 = 3\n.*\$2 = 16\n\$3 = \(1, 2, 3\)", said)


def check_other_levels(work: Work) -> None:
    source = HERE / "kernels.cuf"
    shutil.copy(source, work.folder)
    for flags in (["-O2"], ["-O0", "-gpu=check"], ["-O0", "-Mbounds"], ["-O0", "-traceback"]):
        program = work.compile(Path(source.name), *flags)
        line = line_of("tile(i) = x(i)", source)
        said = work.gdb(program, f"break kernels.cuf:{line}", "run", "delete", "continue")
        work.expect(f"a stop with {' '.join(flags)}", r"Breakpoint 1[.0-9]*, .*barriers.*exited normally", said)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cufc", default=os.environ.get("CUFC", "cufc"))
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    if not shutil.which("gdb"):
        print("gdb is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        work = Work(arguments.cufc, Path(folder))
        check_programs(work, arguments.files or sorted(HERE.glob("*.cuf")))
        if not arguments.files:
            check_stops(work)
            check_other_levels(work)
    print("\n".join(work.failures))
    return 1 if work.failures else 0


if __name__ == "__main__":
    sys.exit(main())
