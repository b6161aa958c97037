#!/usr/bin/env python3
"""Every construct of host code that reads data, over device and managed data in every form of storage.

A program is made for each form and attribute of all constructs (host_constructs.py); it runs each construct twice, with
the data and with a mirror on the host, and compares. A construct that does not compile or ends the program is named, and
the others are tried without it.

Usage: host_expressions.py [-v] [--form NAME] [--attribute NAME] [--group NAME] [--construct NAME] [--flags FLAGS]
                           [--keep DIR] [--count N]
       host_expressions.py --sample [--check]
With --count, every so many forms are tried that there are N. --sample writes tests/run/host_expressions: each construct
once, over some of the forms. CUFC names the compiler."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from host_constructs import GROUPS, constructs
from storage_forms import FORMS, EXPECTED

SHARED = Path(__file__).resolve().parent.parent / "run/host_expressions"
SAMPLE = [("automatic", "device"), ("component_of_element", "device"), ("bounds_dummy", "device"),
          ("pointer_sections", "device"), ("module_allocatable", "device"), ("allocatable", "managed"),
          ("pointer", "managed"), ("constant", "constant")]
SECONDS = 300


def written(statements, names, shift, label):
    """The lines of a construct with names for its data, subscripts moved by `shift`, and labels from `label` on."""
    text = re.sub(r"@(\w+)(\(?)", lambda m: names(m[1], bool(m[2])) + m[2], statements)
    text = re.sub(r"#(\d)", lambda m: str(int(m[1]) + shift), text)
    text = re.sub(r"\$(\d)", lambda m: str(label + int(m[1])), text)
    return [line.strip() for line in text.split("; ")]


class Program:
    """The source of one program, and which construct each of its lines belongs to."""

    def __init__(self, form, attribute, rows):
        self.lines, self.owner = [], {}
        self.add(form.before(attribute))
        for number, (name, statements) in enumerate(rows):
            first = len(self.lines)
            for names, last in ((form.name, "call keep()"), (form.mirror, "call compare()")):
                label = 1000 + 20*number + (10 if last == "call compare()" else 0)
                self.add([f"call reset('{name}')", *written(statements, names, form.shift, label), last])
            for line in range(first + 1, len(self.lines) + 1):
                self.owner[line] = name
        self.add(form.after(attribute))

    def add(self, lines):
        self.lines += lines

    def text(self):
        return "\n".join(self.lines) + "\n"


class Case:
    """One form and attribute; `faults` is what is wrong, by construct."""

    def __init__(self, cufc, form, attribute, rows, flags):
        self.cufc, self.form, self.attribute = cufc, form, attribute
        self.flags = [*flags, *form.flags(attribute)]
        self.rows = [row for row in rows if form.takes(row, attribute)]
        self.faults, self.number = {}, len(self.rows)

    def name(self):
        return f"{self.form.title}/{self.attribute}"

    def run(self, folder):
        work = Path(folder) / self.name().replace("/", "_")
        work.mkdir(exist_ok=True)
        while self.rows:
            found = self.attempt(work, self.rows)
            self.faults.update(found)
            if not found or "setup" in found:
                break
            self.rows = [row for row in self.rows if row[0] not in found]
        return self

    def command(self, words, work):
        environment = dict(os.environ, CUF_DEVICE=os.environ.get("CUF_DEVICE", "host"))
        try:
            return subprocess.run(words, cwd=work, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  timeout=SECONDS, check=False, env=environment, errors="replace")
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(words, 124, "", "error: it did not end")

    def attempt(self, work, rows):
        """What is wrong with a program of these constructs, by construct; nothing if it passes."""
        program = Program(self.form, self.attribute, rows)
        source = work / "program.cuf"
        source.write_text(program.text())
        compiled = self.command([self.cufc, "-gpu=host", *self.flags, "-I", str(work.parent), str(source),
                                 str(work.parent / "results.o"), "-o", str(work / "program")], work)
        if compiled.returncode:
            return self.blame_compiler(work, compiled.stderr, program, rows)
        ran = self.command([str(work / "program")], work)
        found = {line.split()[1]: "wrong result" for line in ran.stdout.splitlines() if line.startswith("WRONG")}
        if not found and not ran.stdout.endswith("PASS\n"):
            begun = [line.split()[1] for line in ran.stdout.splitlines() if line.startswith("at ")]
            found = {begun[-1] if begun else "setup": f"status {ran.returncode}: {first_line(ran.stderr)}"}
        return found

    def blame_compiler(self, work, messages, program, rows):
        found = {}
        for match in re.finditer(r"program\.cuf:(\d+):\d+: error[^:]*: (.*)", messages):
            name = program.owner.get(int(match[1]))
            if name:
                found.setdefault(name, match[0].split(": ", 1)[1][:150])
        if found:
            return found
        if len(rows) < 2:
            return {rows[0][0] if rows else "setup": "crash: " + first_line(messages)}
        if len(rows) == self.number and self.attempt(work, []):
            return {"setup": "without any construct: " + first_line(messages)}
        middle = len(rows)//2
        for half in (rows[:middle], rows[middle:]):
            found.update(self.attempt(work, half))
        return found or {"setup": "crash together: " + first_line(messages)}


def first_line(text):
    lines = [line for line in text.splitlines() if "error" in line or "cufrt" in line] or text.splitlines()
    return lines[0][:200] if lines else ""


def cases(arguments, cufc):
    rows = [row for group in GROUPS if arguments.group in ("", group) for row in constructs(group)
            if arguments.construct in ("", row[0])]
    for form in FORMS:
        for attribute in form.attributes:
            if arguments.form in ("", form.title) and arguments.attribute in ("", attribute):
                yield Case(cufc, form, attribute, rows, arguments.flags.split())


def chosen(arguments, cufc):
    found = list(cases(arguments, cufc))
    return found[::max(1, len(found)//arguments.count)] if arguments.count else found


def sample():
    """The files of a program in which each construct reads one of the forms."""
    rows = [row for group in GROUPS for row in constructs(group)]
    head = ["! Written by tests/matrix/host_expressions.py --sample: constructs of host code that read data."]
    files = {}
    for number, (title, attribute) in enumerate(SAMPLE):
        form = next(form for form in FORMS if form.title == title)
        some = [row for row in rows[number::len(SAMPLE)] if form.takes(row, attribute)]
        name = f"{title}_{attribute}"
        own = {"program p": f"subroutine {name}", "end program": f"end subroutine {name}",
               "module data": f"module data_of_{name}", "use data": f"use data_of_{name}"}
        lines = [own.get(line, line) for line in Program(form, attribute, some).lines if line != "call finish()"]
        files[name] = head + lines
    calls = [f"call {name}" for name in files]
    files["program"] = [*head, "program host_expressions", "use results", "implicit none", *calls, "call finish",
                        "end program"]
    return {SHARED / f"{name}.cuf": "\n".join(lines) + "\n" for name, lines in files.items()}


def write_sample(check):
    for file, text in sample().items():
        if not check:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            print(f"{file.name} is not what host_expressions.py --sample writes")
            return 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("form", "attribute", "group", "construct", "flags", "keep"):
        parser.add_argument("--" + option, default="")
    for option in ("--sample", "--check"):
        parser.add_argument(option, action="store_true")
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.sample or arguments.check:
        return write_sample(arguments.check)
    cufc = os.environ.get("CUFC", "cufc")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(arguments.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([cufc, "-gpu=host", "-c", str(SHARED / "results.cuf"), "-o", "results.o"], cwd=folder, check=True)
        tried = failed = 0
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for case in pool.map(lambda case: case.run(folder), chosen(arguments, cufc)):
                tried += case.number
                faults = {name: text for name, text in case.faults.items()
                          if not any(re.search(part, text) for part in EXPECTED.get((case.attribute, name), ()))}
                failed += len(faults)
                if arguments.verbose or faults:
                    print(f"{case.name()}: {case.number - len(case.faults)} of {case.number}", flush=True)
                for name, text in faults.items():
                    print(f"  {name}: {text}", flush=True)
    print(f"{tried} constructs over forms of storage, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
