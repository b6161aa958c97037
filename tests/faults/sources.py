"""Sources that are no ordinary files, are huge, have odd names, or change while they are read."""

from __future__ import annotations

import json
import os
import random
import threading
import urllib.parse
from pathlib import Path

from place import Place, fault, program

NO_FILE = r"pipe|wrong medium|too many levels|directory"
PLAIN = "program p\n  print *, 'ran'\nend program\n"


def each_way(place: Place, path: Path, cause: str) -> None:
    """Compiled, checked, and open in the server."""
    place.compile("-c", path, "-o", place.work / "x.o", seconds=30).refused(cause)
    place.check(path, seconds=30).refused(cause)


@fault("a pipe, a device, a socket or a loop of links as a source", "`cannot read 'x.cuf': it is a pipe, a socket or a device, and no file`; for a loop, "
       "`Too many levels of symbolic links`")
def no_files(place: Place) -> None:
    os.mkfifo(place.work / "pipe.cuf")
    (place.work / "zero.cuf").symlink_to("/dev/zero")
    (place.work / "loop.cuf").symlink_to("loop.cuf")
    (place.work / "folder.cuf").mkdir()
    for name in ("pipe", "zero", "loop", "folder"):
        path = place.work / f"{name}.cuf"
        if name == "folder":
            place.compile("-c", path, seconds=30).refused(NO_FILE)
        else:
            each_way(place, path, NO_FILE)


@fault("a pipe or a device as an included file or a module file", "an error at the line that names it")
def no_included_files(place: Place) -> None:
    source = place.work / "i.cuf"
    source.write_text("program p\n  include 'x.inc'\nend program\n")
    header = place.work / "h.CUF"
    header.write_text('program p\n#include "x.inc"\nend program\n')
    user = place.work / "u.cuf"
    user.write_text("program p\n  use x\nend program\n")
    kinds = [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), lambda path: path.symlink_to(path.name)]
    for make in kinds if place.whole else kinds[:1]:
        for name in ("x.inc", "x.mod"):
            make(place.work / name)
        each_way(place, source, r"x\.inc")
        each_way(place, header, r"x\.inc")
        each_way(place, user, r"\bx\b|x\.mod")
        with place.server() as client:
            place.server_finds(client, source.as_uri(), source.read_text(), 1)
        for name in ("x.inc", "x.mod"):
            (place.work / name).unlink()


@fault("pipes, devices and loops of links in a workspace", "the sources among them are found; a project file that is a pipe is an error")
def odd_workspace(place: Place) -> None:
    root = place.work / "root"
    (root / "below").mkdir(parents=True)
    (root / "a.cuf").write_text(PLAIN)
    os.mkfifo(root / "pipe.cuf")
    os.mkfifo(root / "compile_commands.json")
    (root / "zero.cuf").symlink_to("/dev/zero")
    (root / "loop.cuf").symlink_to("loop.cuf")
    (root / "below/again").symlink_to("..")
    for command in (("check", "."), ("build",)):
        place.run(place.cufls, *command, cwd=root, seconds=60).orderly()
    with place.server(root) as client:
        place.server_finds(client, (root / "a.cuf").as_uri(), PLAIN.replace("print", "prin"), 1)
    os.mkfifo(root / "cufls.json")
    for command in (("check", "."), ("build",)):
        place.run(place.cufls, *command, cwd=root, seconds=60).orderly()


@fault("a source of 1 GB", "`cannot read 'x.cuf': File too large`")
def huge(place: Place) -> None:
    path = place.work / "huge.cuf"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    each_way(place, path, r"too large")
    include = place.work / "i.cuf"
    include.write_text("program p\n  include 'huge.cuf'\nend program\n")
    place.compile("-c", include, seconds=60).refused(r"too large|memory")


@fault("a line of 100 MB", "it is compiled", quick=False)
def long_line(place: Place) -> None:
    path = place.work / "long.cuf"
    for line in ("  i = 1" + " " * (100 << 20), "  ! " + "x" * (100 << 20)):
        path.write_text(f"program p\n{line}\nend program\n")
        place.compile("-c", path).worked()
        place.check(path).worked()


