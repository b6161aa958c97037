"""Whether a run gave the right result.

The field `judge` of a case is a table:
kind = "value"   the last match of `pattern` in `file` (the output by default) has numbers, which are those of
                 `value` within `tolerance` of each: a reference that the application itself publishes
kind = "own"     `pattern` is found in `file`, and `wrong` is not: the application checks itself
kind = "same"    all numbers of the lines of `file` that `pattern` matches (or of all lines) are, within
                 `tolerance` times the largest number in the same column, those of the reference: the build by gfortran, or the
                 run with the fewest ranks; `bytes` = "float64" or "float32" takes a file without text
kind = "agree"   the same of several `files` of one run, which are compared with the first of them
"""
from __future__ import annotations

import math
import re
import struct
from pathlib import Path

from recipe import Case

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?(?![\w])|[-+]?(?:NaN|Inf(?:inity)?)\b", re.IGNORECASE)
BINARY = {"float64": "d", "float32": "f"}


REPEATED = re.compile(r"(?<![\w.])(\d+)\*([-+.\d][^\s,]*)")  # as list-directed output writes equal values


def numbers(text: str) -> "list[float]":
    text = REPEATED.sub(lambda match: f"{match.group(2)} " * int(match.group(1)), text)
    return [float(re.sub("[dD]", "e", word) if word[-1].isdigit() or word[-1] == "." else word) for word in NUMBER.findall(text)]


def right(what: str) -> str:
    return f"right: {what}"


def judge(case: Case, folder: Path, reference: "Path | None") -> str:
    rule = case.judge
    files = "" if rule["kind"] == "agree" else rule.get("file", "console.txt")
    results = [KINDS[rule["kind"]](rule, name, folder, reference) for name in (files if isinstance(files, list) else [files])]
    wrong = [result for result in results if not result.startswith("right")]
    return wrong[0] if wrong else results[-1]


def judge_value(rule: dict, name: str, folder: Path, reference: "Path | None") -> str:
    matches = re.findall(rule["pattern"], (folder / name).read_text(errors="replace"), re.MULTILINE)
    if not matches:
        return f"wrong: {name} has no match of {rule['pattern']}"
    found = numbers(" ".join(matches[-1]) if isinstance(matches[-1], tuple) else matches[-1])
    wanted = rule["value"] if isinstance(rule["value"], list) else [rule["value"]]
    good = len(found) == len(wanted) and all(math.isclose(f, w, rel_tol=rule["tolerance"]) for f, w in zip(found, wanted))
    shown = f"{found} for the published {wanted}"
    return right(shown) if good else f"wrong: {shown}"


def judge_own(rule: dict, name: str, folder: Path, reference: "Path | None") -> str:
    text = (folder / name).read_text(errors="replace")
    if "wrong" in rule and (match := re.search(rule["wrong"], text, re.MULTILINE)):
        return f"wrong: {match.group().strip()}"
    match = re.search(rule["pattern"], text, re.MULTILINE)
    return right(match.group().strip()) if match else f"wrong: {name} has no match of {rule['pattern']}"


def rows_of(rule: dict, file: Path) -> "list[list[float]]":
    """The numbers of each line; of a file without text, one line."""
    if "bytes" in rule:
        data = file.read_bytes()[rule.get("skip", 0):]
        size = struct.calcsize(BINARY[rule["bytes"]])
        return [[value] for (value,) in struct.iter_unpack("<" + BINARY[rule["bytes"]], data[:len(data) // size * size])]
    lines = file.read_text(errors="replace").splitlines()
    wanted = re.compile(rule.get("pattern", ""))
    rows = []
    for line in lines:
        if match := wanted.search(line):
            rows.append(numbers(" ".join(match.groups()) if match.groups() else line))
    return [row for row in rows if row]


def judge_same(rule: dict, name: str, folder: Path, reference: "Path | None") -> str:
    if not (folder / name).exists():
        return f"wrong: no file {name}"
    mine = rows_of(rule, folder / name)
    if reference is None:
        return compare(rule, name, mine, mine).replace("differs by 0.0e+00 of the largest value at most, in", "has")
    return compare(rule, name, mine, rows_of(rule, reference / name))


def judge_agree(rule: dict, name: str, folder: Path, reference: "Path | None") -> str:
    first, *others = rule["files"]
    result = ""
    for other in others:
        for file in (first, other):
            if not (folder / file).exists():
                return f"wrong: no file {file}"
        result = compare(rule, other, rows_of(rule, folder / other), rows_of(rule, folder / first))
        if not result.startswith("right"):
            return result
    return result


def compare(rule: dict, name: str, mine: "list[list[float]]", other: "list[list[float]]") -> str:
    """Line by line; or all numbers in their order, where lines are broken at other places."""
    if not mine or not all(math.isfinite(value) for row in mine for value in row):
        return f"wrong: {name} has " + ("no numbers" if not mine else "NaN or infinity")
    count = sum(map(len, mine))
    if [len(row) for row in mine] != [len(row) for row in other]:
        mine, other = ([[value] for row in rows for value in row] for rows in (mine, other))
    if len(mine) != len(other):
        return f"wrong: {name} has {count} numbers, the reference {sum(map(len, other))}"
    line, difference = largest_difference(mine, other)
    text = f"{name} differs by {difference:.1e} of the largest value at most, in {count} numbers"
    return right(text) if difference <= rule["tolerance"] else f"wrong: {text} (line {line + 1})"


def largest_difference(mine: "list[list[float]]", other: "list[list[float]]") -> "tuple[int, float]":
    """Of all numbers, relative to the largest one of the same column; and in which line."""
    scale: "dict[int, float]" = {}
    for row in other:
        for column, value in enumerate(row):
            scale[column] = max(scale.get(column, 0.0), abs(value))
    worst = (0, 0.0)
    for line, (row, wanted) in enumerate(zip(mine, other)):
        for column, (a, b) in enumerate(zip(row, wanted)):
            difference = abs(a - b) / (scale[column] or 1.0)
            if not difference <= worst[1]:
                worst = (line, difference)
    return worst


KINDS = {"value": judge_value, "own": judge_own, "same": judge_same, "agree": judge_agree}
