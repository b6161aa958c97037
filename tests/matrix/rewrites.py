#!/usr/bin/env python3
"""Every construct that the compiler rewrites, in every place where it may stand: include files, macros, lines that go on.

A program is made for each place and kind of program unit of all constructs (rewritten_constructs.py), compiled and run. If it
is wrong each construct is tried alone, and the wrong ones are named. With --refuse the compiler is told to refuse each rewrite in
turn (-D__cufc_refuse_edit__=N), and each must be an error that names its place.

Usage: rewrites.py [-v] [--place NAME] [--unit NAME] [--row NAME] [--keep DIR] [--all] [--refuse] [--known]
Without --all each unit is combined with some of the places. CUFC names the compiler."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rewritten_constructs import MODULES, ROWS

SECONDS = 300
CODE = re.compile(r"error: .*\[CUF0294\]|\[CUF0294\]")


class Source:
    """The files of one program."""

    def __init__(self, place):
        self.place, self.files, self.defines, self.flags = place, {}, [], []

    def name(self):
        return "main" + PLACES[self.place][1]


# How a piece gets into the text: functions of a source, a name and its lines that give the lines instead.

def plain(source, name, lines):
    return lines


def include(source, name, lines):
    source.files[f"{name}.inc"] = "\n".join(lines) + "\n"
    return [f"include '{name}.inc'"]


def hash_include(source, name, lines):
    source.files[f"{name}.h"] = "\n".join(lines) + "\n"
    return [f'#include "{name}.h"']


def nested_include(source, name, lines):
    source.files[f"deep/er/{name}.inc"] = "\n".join(lines) + "\n"
    source.files[f"deep/{name}.inc"] = f"include 'er/{name}.inc'\n"
    return [f"include 'deep/{name}.inc'"]


def is_directive(lines):
    return lines[0].startswith("!")


def object_macro(source, name, lines):
    if is_directive(lines):  # macros count in a directive's operands
        if "<<<" not in lines[0]:
            return lines
        head, tail = lines[0].split("<<<")
        configuration, behind = tail.split(">>>")
        source.defines.append(f"#define {name.upper()}_M {configuration.strip()}")
        return [f"{head}<<< {name.upper()}_M >>>{behind}"]
    source.defines.append(f"#define {name.upper()}_M {'; '.join(lines)}")
    return [f"{name.upper()}_M"]


def function_macro(source, name, lines):
    if is_directive(lines):
        return object_macro(source, name, lines)
    if not any("SAME(" in define for define in source.defines):
        source.defines.append("#define SAME(...) __VA_ARGS__")
    return [f"SAME({line})" for line in lines]


def argument_macro(source, name, lines):
    """The name that the statement sets or uses is the macro's argument."""
    word = next((w for w in re.findall(rf"\b{name}\w+", lines[0])), None)
    if is_directive(lines) or not word or word.startswith("ieee_"):
        return lines
    source.defines.append(f"#define {name.upper()}_F(given) " + re.sub(rf"\b{word}\b", "given", "; ".join(lines)))
    return [f"{name.upper()}_F({word})"]


def command_line(source, name, lines):
    if is_directive(lines):
        return object_macro(source, name, lines)
    source.flags.append(f"-D{name.upper()}_D={'; '.join(lines)}")
    return [f"{name.upper()}_D"]


def continued(source, name, lines):
    """A break behind each second blank outside of quotes; directives repeat their sentinel."""
    mark = re.match(r"!\$?@?\w+", lines[0])
    if mark and not lines[0].startswith("!$cuf"):
        return lines
    words = lines[0].split(" ")
    head = 2 if mark else 0
    parts = [" ".join(words[:head + 2])] + [" ".join(words[i:i + 2]) for i in range(head + 2, len(words), 2)]
    ahead = "!$cuf& " if mark else "  & "
    return [(ahead if i else "") + part + (" &" if i + 1 < len(parts) else "") for i, part in enumerate(parts)] + lines[1:]


