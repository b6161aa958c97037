"""Sources that are no ordinary files, are huge, have odd names, or change while they are read."""

from __future__ import annotations

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

# flang's #line, by which the text of an editor keeps its name, has no way to write these.
NOT_IN_SERVER = [b'say "x"', b"two\nlines", b"back\\slash"]


@fault("names with blanks, quotes, line ends, and bytes that are no UTF-8", "they are compiled, checked, built and edited as others are; in an editor files with a line end, a double quote or a backslash in their name have no messages")
def names(place: Place) -> None:
    for name in NAMES if place.whole else [NAMES[3], NAMES[8], NAMES[15]]:
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
        if name in NOT_IN_SERVER:
            continue
        with place.server(place.work) as client:
            uri = "file://" + urllib.parse.quote(os.fsencode(source))
            place.server_finds(client, uri, program(2).replace("real, device", "rial, device"), 1)
        if (folder / "made").exists() or (place.work / "made").exists():
            raise AssertionError("a name was run")


@fault("sources that change, vanish or grow while they are read", "what stood there at some moment is compiled, or a message says what cannot be read; seldom CUF0902, which says that the compiler failed",
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
                if outcome.code != 1 or "CUF0902" not in outcome.text:  # two readings of one file may differ
                    outcome.orderly()
    finally:
        stop.set()
        thread.join()
    (root / "a.cuf").write_text(whole.replace("= 1", "= 7"))
    place.builds_right(root, 7)
