"""A temporary project for the scripts beside: writes files, runs cufls in it, and says what a build did."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

SECONDS = 300
# Of the clock that files get their times from. What is written in the tick in which a build begins could change under it and
# is compiled again by the next.
TICK = 0.02
STEP = re.compile(r"^\[\d+/\d+\] (compile|link) (\S+) \((.*)\)$", re.MULTILINE)


class Failure(Exception):
    """What was expected and not so."""


def check(condition, text):
    if not condition:
        raise Failure(text)


def equal(found, wanted, what):
    check(found == wanted, f"{what}: {found!r} instead of {wanted!r}")


class Build:
    """One run of `cufls build -v`: its status and output, and the names of what it compiled and linked."""

    def __init__(self, process):
        self.status = process.returncode
        self.text = process.stdout + process.stderr
        steps = STEP.findall(process.stderr)
        self.compiled = sorted(name for kind, name, _ in steps if kind == "compile")
        self.linked = sorted(name for kind, name, _ in steps if kind == "link")
        self.reasons = {name: reason for _, name, reason in steps}


class Workspace:
    def __init__(self, folder, cufls):
        self.root = Path(folder)
        self.cufls = cufls

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, (dict, list)):
            text = json.dumps(text)
        path.write_text(text)
        time.sleep(TICK)
        return path

    def replace(self, name, old, new):
        text = (self.root / name).read_text()
        check(old in text, f"{name} has no {old!r}")
        self.write(name, text.replace(old, new))

    def run(self, *arguments, cwd=".", stdin="", env=None, program=None):
        return subprocess.run([program or self.cufls, *map(str, arguments)], cwd=self.root / cwd, input=stdin, text=True,
                              capture_output=True, timeout=SECONDS, check=False, env={**os.environ, **(env or {})})

    def build(self, *arguments, **more):
        return Build(self.run("build", "-v", *arguments, **more))

    def start(self, *arguments):
        return subprocess.Popen([self.cufls, *map(str, arguments)], cwd=self.root, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def good(self, *arguments, **more):
        """A build that must succeed."""
        build = self.build(*arguments, **more)
        check(build.status == 0, f"build: status {build.status}\n{build.text[:2000]}")
        return build

    def output(self, program):
        done = subprocess.run([self.root / program], text=True, capture_output=True, timeout=SECONDS, check=False,
                              env={**os.environ, "CUF_DEVICE": "host"})
        check(done.returncode == 0, f"{program}: status {done.returncode}: {done.stderr}")
        return done.stdout.split()


def main(cases):
    """Runs functions that take a Workspace, in order; words on the command line select some by name."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("--cufc", default=os.environ.get("CUFC", "build/bin/cufc"))
    parser.add_argument("-v", action="store_true")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    cufls = Path(options.cufc).resolve().parent / "cufls"
    failures = 0
    for case in cases:
        if options.words and not any(word in case.__name__ for word in options.words):
            continue
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                case(Workspace(os.path.realpath(folder), cufls))
            except Failure as failure:
                failures += 1
                line = traceback.extract_tb(failure.__traceback__)[1].lineno
                print(f"error: {case.__name__}, line {line}: {failure}")
        if options.v:
            print(f"{case.__name__}: {time.monotonic() - start:.1f} s")
    sys.exit(1 if failures else 0)
