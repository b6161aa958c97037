"""tests/workarounds: a source for each row of compiler/tables/workarounds.def, named after it.

`! RUN:` is a bash command, as in tests/compile. With all mends it succeeds and `! SYMPTOM:`, a regular expression, is
in nothing that it prints; with -mno-workaround=NAME on each call of cufc the symptom is there. `! SLOWER: 2` stands for a
defect that costs time: the command then takes twice the processor's time.

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
    outcomes = {}
    for switch in ("", f"-mno-workaround={name}"):
        folder = fresh_folder(setup.output / test / ("without" if switch else "with"))
        outcomes[switch] = execute(setup, files[0], commands, folder, switch)
    made, left_out = outcomes.values()
    seconds = made.seconds + left_out.seconds
    reason = ""
    if made.problem():
        reason = f"fails with the mend: {made.problem()}"
    elif kind == "SYMPTOM" and (found := re.search(value, output_of(made))):
        reason = f"the mend does not help: {found[0]!r}"
    elif has_defect and not shows(kind, value, made, left_out):
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


def shows(kind: str, value: str, made, left_out) -> bool:
    if kind == "SLOWER":
        times = [float(TIME.findall(outcome.stderr)[-1]) for outcome in (made, left_out)]
        return times[1] > float(value) * times[0]
    return re.search(value, output_of(left_out)) is not None