def split_token(source, name, lines):
    """A break inside of the last name."""
    if is_directive(lines) or "'" in lines[0]:
        return lines
    spot = max((m.start() + 2 for m in re.finditer(r"\b[a-z]\w{2,}", lines[0])), default=0)
    return [lines[0][:spot] + "&", "&" + lines[0][spot:], *lines[1:]] if spot else lines


def semicolon(source, name, lines):
    if is_directive(lines):
        return lines
    return ["; ".join(lines) + ";"] if lines[0].startswith("use") else ["; ".join(lines)]


def label(source, name, lines):
    if is_directive(lines) or lines[0].startswith(("integer", "real", "character", "data", "use")):
        return lines
    number = 0
    for letter in name:  # of its own for each name of three letters
        number = 26*number + ord(letter) - ord("a")
    return [f"{10000 + number} {lines[0]}", *lines[1:]]


def fixed(source, name, lines):
    return lines


def fixed_continued(source, name, lines):
    return continued(source, name, lines)


def fixed_include(source, name, lines):
    source.files[f"{name}.inc"] = fixed_text(lines)
    return [f"include '{name}.inc'"]


def fixed_comment(source, name, lines):
    """What stands beyond column 72 is a comment."""
    if any(len(line) > 64 for line in lines):
        return lines
    return [line.ljust(66) + "stop 1" if not is_directive(lines) else line for line in lines]


PLACES = {  # and the suffix of the source
    "plain": (plain, ".cuf"),
    "include": (include, ".cuf"),
    "hash_include": (hash_include, ".CUF"),
    "nested_include": (nested_include, ".cuf"),
    "object_macro": (object_macro, ".CUF"),
    "function_macro": (function_macro, ".CUF"),
    "argument_macro": (argument_macro, ".CUF"),
    "command_line": (command_line, ".CUF"),
    "continued": (continued, ".cuf"),
    "split_token": (split_token, ".cuf"),
    "semicolon": (semicolon, ".cuf"),
    "label": (label, ".cuf"),
    "fixed": (fixed, ".f"),
    "fixed_continued": (fixed_continued, ".f"),
    "fixed_include": (fixed_include, ".f"),
    "fixed_comment": (fixed_comment, ".f"),
}


def fixed_text(lines):
    """Free form lines in columns 7 to 72."""
    result, goes_on = [], False
    for line in lines:
        line = line.strip() if not goes_on else line
        directive = re.match(r"\s*!\$cuf(&?)", line)
        text = line[directive.end():] if directive else line.lstrip()
        text = text[1:] if goes_on and text.startswith("&") else text
        begins = goes_on
        goes_on = text.rstrip().endswith("&")
        text = text.rstrip()[:-1] if goes_on else text
        if line.startswith("#") or (line.startswith("!") and not directive):
            result.append(line)
        elif directive:
            result.append(("!$cuf&" if begins else "!$cuf ") + text)
        elif label_of := re.match(r"(\d+) ", text):
            result.append(label_of[1].ljust(6) + text[label_of.end():])
        else:
            result.append(("     &" if begins else "      ") + text)
    return "\n".join(row for line in result for row in cut(line)) + "\n"


def cut(line):
    """A line of fixed form in 72 columns, unless what is behind them is meant as a comment."""
    if line.startswith(("#", "!")) or line.endswith("stop 1"):
        return [line]
    return [line[:72], *("     &" + line[at:at + 66] for at in range(72, len(line), 66))]


def unit_main(uses, declarations, statements):
    return ["program p", *uses, "implicit none", *declarations, *statements, "print *, 'PASS'", "end program"]


def unit_internal(uses, declarations, statements):
    return ["program p", "use helpers", "implicit none", "call inner()", "print *, 'PASS'", "contains", "subroutine inner()",
            *uses, *declarations, *statements, "end subroutine", "end program"]


