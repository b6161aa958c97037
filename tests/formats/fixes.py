#!/usr/bin/env python3
"""Applies each fix that `cufls check` offers for the sources of tests/diagnostics and the pages of diagnostics.

After a fix the diagnostic is gone from its place and there is no error that was not there before. All sources with a
fix applied go through one call of `cufls check`. Then `cufls check --fix` mends the sources themselves.

Usage: fixes.py [--cufc PATH] [WORD...]      WORDs select sources by name; CUFC in the environment is the default
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from harness.sample import is_taken, least  # noqa: E402

PARTS = 3  # of which CI takes one
BLOCK = re.compile(r"^```cuf *(\.\w+)?$\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEAST_FIXES = 60  # fewer are no test of anything


def sources():
    """Names and texts: the goldens without their expectations' effect on lines, and the wrong sources of the pages."""
    for path in sorted((ROOT / "tests/diagnostics").glob("*.[cCf]*")):
        yield path.name, path.read_bytes()
    for path in sorted((ROOT / "compiler/tables/explanations").glob("*.md")):
        for suffix, text in BLOCK.findall(path.read_text(encoding="utf-8"))[:1]:
            yield path.stem + (suffix or ".cuf"), text.encode()


def check(cufls, folder, paths, *options):
    """What is found in each of the files of the folder, by its name."""
    command = [str(cufls), "check", "--no-cache", "--format=json", *options, *paths]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=500, check=False)
    found = collections.defaultdict(list)
    for diagnostic in json.loads(done.stdout)["diagnostics"]:
        found[Path(diagnostic["file"]).name].append(diagnostic)
    return found


def offset(lines, line, column):
    return sum(map(len, lines[: line - 1])) + column - 1


def ranges(text, edits):
    lines = text.splitlines(keepends=True)
    return sorted((offset(lines, edit["line"], edit["column"]), offset(lines, edit["endLine"], edit["endColumn"]),
                   edit["newText"].encode()) for edit in edits)


def applied(text, edits):
    for begin, end, new in reversed(ranges(text, edits)):
        text = text[:begin] + new + text[end:]
    return text


def moved(text, edits, line, column):
    """Where a place is after the edits, as an offset; that of an edit it lies in if that replaced it."""
    place = offset(text.splitlines(keepends=True), line, column)
    shift = 0
    for begin, end, new in ranges(text, edits):
        if end <= place:
            shift += len(new) - (end - begin)
        elif begin <= place:
            return begin + shift
    return place + shift


def errors(found):
    return collections.Counter((d["code"], d["message"]) for d in found if d["severity"] == "error")


def problems(text, diagnostic, fix, before, after):
    new_text = applied(text, fix["edits"])
    place = moved(text, fix["edits"], diagnostic["line"], diagnostic["column"])
    lines = new_text.splitlines(keepends=True)
    for other in after:
        if other["code"] == diagnostic["code"] and other["message"] == diagnostic["message"] and \
                offset(lines, other["line"], other["column"]) == place:
            yield "it is still there"
    for (code, message), count in (errors(after) - errors(before)).items():
        yield f"{count} new: {code} {message}"


def write(folder, files):
    """A new folder, since the project of a file is what lies beside it."""
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_bytes(text)
    return folder


def each_alone(cufls, folder, chosen):
    texts = dict(chosen)
    before = check(cufls, write(folder / "before", texts), texts)
    offered = {f"fix{at}-{name}": (name, diagnostic, fix) for at, (name, diagnostic, fix) in enumerate(
        (name, diagnostic, fix) for name in texts for diagnostic in before[name] for fix in diagnostic["fixes"])}
    mended = {new: applied(texts[name], fix["edits"]) for new, (name, _, fix) in offered.items()}
    after = check(cufls, write(folder / "after", mended), mended)
    return len(offered), [f"{name}:{diagnostic['line']}: {diagnostic['code']}, {fix['title']}: {problem}"
                          for new, (name, diagnostic, fix) in offered.items()
                          for problem in problems(texts[name], diagnostic, fix, before[name], after[new])]


def all_at_once(cufls, folder, chosen):
    """Errors do not become more, and a second call has nothing left to do. Without the pages, to be quick."""
    texts = {name: text for name, text in chosen if not name.startswith("CUF")}
    before = check(cufls, folder / "before", texts)
    copy = write(folder / "all", texts)
    after = check(cufls, copy, texts, "--fix")
    for name in texts:
        if sum(errors(after[name]).values()) > sum(errors(before[name]).values()):
            yield f"{name}: more errors after --fix: {list(errors(after[name]) - errors(before[name]))}"
    written = {name: (copy / name).read_bytes() for name in texts}
    check(cufls, copy, texts, "--fix")
    for name in texts:
        if written[name] != (copy / name).read_bytes():
            yield f"{name}: a second --fix changes it again"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cufc", default=os.environ.get("CUFC", ROOT / "build/bin/cufc"))
    parser.add_argument("words", nargs="*")
    arguments = parser.parse_args()
    cufls = Path(arguments.cufc).resolve().parent / "cufls"
    chosen = [(name, text) for name, text in sources() if all(word in name for word in arguments.words) and is_taken(f"fixes {name}", PARTS)]
    with tempfile.TemporaryDirectory() as name:
        offered, failures = each_alone(cufls, Path(name), chosen)
        failures += all_at_once(cufls, Path(name), chosen)
    if offered < least(LEAST_FIXES, PARTS) and not arguments.words:
        failures.append(f"{offered} fixes only")
    print("\n".join(failures) or f"{offered} fixes mend what they are for")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
