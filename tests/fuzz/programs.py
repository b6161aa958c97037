#!/usr/bin/env python3
"""Random programs, compiled in several ways: kernels, the same as host code, and gfortran must agree.

Each seed is a program (random_programs.py). It is compiled at -O0, -O2, -O3 and with -gpu=check, and run; it compares its kernels with its own
host code itself, and what it prints is compared with the same text compiled by gfortran as standard Fortran, where that is installed. A program
that gives another answer, that is not compiled or that crashes is reduced while it does so, and what is left is kept.

    tests/fuzz/programs.py [--count N] [--seconds N] [--seed S] [--jobs N] [--ways O0,O3] [--keep DIR] [--no-reduce] [--expected FILE | --write-expected FILE]

--write-expected stores what gfortran's programs print, for --expected on a machine that has none. CUFC names the compiler; CUF_DEVICE the device."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from random_programs import Node, random_program  # noqa: E402

WAYS = {"O0": ["-O0"], "O2": ["-O2"], "O3": ["-O3"], "check": ["-O1", "-gpu=check"]}
SECONDS = 240
GFORTRAN = ["gfortran", "-O0", "-cpp", "-DPLAIN", "-ffree-line-length-none", "-fno-range-check", "-w"]


def run(command, folder, seconds=SECONDS):
    """Exit status and output; a status of None means that it did not end."""
    environment = {**os.environ, "CUF_DEVICE": os.environ.get("CUF_DEVICE", "host")}
    if environment["CUF_DEVICE"] == "host":
        environment["CUDA_HOME"] = "/nonexistent"  # no ptxas for code that does not run
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=seconds, env=environment)
    except subprocess.TimeoutExpired:
        return None, "no end"
    return done.returncode, done.stdout + done.stderr


def said(text):
    """The lines that the program prints itself."""
    return "\n".join(line for line in text.splitlines() if re.match(r"(k\d|[abdm]|DIFF) ?", line))


def write(program, folder):
    names = []
    for number, text in enumerate(program.files()):
        names.append(f"part{number}.CUF")
        (folder / names[-1]).write_text(text)
    return names


class Trial:
    """One program in a folder of its own."""

    def __init__(self, cufc, program, folder, expected=None, ways=WAYS):
        self.cufc, self.folder, self.expected, self.ways = cufc, folder, expected, ways
        folder.mkdir(parents=True, exist_ok=True)
        self.names = write(program, folder)

    def plain(self):
        """What gfortran's program prints, or what is wrong with it."""
        copies = [name.replace(".CUF", ".F90") for name in self.names]
        for name, copy in zip(self.names, copies):
            shutil.copy(self.folder / name, self.folder / copy)
        code, text = run([*GFORTRAN, *copies, "-o", "plain"], self.folder)
        if code:
            return None, "gfortran: " + text
        code, text = run(["./plain"], self.folder, 20)
        return (said(text), "") if code == 0 else (None, f"gfortran's program: {code} {text}")

    def fault(self):
        """The kind of failure and its details, or nothing."""
        expected = self.expected
        if expected is None and shutil.which("gfortran"):
            expected, problem = self.plain()
            if expected is None:
                return "generator", problem
        for name, flags in self.ways.items():
            code, text = run([self.cufc, *flags, *self.names, "-o", name], self.folder)
            if code != 0:
                return f"{name} compile", text
            code, text = run([f"./{name}"], self.folder, 60)
            if code != 0:
                return f"{name} run", f"{code} {text}"
            output = said(text)
            if "DIFF" in output:
                return f"{name} kernels", output
            if expected is not None and output != expected:
                return f"{name} gfortran", f"{output}\n--- expected:\n{expected}"
            expected = output if expected is None else expected  # of the first way, where there is no gfortran
        return None


def error_of(detail):
    """What two failures have in common: the first code or line of an error."""
    found = re.search(r"\[(CUF\d+)\]|(error: [^:]*)|(runtime error[^:]*)", detail)
    return found[0] if found else ""


def same(fault, other):
    return other is not None and fault[0] == other[0] and error_of(fault[1]) == error_of(other[1])


def nodes_of(parts):
    for place, node in enumerate(parts):
        yield parts, place, node
        yield from nodes_of(node.parts)


