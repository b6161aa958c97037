"""tests/workarounds: a source for each row of compiler/tables/workarounds.def, named after it.

`! RUN:` is a bash command, as in tests/compile. With all mends it succeeds and `! SYMPTOM:`, a regular expression, is
in nothing that it prints; with -mno-workaround=NAME on each call of cufc the symptom is there. `! SLOWER: 1.5` stands for a
defect that costs time: the command then takes so many times the processor's time, by the best of up to five tries, as the
machine has other work.

When flang no longer needs a mend, its test fails and says what to remove. `! FLANG: 22` names the versions with the defect if they
are not all that cufc is built with; with the others the mend does no harm.
"""

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path

from .compile_tests import llvm_tools, llvm_version, run_commands
from .execution import Outcome, fresh_folder, run
from .model import FAILED, PASSED, Result, Setup, Test

DIRECTIVE = re.compile(r"^! (SYMPTOM|SLOWER): (.*)$", re.MULTILINE)
VERSIONS = re.compile(r"^! FLANG: (.*)$", re.MULTILINE)
ROW = re.compile(r'^CUF_WORKAROUND\(\w+, "([^"]+)", "([^"]+)", "([^"]+)", "([^"]+)"\)$', re.MULTILINE)
# A function in place of the program, so that each call in the command gets the switch.
WITH_SWITCH = 'cufc() { command cufc $CUFC_SWITCH "$@"; }; '
TIMED = "TIMEFORMAT='processor time: %U'; time {{ {}; }}"
TRIES = 5
TIME = re.compile(r"^processor time: ([\d.]+)$", re.MULTILINE)


def discover(setup: Setup) -> "list[Test]":
    table = setup.root / "compiler/tables/workarounds.def"
    if not table.exists():  # in a folder of ./dev pack
        return []
    rows = ROW.findall(table.read_text())
    tests = [Test(f"workarounds/{name}", partial(check, setup, name, file)) for name, file, *_ in rows]
    return tests + [Test("workarounds/table", partial(check_table, setup, [row[0] for row in rows]))]


def check_table(setup: Setup, names: "list[str]") -> "list[Result]":
    """Each source belongs to a row, and cufc knows the rows."""
    sources = {file.stem for file in (setup.root / "tests/workarounds").glob("*.*")}
    problems = [f"tests/workarounds/{name}.* has no row" for name in sorted(sources - set(names))]
    listed = run([setup.cufc, "-mno-workaround=help"], setup.root, setup.timeout).stdout
    problems += [f"-mno-workaround=help does not list {name}" for name in names if f" {name} " not in listed]
    return [Result("workarounds/table", FAILED if problems else PASSED, reason="; ".join(problems))]


def check(setup: Setup, name: str, mend: str) -> "list[Result]":
    test = f"workarounds/{name}"
    files = list((setup.root / "tests/workarounds").glob(f"{name}.*"))
    if not files:
        return [Result(test, FAILED, reason="has no source in tests/workarounds")]
    text = files[0].read_text()
    kind, value = DIRECTIVE.search(text).groups()
    versions = VERSIONS.search(text)
    has_defect = not versions or llvm_version(setup) in versions[1].split()
    commands = " && ".join(run_commands(text))
    pairs = []
    while True:
        folders = {switch: fresh_folder(setup.output / test / ("without" if switch else "with")) for switch in ("", f"-mno-workaround={name}")}
        pairs.append([execute(setup, files[0], commands, folder, switch) for switch, folder in folders.items()])
        made, left_out = pairs[-1]
        if made.problem() or not has_defect or len(pairs) == (TRIES if kind == "SLOWER" else 1) or shows(kind, value, pairs):
            break
    seconds = sum(outcome.seconds for pair in pairs for outcome in pair)
    reason = ""
    if made.problem():
        reason = f"fails with the mend: {made.problem()}"
    elif kind == "SYMPTOM" and (found := re.search(value, output_of(made))):
        reason = f"the mend does not help: {found[0]!r}"
    elif has_defect and not shows(kind, value, pairs):
        reason = (f"flang needs this mend no longer: remove compiler/{mend} or its part, the row {name} of "
                  f"compiler/tables/workarounds.def and {files[0].relative_to(setup.root)}")
    state = FAILED if reason else PASSED
    return [Result(test, state, seconds, reason, f"{commands}  # {files[0]}")]


def execute(setup: Setup, file: Path, commands: str, folder: Path, switch: str) -> Outcome:
    places = {"%s": str(file), "%S": str(file.parent), "%t": str(folder / "t"), "%%": "%"}
    line = WITH_SWITCH + re.sub("%[sSt%]", lambda match: places[match.group()], commands)
    path = f"{setup.cufc.parent}:{llvm_tools(setup)}"
    return run(["bash", "-c", f"PATH={path}:$PATH; {TIMED.format(line)}"], folder, setup.timeout, {"CUFC_SWITCH": switch})


def output_of(outcome) -> str:
    return outcome.stdout + outcome.stderr


def shows(kind: str, value: str, pairs: "list[list[Outcome]]") -> bool:
    """Whether the defect is seen in what runs with and without the mend gave."""
    if kind == "SLOWER":
        best_made, best_left_out = (min(float(TIME.findall(outcome.stderr)[-1]) for outcome in outcomes) for outcomes in zip(*pairs))
        return best_left_out > float(value) * best_made
    return re.search(value, output_of(pairs[-1][1])) is not None