def unit_external(uses, declarations, statements):
    return ["subroutine inner()", *uses, "implicit none", *declarations, *statements, "end subroutine",
            "program p", "external inner", "call inner()", "print *, 'PASS'", "end program"]


def unit_module(uses, declarations, statements):
    return ["module work", "contains", "subroutine inner()", *uses, "implicit none", *declarations, *statements, "end subroutine",
            "end module", "program p", "use work", "call inner()", "print *, 'PASS'", "end program"]


def unit_submodule(uses, declarations, statements):
    return ["module work", "interface", "module subroutine inner()", "end subroutine", "end interface", "end module",
            "submodule (work) parts", "contains", "module subroutine inner()", *uses, "implicit none", *declarations, *statements,
            "end subroutine", "end submodule", "program p", "use work", "call inner()", "print *, 'PASS'", "end program"]


def unit_block(uses, declarations, statements):
    return ["program p", "use helpers", "implicit none", "block", *uses, *declarations, *statements, "end block",
            "print *, 'PASS'", "end program"]


def unit_associate(uses, declarations, statements):
    return ["program p", *uses, "implicit none", "integer :: associated_one = 1", *declarations,
            "associate (one => associated_one)", *statements, "end associate", "print *, 'PASS'", "end program"]


UNITS = {"main": unit_main, "internal": unit_internal, "external": unit_external, "module": unit_module, "submodule": unit_submodule,
         "block": unit_block, "associate": unit_associate}
PROCEDURES = ("internal", "external", "module", "submodule")
FEWER = {"external": ("include", "fixed_continued"), "internal": ("include", "object_macro"), "module": ("nested_include", "continued"), "submodule": ("include", "function_macro"),
         "block": ("hash_include", "fixed"), "associate": ("include", "semicolon")}


def source_of(place, unit, rows):
    source = Source(place)
    put = PLACES[place][0]
    uses, declarations, statements, device, module = ["use helpers"], [], [], [], []
    for row in rows:
        lines = put(source, row.name, row.piece.split("\n"))
        around = (row.device or row.declarations).split("\n")
        if "@@" in around:
            spot = around.index("@@")
            around[spot:spot + 1] = lines
        module += [line for line in row.module.split("\n") if line]
        device += [line for line in row.procedures.split("\n") if line]
        if row.device:
            device += around
            around = row.declarations.split("\n")
        declarations += [line for line in around if line]
        if row.uses:
            uses += lines
        elif row.declares and not row.device and "@@" not in row.declarations:
            declarations += lines
        statements += [line for line in row.before.split("\n") if line]
        if not (row.uses or row.declares or row.device):
            statements += lines
        statements += [line for line in row.behind.split("\n") if line]
        statements.append(f"if (.not. ({row.check})) error stop '{row.name}'")
    text = MODULES.format(device="\n".join(device), module="\n".join(module)).split("\n") + UNITS[unit](uses, declarations, statements)
    text = [line.strip() if not line.lstrip().startswith("&") else line for line in text]
    body = "\n".join(text) + "\n" if source.name().endswith(("cuf", "CUF")) else fixed_text(text)
    source.files[source.name()] = "\n".join(source.defines) + "\n" + body if source.defines else body
    return source


def compile_and_run(cufc, folder, source, flags=()):
    """What is wrong, or nothing; and what the compiler says."""
    for name, text in source.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    command = [cufc, "-cuda", "-O0", *source.flags, *flags, source.name(), "-o", "program"]
    compiled = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS)
    said = compiled.stdout + compiled.stderr
    if compiled.returncode:
        return "does not compile:\n" + said, said
    run = subprocess.run(["./program"], cwd=folder, capture_output=True, text=True, timeout=SECONDS,
                         env={**os.environ, "CUF_DEVICE": os.environ.get("CUF_DEVICE", "host")})
    good = run.returncode == 0 and run.stdout.strip().endswith("PASS")
    return ("" if good else "gives wrong results:\n" + run.stdout + run.stderr), said