def reduce(program, fails, seconds=400):
    """Removes kernels, procedures and statements as long as the program still fails in the same way."""
    limit = time.monotonic() + seconds

    def attempt(parts, first, count, instead=()):
        removed = parts[first:first + count]
        parts[first:first + count] = instead
        if fails(program):
            return True
        parts[first:first + len(instead)] = removed
        return False

    for parts in (program.kernels, program.transfers):
        place = 0
        while place < len(parts) and time.monotonic() < limit:
            place += 0 if attempt(parts, place, 1) else 1
    smaller = True
    while smaller and time.monotonic() < limit:
        smaller = False
        for body in program.bodies():
            size = max(1, len(body)//2)
            while size:
                place = 0
                while place < len(body) and time.monotonic() < limit:
                    if attempt(body, place, size):
                        smaller = True
                    else:
                        place += size
                size //= 2
        for body in program.bodies():
            for parts, place, node in list(nodes_of(body)):
                if time.monotonic() > limit or place >= len(parts) or parts[place] is not node or parts is body and not node.parts:
                    continue
                if attempt(parts, place, 1) or (node.parts and attempt(parts, place, 1, list(node.parts))):
                    smaller = True
    place = 0
    while place < len(program.functions):
        place += 0 if attempt(program.functions, place, 1) else 1
    return program


class Tests:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.ways = {name: WAYS[name] for name in arguments.ways.split(",")}
        self.cufc = str(Path(os.environ.get("CUFC", "build/bin/cufc")).resolve())
        self.limit, self.done = time.monotonic() + arguments.seconds, 0
        self.known = json.loads(Path(arguments.expected).read_text()) if arguments.expected else {}

    def one(self, seed):
        if time.monotonic() > self.limit:
            return seed, None, None
        self.done += 1
        folder = self.folder / str(seed)
        program = random_program(seed)
        if self.arguments.write_expected:
            output, problem = Trial(self.cufc, program, folder).plain()
            shutil.rmtree(folder)
            return seed, ("generator", problem) if output is None else None, output
        expected = self.known.get(str(seed))
        key = hashlib.sha256("".join(program.files()).encode()).hexdigest()[:12]
        if expected and expected["text"] != key:
            return seed, ("generator", "the program is not the one whose output was stored"), None
        fault = Trial(self.cufc, program, folder, expected and expected["output"], self.ways).fault()
        if not fault:
            shutil.rmtree(folder)
            return seed, None, None
        if not self.arguments.no_reduce and fault[0] != "generator":
            way = fault[0].split()[0]
            trial = folder / "reduced"

            def fails(candidate):
                shutil.rmtree(trial, ignore_errors=True)
                return same(fault, Trial(self.cufc, candidate, trial, None if shutil.which("gfortran") else "", {way: WAYS[way]}).fault())

            if "gfortran" not in fault[0] or shutil.which("gfortran"):
                smaller = reduce(program, fails)
                shutil.rmtree(trial, ignore_errors=True)
                trial.mkdir()
                write(smaller, trial)
        return seed, fault, None


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no more programs after this time")
    parser.add_argument("--ways", default=",".join(WAYS), help="how each is compiled, such as O0,O3")
    parser.add_argument("--keep", type=Path, help="keep programs that fail in this folder")
    parser.add_argument("--no-reduce", action="store_true")
    parser.add_argument("--expected", help="what gfortran's programs print, from --write-expected")
    parser.add_argument("--write-expected")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    begin, failed, stored, kernels = time.monotonic(), 0, {}, 0
    with tempfile.TemporaryDirectory() as temporary:
        tests = Tests(arguments, (arguments.keep or Path(temporary)).resolve())
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for seed, fault, output in pool.map(tests.one, range(arguments.seed, arguments.seed + arguments.count)):
                if seed >= arguments.seed + tests.done:
                    continue
                program = random_program(seed)
                kernels += len(program.kernels)
                if output is not None:
                    stored[seed] = {"text": hashlib.sha256("".join(program.files()).encode()).hexdigest()[:12], "output": output}
                if fault:
                    failed += 1
                    print(f"seed {seed}: {fault[0]}: {fault[1][:1500]}", flush=True)
    if arguments.write_expected:
        Path(arguments.write_expected).write_text(json.dumps(stored))
    print(f"{tests.done} programs with {kernels} kernels, {failed} failed, {time.monotonic() - begin:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