@fault("10,000 parentheses, 2,000 nested blocks", "they are compiled")
def nested(place: Place) -> None:
    deep = {"parentheses": "  i = " + "(" * 10000 + "1" + ")" * 10000 + "\n", "blocks": "block\n" * 2000 + "end block\n" * 2000,
            "ifs": "  i = 1\n" + "if (i > 0) then\n" * 2000 + "end if\n" * 2000}
    for name in deep if place.whole else ["parentheses"]:
        path = place.work / f"{name}.cuf"
        path.write_text(f"program p\n{deep[name]}end program\n")
        place.compile("-c", path, "-o", place.work / "x.o").orderly()
        place.check(path).orderly()


NAMES = [b"two words", b"it's", b'say "x"', b"two\nlines", b"back\\slash", b"$(touch made)", b"a;touch made", b"a&b|c", b"50%20", b"#1", b"-o", b"~", b"*",
         "gr\u00fc\u00df \u7a0b".encode(), b"latin \xfc", b"\xff\xfe"]

BROKEN = "program p\n  integer :: i\n  i = 'text'\nend program\n"


def places(text: str, folder: Path) -> "set[bytes]":
    """The files of diagnostics in lines of JSON: as text, or as a URI where JSON cannot write the name."""
    found = set()
    for line in text.splitlines():
        if line.startswith("{"):
            each = json.loads(line)
            found.add(urllib.parse.unquote_to_bytes(each["uri"][7:]) if "uri" in each else os.fsencode(folder / each["file"]))
    return found


def in_make(place: Place, folder: Path, rule: Path, changed: Path, target: Path) -> None:
    """Make finds the target up to date, and not once what it was made of has changed; or it says what it cannot read."""
    (folder / "makefile").write_bytes(rule.read_bytes() + b"\t@false\n")
    for file in folder.iterdir():
        os.utime(file, (1, 1))
    os.utime(target, (2, 2))
    for moment, status in ((1, 0), (3, 1)):
        os.utime(changed, (moment, moment))
        # A target with % is a pattern to make, whatever stands before the sign, and a pattern is made for who asks for it.
        done = place.run("make", "-q", *([target] if "%" in str(target) else []), cwd=folder)
        if done.code == 2 and b"\n" not in os.fsencode(changed) and not set(";|=*") & set(os.fsdecode(rule.read_bytes())):
            done.fail(f"make does not understand the rule\n{rule.read_bytes()!r}")
        if done.code not in (status, 2):
            done.fail(f"{status} was expected of make\n{rule.read_bytes()!r}")


@fault("names with blanks, quotes, line ends, and bytes that are no UTF-8", "they are compiled, checked, built and edited as others are; of a rule with a line end, a semicolon, a bar or an equals sign make says that it cannot read it, or finds no such file")
def names(place: Place) -> None:
    for name in NAMES if place.whole else [NAMES[3], NAMES[4], NAMES[8], NAMES[15]]:
        folder = Path(os.fsdecode(os.fsencode(place.work) + b"/in " + name))
        folder.mkdir()
        source = Path(os.fsdecode(os.fsencode(folder) + b"/" + name + b".cuf"))
        source.write_text(program(2))
        place.compile(source, "-o", os.fsencode(folder) + b"/" + name, "-module", folder).worked()
        place.says(os.fsencode(folder) + b"/" + name, "ran 64")
        place.compile("-c", f"./{source.name}", cwd=folder).worked()
        place.check(source).worked()
        place.check(source, "--format=json").worked()
        place.run(place.cufls, "build", cwd=folder).worked()
        with place.server(place.work) as client:
            uri = "file://" + urllib.parse.quote(os.fsencode(source))
            place.server_finds(client, uri, program(2).replace("real, device", "rial, device"), 1)
        if (folder / "made").exists() or (place.work / "made").exists():
            raise AssertionError("a name was run")


