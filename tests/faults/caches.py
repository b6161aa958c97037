"""What is kept between runs: damaged, shared, or cut off at any moment."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

from place import Place, Wrong, fault, is_running, kill_group


def kept_files(place: Place, root: Path) -> "list[Path]":
    return sorted(path for folder in (place.cache, root / "build/cufls") for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def damage(path: Path, kind: int, chance: random.Random) -> None:
    """As a disk does it: the file keeps its time."""
    status = path.stat()
    content = bytearray(path.read_bytes())
    if kind == 0 and content:
        for _ in range(3):
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    elif kind == 1:
        content = content[:len(content) // 2]
    elif kind == 2:
        content = bytearray(len(content))
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


@fault("flipped bytes, half files and zeros in what is kept", "nothing, or that an object or a program cannot be used", "what was kept; it is made again")
def damaged(place: Place) -> None:
    root = place.project()
    chance = random.Random(2)
    place.builds_right(root)
    place.check(root).worked()
    names = [path.relative_to(place.folder) for path in kept_files(place, root)]
    tried = [(name, kind) for name in names for kind in range(3)]
    for name, kind in tried if place.whole else chance.sample(tried, 2):
        path = place.folder / name
        if not path.exists():
            continue
        damage(path, kind, chance)
        try:
            place.check(root).worked()
            place.builds_right(root)
        except Wrong as wrong:
            raise Wrong(f"{name}, damage {kind}: {wrong}") from None


@fault("a clock that goes back", "nothing: a source with an older time is another one")
def clock(place: Place) -> None:
    root = place.project()
    times = [(1, 2_000_000_000), (2, 1_900_000_000), (3, 1_000_000_000), (4, 0)]
    for value, time_ in times if place.whole else times[1:3]:
        (root / "a.cuf").write_text(f"module a\n  integer, parameter :: value = {value}\nend module\n")
        os.utime(root / "a.cuf", (time_, time_))
        place.builds_right(root, value)
        place.check(root).worked()


@fault("kill -9 in the middle of builds", "nothing", "the work of that build; the next one is right")
def killed(place: Place) -> None:
    root = place.project()
    chance = random.Random(3)
    place.builds_right(root)
    start = time.monotonic()
    (root / "a.cuf").write_text("module a\n  integer, parameter :: value = 9\nend module\n")
    place.builds_right(root, 9)
    length = time.monotonic() - start
    for round_ in range(place.builds if place.whole else 2):
        value = 10 + round_
        (root / "a.cuf").write_text(f"module a\n  integer, parameter :: value = {value}\nend module\n")
        process = place.start([place.cufls, "build"], cwd=root)
        time.sleep(chance.random() * length)
        kill_group(process)
        if not place.whole or chance.random() < 0.5:
            place.builds_right(root, value)
    place.builds_right(root, value)
    place.check(root).worked()
    print(f"        {round_ + 1} builds were killed within {length:.1f} s", flush=True)


@fault("two servers and builds on one cache", "nothing")
def shared(place: Place) -> None:
    root = place.project()
    path = root / "main.cuf"
    text = path.read_text()
    with place.server(root) as one, place.server(root) as two:
        for client in (one, two):
            client.open(path, text)
        for round_ in range(20 if place.whole else 2):
            (root / "a.cuf").write_text(f"module a\n  integer, parameter :: value = {round_}\nend module\n")
            build = place.start([place.cufls, "build"], cwd=root)
            check = place.start([place.cufls, "check"], cwd=root)
            for client in (one, two):
                client.change(path, 2 + round_, [{"text": text.replace("sum(h)", "sum(h) + nothing" if round_ % 2 else "sum(h)").replace(
                    "use c\n", "use c\n  implicit none\n")}])
                items = client.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}})["items"]
                errors = [item for item in items if item["severity"] == 1]
                if len(errors) != round_ % 2:
                    raise Wrong(f"round {round_}: {errors}")
            for process in (build, check):
                output, _ = process.communicate(timeout=120)
                if process.returncode:
                    raise Wrong(f"round {round_}: {process.args}: {output.decode()}")
    place.builds_right(root, round_)


@fault("a server that is killed", "the editor starts another", "what was not saved is the editor's to keep; workers end by themselves")
def killed_server(place: Place) -> None:
    from harness.lsp_client import processes
    root = place.project()
    for how in (signal.SIGKILL, signal.SIGTERM, None):
        context = place.server(root)
        client = context.__enter__()
        place.server_finds(client, (root / "main.cuf").as_uri(), (root / "main.cuf").read_text(), 0)
        workers = [pid for pid in processes(client.process.pid) if pid != client.process.pid]
        if not workers:
            raise Wrong("the server has no workers")
        if how is None:
            client.process.stdin.close()
        else:
            client.process.send_signal(how)
        client.process.wait(20)
        end = time.monotonic() + 10
        while left := [pid for pid in workers if is_running(pid)]:
            if time.monotonic() > end:
                raise Wrong(f"after {how} workers outlive the server: {left}")
            time.sleep(0.05)
