#!/usr/bin/env python3
"""Broken programs: each mutation of a correct one gets an answer, and most of its symbols are found.

A mutation deletes, cuts, swaps or inserts something at a random place. `cufls check` and `cufls
symbols` run on it with limits on time and memory. A mutation is answered if both end by themselves,
with a status that they document, and no part of them crashed.

    tests/fuzz/mutations.py [--count N] [--seed S] [--only NUMBER] [--keep DIR]

The same seed gives the same mutations; --only repeats one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = 20
SECONDS = 20.0
SHARE, SHARE_OF_FEW = 0.95, 0.93  # of the symbols; a program of which none is found is 2 % of few
MEMORY = 6 << 30  # of address space; 1 GiB of it is the parser's stack
CRASHED = re.compile(rb"CUF090\d|the compiler failed|the analysis took longer")
WORD = re.compile(r"[A-Za-z]\w*")
TOKEN = re.compile(r"\w+|[^\w\s]")
INCLUDED = re.compile(r"""^\s*#?include\s+["']([\w.]+)["']""", re.MULTILINE | re.IGNORECASE)


def programs() -> "list[Path]":
    """Every so many of the single files, so that all kinds are among them."""
    found = []
    for folder in ("tests/run", "docs/examples"):
        for file in sorted((ROOT / folder).glob("*.cuf")):
            if 1000 < file.stat().st_size < 12000:
                found.append(file)
    step = max(1, len(found) // PROGRAMS)
    return found[::step][:PROGRAMS]


def delete_line(text: str, random: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    del lines[random.randrange(len(lines))]
    return "".join(lines)


def delete_lines(text: str, random: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    start = random.randrange(len(lines))
    del lines[start : start + random.randint(2, 8)]
    return "".join(lines)


def delete_bytes(text: str, random: random.Random) -> str:
    start = random.randrange(len(text))
    return text[:start] + text[start + random.randint(1, 12) :]


def delete_token(text: str, random: random.Random) -> str:
    token = random.choice(list(TOKEN.finditer(text)))
    return text[: token.start()] + text[token.end() :]


def truncate(text: str, random: random.Random) -> str:
    return text[: random.randrange(len(text))]


def swap_lines(text: str, random: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    a, b = random.randrange(len(lines)), random.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return "".join(lines)


def swap_tokens(text: str, random: random.Random) -> str:
    a, b = sorted(random.sample(list(TOKEN.finditer(text)), 2), key=lambda token: token.start())
    middle = text[a.end() : b.start()]
    return text[: a.start()] + b.group() + middle + a.group() + text[b.end() :]


def insert_bracket(text: str, random: random.Random) -> str:
    place = random.randrange(len(text))
    return text[:place] + random.choice("()[]<>'\"&;") + text[place:]


def drop_bracket(text: str, random: random.Random) -> str:
    places = [i for i, c in enumerate(text) if c in "()[]'\""]
    place = random.choice(places)
    return text[:place] + text[place + 1 :]


def random_bytes(text: str, random: random.Random) -> str:
    place = random.randrange(len(text))
    return text[:place] + "".join(chr(random.randrange(256)) for _ in range(8)) + text[place:]


def half_a_line(text: str, random: random.Random) -> str:
    """What somebody has typed so far."""
    lines = text.splitlines(keepends=True)
    number = random.randrange(len(lines))
    line = lines[number].rstrip("\n")
    lines[number] = line[: random.randint(0, len(line))] + "\n"
    return "".join(lines)


MUTATIONS = (
    delete_line, delete_lines, delete_bytes, delete_token, truncate, swap_lines, swap_tokens,
    insert_bracket, drop_bracket, random_bytes, half_a_line,
)  # fmt: skip


class Outcome:
    def __init__(self, number: int, name: str):
        self.number, self.name = number, name
        self.problem = ""
        self.expected = self.found = 0
        self.seconds = 0.0


class Runner:
    def __init__(self, cufls: str, folder: Path, seed: int):
        self.cufls, self.folder, self.seed = cufls, folder, seed
        self.programs = programs()
        self.originals = {}

    def run(self, command: "list[str]") -> "tuple[subprocess.CompletedProcess | None, float]":
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        start = time.monotonic()
        try:
            result = subprocess.run(
                [self.cufls, *command], capture_output=True, timeout=SECONDS, preexec_fn=limit
            )
        except subprocess.TimeoutExpired:
            result = None
        return result, time.monotonic() - start

    def names(self, file: Path) -> "set[str] | str":
        """The names of what a file declares, or what went wrong."""
        result, _ = self.run(["symbols", "--format=json", str(file)])
        if result is None:
            return "symbols: no answer in time"
        if result.returncode != 0:
            return f"symbols: status {result.returncode}"
        answer = json.loads(result.stdout)
        return {symbol["name"].lower() for symbol in answer[0]["symbols"]}

    def mutate(self, number: int) -> Outcome:
        source = self.programs[number % len(self.programs)]
        chance = random.Random(f"{self.seed} {number}")
        mutation = chance.choice(MUTATIONS)
        outcome = Outcome(number, f"{mutation.__name__} of {source.name}")
        text = mutation(source.read_text(), chance)
        file = self.folder / f"{number}" / source.name
        file.parent.mkdir(parents=True, exist_ok=True)
        for included in INCLUDED.findall(source.read_text()):  # what it declares counts, too
            shutil.copy(source.with_name(included), file.parent)
        file.write_bytes(text.encode("latin-1", "replace") if mutation is random_bytes else text.encode())
        result, outcome.seconds = self.run(["check", str(file)])
        if result is None:
            outcome.problem = "check: no answer in time"
        elif result.returncode not in (0, 1):
            outcome.problem = f"check: status {result.returncode}"
        elif CRASHED.search(result.stdout + result.stderr):
            outcome.problem = "check: the analysis crashed"
        else:
            self.compare(source, file, text, outcome)
        return outcome

    def compare(self, source: Path, file: Path, text: str, outcome: Outcome) -> None:
        names = self.names(file)
        if isinstance(names, str):
            outcome.problem = names
            return
        code = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("!"))
        words = {word.lower() for word in WORD.findall(code)}
        expected = self.originals[source] & words
        outcome.expected, outcome.found = len(expected), len(expected & names)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", help="the folder for the mutated files")
    arguments = parser.parse_args()
    cufc = Path(os.environ.get("CUFC", ROOT / "build/bin/cufc"))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(arguments.keep or scratch)
        runner = Runner(str(cufc.with_name("cufls")), folder, arguments.seed)
        for source in runner.programs:
            names = runner.names(source)
            if isinstance(names, str) or not names:
                print(f"{source}: {names or 'no symbols'}")
                return 1
            runner.originals[source] = names
        numbers = [arguments.only] if arguments.only is not None else range(arguments.count)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            outcomes = list(pool.map(runner.mutate, numbers))
    return report(outcomes)


def report(outcomes: "list[Outcome]") -> int:
    problems = [outcome for outcome in outcomes if outcome.problem]
    for outcome in problems:
        print(f"--only {outcome.number}: {outcome.name}: {outcome.problem}")
    answered = [outcome for outcome in outcomes if not outcome.problem]
    lost = [outcome for outcome in answered if outcome.found < outcome.expected]
    for outcome in sorted(lost, key=lambda outcome: outcome.found / outcome.expected)[:10]:
        print(f"--only {outcome.number}: {outcome.name}: {outcome.found} of {outcome.expected} symbols")
    expected = sum(outcome.expected for outcome in answered)
    found = sum(outcome.found for outcome in answered)
    share = found / expected if expected else 0.0
    slowest = max(outcome.seconds for outcome in outcomes)
    print(f"{len(outcomes)} mutations, {len(answered)} answered, the slowest in {slowest:.1f} s")
    print(f"{len(answered) - len(lost)} with all symbols; {share:.1%} of all symbols found")
    if problems:
        return 1
    return 0 if share > (SHARE if len(outcomes) >= 1000 else SHARE_OF_FEW) else 1


if __name__ == "__main__":
    sys.exit(main())
