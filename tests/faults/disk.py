"""Disks that are full or may not be written. What is written page by page is tried with each number of pages."""

from __future__ import annotations

from place import Place, Wrong, fault, program, wait_until

FULL = r"no space left|cannot write|could not write"


def sizes(place: Place, most: int, quick: "list[int]") -> "list[int]":
    """Kilobytes of disks on which a file of that many kilobytes is written."""
    return list(range(4, most, 4 if most < 200 else 32)) if place.whole else quick


def only(folder, *names) -> None:
    def left_now():
        return sorted(entry.name for entry in folder.iterdir())
    wait_until(lambda: left_now() == sorted(names), 10)  # workers tidy up after the command has ended
    if (left := left_now()) != sorted(names):
        raise Wrong(f"{left} is left behind, {list(names)} was expected")


@fault("disk full while an object is written", "`cannot write 'x.o': No space left on device`", "nothing; no half object is left")
def objects(place: Place) -> None:
    source = place.work / "p.cuf"
    source.write_text(program())
    for kilobytes in sizes(place, 200, [4, 8]):
        with place.small_disk(kilobytes) as disk:
            outcome = place.compile("-c", source, "-o", disk / "p.o", "-module", place.work).orderly()
            if outcome.code:
                outcome.refused(FULL)
                only(disk)
                continue
            place.compile(disk / "p.o", "-o", place.work / "p").worked()
        place.says(place.work / "p", "ran 32")
        break
    else:
        if place.whole:
            raise Wrong("the object was never written")


@fault("disk full while a program is linked", "`cannot write 'x': No space left on device`", "nothing; the program that was there stays")
def linking(place: Place) -> None:
    source = place.work / "p.cuf"
    source.write_text(program())
    place.compile("-c", source, "-o", place.work / "p.o").worked()
    for kilobytes in sizes(place, 2400, [104, 700]):
        with place.small_disk(kilobytes) as disk:
            (disk / "p").write_text("old")
            place.compile(place.work / "p.o", "-o", disk / "p").refused(FULL)
            only(disk, "p")
            if (disk / "p").read_text() != "old":
                raise Wrong("the program that was there is gone")
    place.is_right()


@fault("disk full while a module file is written", "`cannot write 'm.mod': No space left on device`", "nothing; no half module file is left")
def modules(place: Place) -> None:
    source = place.work / "p.cuf"
    source.write_text("module m\n" + "".join(f"  integer :: variable_with_a_long_name_{i}\n" for i in range(400)) + "end module\n")
    for kilobytes in sizes(place, 100, [4, 8, 16]):
        with place.small_disk(kilobytes) as disk:
            outcome = place.compile("-c", source, "-o", place.work / "p.o", "-module", disk).orderly()
            if outcome.code:
                outcome.refused(FULL)
                only(disk)
            else:
                only(disk, "m.mod")


@fault("disk full in the cache", "no message; work is done again next time")
def cache(place: Place) -> None:
    root = place.project()
    for kilobytes in sizes(place, 64, [4]):
        with place.small_disk(kilobytes, place.cache):
            place.builds_right(root)
            place.check(root).worked()
            with place.server(root) as client:
                path = root / "main.cuf"
                place.server_finds(client, path.as_uri(), path.read_text().replace("end program", "  x y\nend program"), 1)
    place.check(root).worked()


@fault("disk full in the folder for temporary files", "`cannot write '...'`, `cannot make a temporary folder: No space left on device`, or what a tool of the toolkit says")
def temporary(place: Place) -> None:
    source = place.work / "p.cuf"
    source.write_text(program())
    for kilobytes in sizes(place, 200, [8]):
        with place.small_disk(kilobytes) as disk:
            outcome = place.compile(source, "-o", place.work / "p", environment={"TMPDIR": disk}).orderly()
            if outcome.code:
                outcome.refused(FULL)
            else:
                place.says(place.work / "p", "ran 32")
            place.check(source, environment={"TMPDIR": disk}).orderly()
            only(disk)


@fault("disk full in the folder of a build", "`cannot write '...': No space left on device`", "nothing; the next build with space is right")
def building(place: Place) -> None:
    root = place.project()
    (root / "build").mkdir()
    for kilobytes in sizes(place, 600, [4, 60]):
        with place.small_disk(kilobytes, root / "build"):
            place.build(root).refused(FULL)
    place.builds_right(root)


@fault("a project that is read-only", "checks and the server work; a build says `cannot write '...': Read-only file system`")
def read_only_project(place: Place) -> None:
    root = place.project()
    with place.read_only(root):
        place.check(root).worked()
        with place.server(root) as client:
            place.server_finds(client, (root / "main.cuf").as_uri(), (root / "main.cuf").read_text(), 0)
        place.build(root).refused(r"cannot (write|make).*read-only")
        place.compile("-c", "a.cuf", cwd=root).refused(r"cannot write.*read-only")
    place.builds_right(root)


@fault("a cache that is read-only", "no message; a folder below the one for temporary files is taken")
def read_only_cache(place: Place) -> None:
    root = place.project()
    place.cache.mkdir()
    with place.read_only(place.cache):
        place.builds_right(root)
        place.check(root).worked()
        with place.server(root) as client:
            place.server_finds(client, (root / "main.cuf").as_uri(), (root / "main.cuf").read_text(), 0)
    place.builds_right(root)