@fault("such names in INCLUDE, rules for make, #line, and forms of messages", "the file is found, and its name comes back as it was; in JSON as `uri` where it is no UTF-8")
def written_names(place: Place) -> None:
    for number, name in enumerate(NAMES if place.whole else [NAMES[2], NAMES[4], NAMES[15]]):
        # Each beside no other: make takes * for all of them.
        folder = Path(os.fsdecode(os.fsencode(place.work) + b"/%d/of " % number + name))
        folder.mkdir(parents=True)
        included = Path(os.fsdecode(os.fsencode(folder) + b"/" + name.replace(b"\n", b"") + b".inc"))
        literal = os.fsencode(included.name).replace(b"'", b"''")
        (folder / "main.F90").write_bytes(b"module only\nend module\nprogram p\n  include '" + literal + b"'\nend program\n")
        quoted = folder / "quoted.F90"
        marks = b"<>" if b'"' in name else b'""'
        quoted.write_bytes(b"program p\n#include " + marks[:1] + os.fsencode(included.name) + marks[1:] + b"\nend program\n")
        included.write_text("print '(i0)', 11\n")
        for source in (folder / "main.F90", quoted):
            place.compile("-c", source, "-o", folder / "x.o", "-MD", "-MF", folder / "rule.d", f"-I{folder}", "-module", folder).worked()
            in_make(place, folder, folder / "rule.d", included, folder / "x.o")
        # Messages name the file, also of what was preprocessed before.
        included.write_text("integer :: x\nx = 'text'\n")
        for arguments in (["-c", folder / "main.F90"], ["-c", quoted, f"-I{folder}"]):
            said = place.compile(*arguments, "-o", folder / "x.o", "-fdiagnostics-format=json")
            if os.fsencode(included) not in places(said.text, place.work):
                said.fail(f"{os.fsencode(included)!r} is not named")
        plain = place.compile("-E", folder / "main.F90", "-o", place.work / "plain.f90").worked()
        said = place.compile("-c", place.work / "plain.f90", "-o", folder / "x.o", "-fdiagnostics-format=json")
        if os.fsencode(included) not in places(said.text, place.work):
            said.fail(f"{os.fsencode(included)!r} is not named after -E {plain.text}\n{(place.work / 'plain.f90').read_bytes()!r}")
        sarif = place.check(folder / "main.F90", "--format=sarif")
        uris = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in json.loads(sarif.text)["runs"][0]["results"]}
        if not any(urllib.parse.unquote_to_bytes(uri).endswith(os.fsencode(included)[len(os.fsencode(place.work)) + 1:]) for uri in uris):
            sarif.fail(f"{uris} do not name the file")
        # A build notices that the file has changed.
        quoted.unlink()
        for value in (21, 22):
            included.write_text(f"print '(i0)', {value}\n")
            (folder / "cufls.json").write_text('{"targets": {"main": {"sources": ["*.F90"]}}}')
            place.run(place.cufls, "build", cwd=folder).worked()
            place.says(folder / "build/cufls/main", str(value))
        # So does the server.
        included.write_text("integer :: x\nx = 'text'\n")
        with place.server(place.work) as client:
            main = "file://" + urllib.parse.quote(os.fsencode(folder / "main.F90"))
            if b"\xff" in name or b"\xfc" in name:  # what an editor sends is UTF-8, so it cannot name the file; the text on disk can
                continue
            place.server_finds(client, main, (folder / "main.F90").read_text(), 1)
            found = client.request("textDocument/definition", {"textDocument": {"uri": main}, "position": {"line": 3, "character": 14}})
            if [urllib.parse.unquote_to_bytes(each["uri"][7:]) for each in found] != [os.fsencode(included)]:
                raise AssertionError(f"the definition of INCLUDE {literal!r}: {found}")


@fault("sources that change, vanish or grow while they are read", "what stood there at some moment is compiled, or a message says what cannot be read",
       "nothing; the next build is right")
def changing(place: Place) -> None:
    root = place.project()
    stop = threading.Event()
    chance = random.Random(1)
    whole = (root / "a.cuf").read_text()

    def change() -> None:
        path, other = root / "a.cuf", place.folder / "other"
        while not stop.is_set():
            kind = chance.randrange(4)
            if kind == 0:
                path.unlink(missing_ok=True)
            elif kind == 1:
                path.write_text(whole[:chance.randrange(len(whole))])
            elif kind == 2:
                with path.open("a") as file:
                    file.write("! more\n" * chance.randrange(20000))
            other.write_text(whole.replace("= 1", f"= {chance.randrange(9)}"))
            os.replace(other, path)
            stop.wait(chance.random() * 0.01)
    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(40 if place.whole else 1):
            for outcome in (place.build(root), place.check(root),
                            place.compile("-c", root / "a.cuf", "-o", place.work / "a.o", "-module", place.work)):
                outcome.orderly()
                if "CUF0902" in outcome.text:
                    outcome.fail("the compiler failed")
    finally:
        stop.set()
        thread.join()
    (root / "a.cuf").write_text(whole.replace("= 1", "= 7"))
    place.builds_right(root, 7)
