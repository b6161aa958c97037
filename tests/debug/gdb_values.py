"""Compares what gdb says of variables with what the program prints of them.

A program has lines

    print *, 'x =', x       ! real (3)
    print *, 't =', t(1), t(2)

and gdb stops at the first of each group of them, reads all expressions of the group, which are those in the quotes, and must find
the values that the program then prints (a number before a name, '2: x =', tells it from others), and the type in the comment (`whatis` in gdb) if there is one.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
KIND = re.compile(r"\(kind=\d+\)")  # which flang 23 writes also for default kinds
LINE = re.compile(r"^\s*print \*, '(?P<shown>(?:\d+: )?(?P<name>[^']+)) =', [^!]+?\s*(?:!\s*(?P<kind>.+?)\s*)?$", re.IGNORECASE)
GDB_TOKEN = re.compile(r"'((?:[^']|'')*)'|\.(TRUE|FALSE)\.|(?<![\w%])([-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|inf|nan\S*))(?![\w=%]*\s*=)", re.IGNORECASE)
LETTERS = re.compile(r"\(\d+ '.'(?:, \d+ '.')*\)")  # an array of characters
CONTINUATION = re.compile(r"^ [\d ().,+\-eEdD]+$")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?|[-+]?inf\w*|nan", re.IGNORECASE)


@dataclass(frozen=True)
class Wanted:
    shown: str
    name: str
    kind: str


@dataclass
class Group:
    """Print statements that follow each other."""

    line: int
    items: "list[Wanted]" = field(default_factory=list)


def groups_of(text: str) -> "list[Group]":
    groups: "list[Group]" = []
    last = -1
    for number, line in enumerate(text.splitlines(), 1):
        found = LINE.match(line)
        if not found:
            continue
        if number != last + 1:
            groups.append(Group(number))
        last = number
        groups[-1].items.append(Wanted(found["shown"], found["name"], found["kind"] or ""))
    return groups


def close(one: str, other: str) -> bool:
    try:
        a, b = (float(text.lower().replace("d", "e")) for text in (one, other))
    except ValueError:
        return False
    return a == b or abs(a - b) <= 2e-6 * max(abs(a), abs(b)) or (a != a and b != b)


def same_values(said: str, printed: str) -> bool:
    """Whether the numbers, strings and logicals in gdb's text are those that were printed, in order and without rest."""
    said = LETTERS.sub(lambda found: "'" + "".join(re.findall(r"\d+ '(.)'", found[0])) + "'", said)
    rest = printed
    for token in GDB_TOKEN.finditer(said):
        text, logical, number = token.groups()
        rest = rest.lstrip(" ,()\n") if text is None else rest
        if text is not None:
            if not rest.startswith(text):
                rest = rest[1:] if rest.startswith(" ") else rest.lstrip(" ,()")
            if not rest.startswith(text):
                return False
            rest = rest[len(text):]
        elif logical:
            if not rest.startswith(logical[0].upper()):
                return False
            rest = rest[1:]
        else:
            found = NUMBER.match(rest)
            if not found or not close(found[0], number):
                return False
            rest = rest[found.end():]
    return not rest.strip(" ,()\n")


def printed_values(output: str) -> "list[tuple[str, str]]":
    """Each "NAME =" and what follows, which may go on in further lines."""
    values: "list[tuple[str, str]]" = []
    continued = False
    for line in output.splitlines():
        found = re.match(r"^ ([^=]+?) =(.*)$", line)
        if found:
            values.append((found[1], found[2]))
        elif continued and CONTINUATION.match(line):
            values[-1] = (values[-1][0], values[-1][1] + "\n" + line)
        continued = bool(found) or (continued and bool(CONTINUATION.match(line)))
    return values


def last_printed(group: Group, values: "list[tuple[str, str]]") -> "dict[str, str]":
    """What the program printed when it ran through the group's statements for the last time."""
    names = [item.shown for item in group.items]
    for first in range(len(values) - len(names), -1, -1):
        part = values[first : first + len(names)]
        if [name for name, _ in part] == names:
            return dict(part)
    return {}


def read_in_gdb(program: Path, stops: list, folder: Path, environment: "dict | None" = None) -> "tuple[dict, str]":
    """What read_variables.py answers, and what the program wrote."""
    answer = folder / "answer.json"
    answer.unlink(missing_ok=True)
    # A debugger of whoever runs this must not read its own settings.
    command = ["gdb", "-q", "-nx", "-batch", "-ex", "set startup-with-shell off", "-x", str(HERE / "read_variables.py"), str(program)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False, errors="replace",
                          stdin=subprocess.DEVNULL,
                          env={**os.environ, "CUF_DEVICE": "host", "CUF_HOST_THREADS": "1", "STOPS": json.dumps(stops),
                               "ANSWER": str(answer), **(environment or {})})
    if not answer.exists():
        return {}, done.stdout + done.stderr
    return json.loads(answer.read_text(encoding="utf-8")), done.stdout


def compare(source: Path, program: Path, folder: Path) -> "tuple[int, list[str]]":
    """How many variables were right, and what was wrong."""
    groups = groups_of(source.read_text(encoding="utf-8"))
    stops = [[source.name, group.line, [item.name for item in group.items]] for group in groups]
    answer, output = read_in_gdb(program, stops, folder)
    values = printed_values(output)
    right, wrong = 0, []
    for group in groups:
        place = f"{source.name}:{group.line}"
        said = {name: (value, kind) for name, value, kind in answer.get(place, [])}
        if not said:
            wrong.append(f"{place}: gdb did not stop: {output[-300:] if not answer else ''}")
            continue
        printed = last_printed(group, values)
        for item in group.items:
            value, kind = said[item.name]
            if value is None:
                wrong.append(f"{place}: {item.name}: {kind}")
            elif item.shown not in printed:
                wrong.append(f"{place}: the program does not print {item.shown}")
            elif not same_values(value, printed[item.shown]):
                wrong.append(f"{place}: {item.name}: gdb says {value}, the program {printed[item.shown].strip()}")
            elif item.kind and item.kind not in (kind, KIND.sub("", kind)):
                wrong.append(f"{place}: {item.name}: gdb says it is {kind}, not {item.kind}")
            else:
                right += 1
    return right, wrong