class Tests:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, Path(folder)
        self.cufc = os.environ.get("CUFC", "cufc")
        self.wrong = 0

    def work(self, *names):
        folder = self.folder / "_".join(names)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def attempt(self, place, unit, rows, name="all", flags=()):
        return compile_and_run(self.cufc, self.work(place, unit, name), source_of(place, unit, rows), flags)

    def fault(self, text):
        self.wrong += 1
        print(text, flush=True)

    def rewrite(self, place, unit, rows):
        if unit in PROCEDURES:
            for row in (row for row in rows if row.refused):
                _, said = self.attempt(place, unit, [row], row.name)
                if not re.search(rf"^\S+:\d+:\d+: error: .*\[{row.refused}\]", said, re.M):
                    self.fault(f"{place}, {unit}, {row.name}: no error {row.refused}: {said}")
            rows = [row for row in rows if not row.refused]
        problem, _ = self.attempt(place, unit, rows)
        if problem and len(rows) > 1:
            alone = [(row, self.attempt(place, unit, [row], row.name)[0]) for row in rows]
            bad = [(row, text) for row, text in alone if text]
            for row, text in bad:
                self.fault(f"{place}, {unit}, {row.name}: {text}")
            if not bad:
                self.fault(f"{place}, {unit}, all together: {problem}")
        elif problem:
            self.fault(f"{place}, {unit}, {rows[0].name}: {problem}")
        elif self.arguments.verbose:
            print(f"{place}, {unit}: {len(rows)} constructs are right", flush=True)

    def refuse(self, place, unit, rows):
        """With all refused there is an error for each; with one refused there is that one."""
        problem, said = self.attempt(place, unit, rows, "refuse", ["-Mpreprocess", "-D__cufc_refuse_edit__=all"])
        count = len(CODE.findall(said))
        places = set(re.findall(r"^(\S+:\d+:\d+): .*\[CUF0294\]", said, re.M))
        if not problem or not count:
            return self.fault(f"{place}, {unit}: nothing is refused: {said}")
        for number in range(1, count + 2):
            problem, said = self.attempt(place, unit, rows, "refuse", ["-Mpreprocess", f"-D__cufc_refuse_edit__={number}"])
            one = set(re.findall(r"^(\S+:\d+:\d+): .*\[CUF0294\]", said, re.M))
            if number <= count and (not problem or not one):
                self.fault(f"{place}, {unit}: edit {number} of {count} is lost without an error: {said}")
            elif number > count and problem:
                self.fault(f"{place}, {unit}: without a refused edit: {problem}")
        if not places:
            self.fault(f"{place}, {unit}: no error has a place")
        if self.arguments.verbose:
            print(f"{place}, {unit}: {count} edits refused in turn, each with an error", flush=True)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-v", "--verbose", action="store_true")
    for name in ("--place", "--unit", "--row", "--keep"):
        parser.add_argument(name)
    parser.add_argument("--all", action="store_true", help="every unit in every place")
    parser.add_argument("--refuse", action="store_true", help="refuse each rewrite in turn")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    rows = [row for row in ROWS if arguments.row in (None, row.name)]
    chosen = bool(arguments.place or arguments.unit or arguments.all)
    with tempfile.TemporaryDirectory() as temporary:
        tests = Tests(arguments, arguments.keep or temporary)
        for unit in UNITS:
            for place in PLACES:
                if arguments.unit not in (None, unit) or arguments.place not in (None, place):
                    continue
                if arguments.refuse:
                    if chosen or (unit == "main" and place in ("plain", "nested_include", "function_macro", "fixed_continued")):
                        tests.refuse(place, unit, rows)
                elif chosen or unit == "main" or place in FEWER[unit]:
                    tests.rewrite(place, unit, rows)
    return 1 if tests.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
