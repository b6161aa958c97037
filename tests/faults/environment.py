"""Little of what the system gives: variables, descriptors, memory."""

from __future__ import annotations

import os
import resource

from place import Place, fault, program


@fault("no HOME, no TMPDIR, no PATH", "nothing; without a PATH, that the linker cannot be run")
def variables(place: Place) -> None:
    source = place.work / "p.cuf"
    source.write_text(program())
    root = place.project()
    without = ({"HOME": None, "XDG_CACHE_HOME": None}, {"TMPDIR": None}, {"HOME": "/dev/null/nobody", "XDG_CACHE_HOME": None}, {"HOME": "", "XDG_CACHE_HOME": ""},
                    {"HOME": None, "XDG_CACHE_HOME": None, "TMPDIR": None, "USER": None})
    for changes in without if place.whole else without[-1:]:
        place.compile(source, "-o", place.work / "p", environment=changes).worked()
        place.says(place.work / "p", "ran 32")
        place.check(root, environment=changes).worked()
        with place.server(root, environment=changes) as client:
            place.server_finds(client, (root / "main.cuf").as_uri(), (root / "main.cuf").read_text(), 0)
    place.compile(source, "-o", place.work / "q", environment={"PATH": "", "CUDA_HOME": "/nonexistent"}).refused(r"'cc'")
    place.compile(source, "-o", place.work / "q", environment={"TMPDIR": "/dev/null/none"}).refused(r"temporary")
    before = set(os.listdir("/"))
    place.check(source, environment={"TMPDIR": "/dev/null/none"}).orderly()
    if left := set(os.listdir("/")) - before:
        raise AssertionError(f"without a temporary folder these are left at /: {left}")


@fault("64 descriptors", "nothing")
def descriptors(place: Place) -> None:
    root = place.project()
    few = {resource.RLIMIT_NOFILE: 64}
    for number in range(80 if place.whole else 6):
        (root / f"more{number}.cuf").write_text(f"module more{number}\nend module\n")
    place.build(root, limits=few).worked()
    place.check(root, limits=few).worked()
    place.compile(*sorted(root.glob("more*.cuf")), "-c", limits=few).worked()


@fault("6 descriptors", "`cannot run 'cufc': too many open files: it needs 16 more at once, and `ulimit -n` allows fewer`")
def fewer(place: Place) -> None:
    root = place.project()
    for count in (*range(4, 20), 20, 24, 32) if place.whole else (5, 8, 19):
        few = {resource.RLIMIT_NOFILE: count}
        outcomes = [place.compile("-c", root / "a.cuf", "-o", place.work / "a.o", "-module", place.work, limits=few),
                    *(place.run(place.cufls, *command, cwd=root, limits=few)
                      for command in (["check", "."], ["build"], ["symbols", "a.cuf"], ["occupancy", "."], ["flags", "a.cuf"]))]
        for outcome in outcomes:
            if count < 19:
                outcome.refused("too many open files")
            else:
                outcome.worked()
    place.builds_right(root)


@fault("a limit of memory", "`not enough memory: the system gives no more`")
def memory(place: Place) -> None:
    source = place.work / "p.cuf"
    source.write_text(program())
    for megabytes in range(180, 700, 20) if place.whole else (220, 400):
        little = {resource.RLIMIT_AS: megabytes << 20}
        place.compile("-c", source, "-o", place.work / "p.o", "-module", place.work, limits=little).orderly()
        checked = place.check(source, limits=little)
        if "not enough memory" not in checked.text:  # behind it a worker is missed, which may be said too
            checked.orderly()
        elif checked.code != 1:
            checked.fail("it does not fail")
    place.is_right()
