#!/usr/bin/env python3
"""Whether flang still says what cufc looks for: the rows of compiler/tables/flang_phrases.def and of flang_messages.def, compared with
the strings in flang's libraries.

A row is found if its pattern and one of flang's formats can stand for the same text: {} and %s are any text in them. What flang
puts together of several strings is a list here, with the reason.

Usage: flang_phrases.py [-v] [VERSION]    -v prints the format of each row; VERSION is flang's, 22 by default
"""

import re
import sys
from collections import Counter, defaultdict
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLES = ROOT / "compiler/tables"
VERSION = next((word for word in sys.argv[1:] if word.isdigit()), "22")
LIBRARIES = Path(f"/usr/lib/llvm-{VERSION}/lib")
ARCHIVES = ("libFortran*.a", "libFIR*.a", "libHLFIR*.a", "libCUF*.a", "libflang*.a")
SKIPPED = 77

# Texts that are in no string of flang's as a whole, and why.
OPENS_FILES = "AllSources::Open writes it piece by piece"
OPERATORS = "semantics/expression.cpp writes it piece by piece"
DIRECTIVE = "the text of the directive, by a format %s"
A_NAME = "a name in quotes, in any message"
A_PART = "the part of a variable, by a format %s"
PUT_TOGETHER = {
    "expected 'END'": "parser/message.cpp puts the token behind the first word",
    "syntax error": "frontend/syntax_errors.cpp, in place of too many alternatives",
    "syntax error: {}": "frontend/syntax_fixes.cpp",
    "#error {}": DIRECTIVE,
    "#warning {}": DIRECTIVE,
    **{begin + f"Source file '{name}' was not found": OPENS_FILES
       for begin in ("", "#include: ", "INCLUDE: ") for name in ("{}", "mpif.h")},
    "Cannot parse module file for module 'mpi_f08_types': Source file '{}.mod' was not found": OPENS_FILES,
    **{f"{part} cannot appear {{}}": A_PART for part in ("A structure component", "An array element")},
    "Target of pointer {}": "semantics/pointer-assignment.cpp begins so and goes on by format",
    "{} has ATTRIBUTES(MANAGED) but its associated actual argument has no CUDA data attribute{}": "attributes by format %s",
    **{f"No intrinsic or user-defined {end}": OPERATORS
       for end in ("{} matches operand types {} and {}", "{} matches operand type {}", "{} matches {}",
                   "ASSIGNMENT(=) matches operand types {} and {}", "ASSIGNMENT(=) matches {}",
                   "{} matches rank {} array of {} and rank {} array of {}", "{} matches scalar {} and rank {} array of {}",
                   "{} matches rank {} array of {} and scalar {}")},
    **{"{}'" + name + "'{}": A_NAME for name in ("threadidx", "blockidx", "blockdim", "griddim")},
}

CONVERSION = re.compile(r"%(?:%|[-+ #0-9.]*(?:hh|h|ll|l|j|z|t)?[a-zA-Z])")
STRING = re.compile(rb"[\x20-\x7e]{4,}")
OWN = re.compile(r'"((?:[^"\\\\]|\\\\.)*)"_(?:warn|err|port)_en_US')
WORD = re.compile(r"[A-Za-z_]{3,}")
ANY = "\0"


def rows(table):
    """Name or code, and pattern, of the rows of a table that are about this version."""
    text = (TABLES / table).read_text()
    for match in re.finditer(r'^CUF_FLANG(?:_PHRASE)?\(\s*"?(\w*)"?\s*,\s*"((?:[^"\\]|\\.)*)".*?(?:// flang (\d+))?$', text, re.MULTILINE):
        if match[3] in (None, VERSION):
            yield match[1], match[2].replace('\\"', '"').replace("\\\\", "\\")


def flang_strings():
    found = set()
    for pattern in ARCHIVES:
        for archive in LIBRARIES.glob(pattern):
            found.update(string.decode() for string in STRING.findall(archive.read_bytes()) if b"_Z" not in string)
    return found


def own_strings():
    """What cufc says by way of flang's messages, in pieces that follow each other."""
    for file in (ROOT / "compiler/frontend").rglob("*.cpp"):
        joined = re.sub(r'"\s*\n\s*"', "", file.read_text())
        yield from OWN.findall(joined)


def with_wildcards(text, holes):
    """Any text between the pieces is one mark."""
    return re.sub(f"{ANY}+", ANY, holes.sub(lambda match: "%" if match[0] == "%%" else ANY, text))


def may_be_same(first, second):
    """Whether two texts with wildcards can stand for one text."""

    @lru_cache(maxsize=None)
    def same(i, j):
        if i == len(first) and j == len(second):
            return True
        if i < len(first) and first[i] == ANY:
            return same(i + 1, j) or (j < len(second) and same(i, j + 1))
        if j < len(second) and second[j] == ANY:
            return same(i, j + 1) or (i < len(first) and same(i + 1, j))
        return i < len(first) and j < len(second) and first[i] == second[j] and same(i + 1, j + 1)

    return same(0, 0)


class Formats:
    """flang's strings by their words."""

    def __init__(self, strings):
        self.by_word = defaultdict(set)
        self.all = strings
        for string in strings:
            for word in WORD.findall(string):
                self.by_word[word].add(string)

    def candidates(self, pattern):
        """Those that share most words with a pattern."""
        words = set(WORD.findall(pattern.replace("{}", " ")))
        counts = Counter(string for word in words if len(self.by_word[word]) < 3000 for string in self.by_word[word])
        longest = max(pattern.split("{}"), key=len).strip()
        yield from (string for string, _ in counts.most_common(400))
        yield from (string for string in self.all if longest in string)

    def of(self, pattern):
        """A format may hold some words of the pattern as %s, but not most of them."""
        wanted = with_wildcards(pattern, re.compile(r"\{\}"))
        words = WORD.findall(pattern.replace("{}", " "))
        for string in self.candidates(pattern):
            literal = CONVERSION.sub(" ", string)
            if 5 * sum(word in literal for word in words) >= 3 * len(words) and may_be_same(
                    wanted, with_wildcards(string, CONVERSION)):
                return string
        return None


def main():
    sys.setrecursionlimit(10000)
    if not LIBRARIES.is_dir():
        print(f"{LIBRARIES} is not there")
        return SKIPPED
    formats = Formats(flang_strings() | set(own_strings()))
    missing, count = [], 0
    for table in ("flang_phrases.def", "flang_messages.def"):
        for name, pattern in rows(table):
            count += 1
            said = formats.of(pattern)
            if said is None and pattern not in PUT_TOGETHER:
                missing.append(f"{table}: {name}: flang does not say {pattern!r}")
            elif said is not None and pattern in PUT_TOGETHER:
                missing.append(f"{table}: {name}: is said as a whole, so PUT_TOGETHER needs no row for it: {pattern!r}")
            if "-v" in sys.argv:
                print(f"{name}: {pattern}\n    {said}")
    print("\n".join(missing))
    print(f"{count} rows, {len(missing)} of them not as flang says it")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
