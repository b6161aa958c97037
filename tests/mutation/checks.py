#!/usr/bin/env python3
"""Leaves out each check and each diagnostic of the checks in turn: does a test notice?

The compiler takes -D__cufc_leave_out__=: the number of a check in the list of compiler/checks/registry.cpp, or the code of a diagnostic, which it
then does not report. The sources of tests/diagnostics and the wrong ones of the codes' pages are compiled with and without it; a test notices
if what is said differs, since these tests compare all that is said. What no test notices is named.

    tests/mutation/checks.py [-v] [--only WHAT] [--jobs N]        CUFC names the compiler"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from harness import directives  # noqa: E402
from harness.explanations import examples  # noqa: E402

ROW = re.compile(r'^CUF_DIAGNOSTIC\((\w+), "(CUF\d{4})", (\w+)', re.M)
USED = re.compile(r"\b(?:Diag|Hazard|Parallel|\w+Diag)::(\w+)")
PLACE = re.compile(r"^\S*?:?(\d+:\d+: .*)$", re.M)
# What no source of these tests can show, with the reason.
UNSEEN = {
    **{name: "a place that belongs to another message, which has no code of its own"
       for name in ("DeclaredHere", "CallsHere", "DivergentCondition", "LeavesHere", "ArrayHere", "LaunchedHere", "WrittenHere", "ReadHere", "StartedHere",
                    "StreamWorkHere")},
    "MpiLacking": "needs an older MPI library: tests/mpi/libraries.py",
}


def codes_by_name():
    return {name: code for table in (ROOT / "compiler/tables").glob("*.def") for name, code, _ in ROW.findall(table.read_text())}


def check_sources():
    """Texts of compiler/checks by file."""
    return {file: file.read_text() for file in sorted((ROOT / "compiler/checks").rglob("*.cpp"))}


def mutants():
    """What to leave out, what it is called, and the codes that may change."""
    names, sources = codes_by_name(), check_sources()
    listed = re.search(r"checks\[\] = \{(.*?)\};", sources[ROOT / "compiler/checks/registry.cpp"], re.S)[1]
    found = []
    for number, check in enumerate(re.findall(r"\w+", listed)):
        text = "".join(text for text in sources.values() if f"void {check}(CheckContext" in text)
        found.append((str(number), check, sorted({names[name] for name in USED.findall(text) if name in names})))
    used = {names[name]: name for text in sources.values() for name in USED.findall(text) if name in names}
    return found + [(code, name, [code]) for code, name in sorted(used.items())]


class Sources:
    """What the tests compile, and the codes that they expect."""

    def __init__(self, folder):
        self.tests, self.folder = [], folder
        for file in sorted((ROOT / "tests/diagnostics").iterdir()):
            if file.suffix in (".cuf", ".CUF", ".f", ".f90"):
                flags = [str(flag) for flag in directives.read([file]).flags]
                self.tests.append((file, flags, set(re.findall(r"^!.*\[(CUF\d{4})\]:", file.read_text(), re.M)), file.name.startswith("hazard_")))
        for page in sorted((ROOT / "compiler/tables/explanations").glob("*.md")):
            example = examples(page.read_text()).get("Wrong")
            if example and not example.commands:
                file = folder / f"{page.stem}{example.suffix}"
                file.write_text(example.source)
                self.tests.append((file, [], {page.stem}, True))

    def expecting(self, codes):
        return [test for test in self.tests if test[2] & set(codes)]


class Mutation:
    def __init__(self, folder):
        self.cufc = Path(os.environ.get("CUFC", ROOT / "build/bin/cufc")).resolve()
        self.folder, self.baseline = folder, {}

    def said(self, test, without):
        file, flags, _, check = test
        more = [*flags, "-Mpreprocess", f"-D__cufc_leave_out__={without}"]
        command = [self.cufc.with_name("cufls"), "check", "--no-cache", file, "--", *more] if check else [self.cufc, *more, "-c", file, "-o", os.devnull]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, errors="replace", timeout=120, env={**os.environ, "CUDA_HOME": "/nonexistent"})
        return sorted(PLACE.findall(done.stdout + done.stderr)), done.returncode

    def noticed(self, mutant, tests):
        """The first test that says something else."""
        what, _, _ = mutant
        for test in tests:
            if test[0] not in self.baseline:
                self.baseline[test[0]] = self.said(test, "nothing")
            if self.said(test, what) != self.baseline[test[0]]:
                return test[0].name
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--only", help="the name of a check or diagnostic, or a code")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        sources, mutation = Sources(Path(temporary)), Mutation(temporary)
        chosen = [mutant for mutant in mutants() if arguments.only in (None, mutant[0], mutant[1])]
        missed, useless = [], []
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for mutant, by in zip(chosen, pool.map(lambda mutant: mutation.noticed(mutant, sources.expecting(mutant[2])), chosen)):
                if by is None:
                    (useless if mutant[1] in UNSEEN else missed).append(mutant)
                    if mutant[1] not in UNSEEN:
                        print(f"no test misses {mutant[1]} ({mutant[0]}); {len(sources.expecting(mutant[2]))} expect {', '.join(mutant[2])}", flush=True)
                elif arguments.verbose:
                    print(f"{mutant[1]} ({mutant[0]}): {by}", flush=True)
    print(f"{len(chosen)} left out in turn, {len(missed)} of them not noticed, {len(useless)} that cannot be")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
