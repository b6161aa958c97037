#!/usr/bin/env python3
"""Somebody edits the files of one project at random: modules are broken, renamed and repaired, in open files and from
outside. After each round the diagnostics of all files are those of a fresh server.

    modules.py [--rounds N] [--seed N]   CUFC names the compiler
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client  # noqa: E402

SOURCES = {
    "points.cuf": """module points
  implicit none
  type point
    real :: x, y
  end type
  integer, parameter :: n = 64
contains
  attributes(device) real function norm(p)
    type(point), intent(in) :: p
    norm = sqrt(p%x**2 + p%y**2)
  end function
end module
""",
    "kernels.cuf": """module kernels
  use points
  use cudafor
  implicit none
contains
  attributes(global) subroutine lengths(p, r, m)
    type(point), intent(in) :: p(m)
    real, intent(out) :: r(m)
    integer, value :: m
    integer :: i
    i = (blockIdx%x - 1) * blockDim%x + threadIdx%x
    if (i <= m) r(i) = norm(p(i))
  end subroutine
end module
""",
    "launches.cuf": """module launches
  use kernels, only: lengths, point
  implicit none
contains
  subroutine all_lengths(p, r, m)
    integer, intent(in) :: m
    type(point), device :: p(m)
    real, device :: r(m)
    call lengths<<<(m + 31) / 32, 32>>>(p, r, m)
  end subroutine
end module
""",
    "main.cuf": """program main
  use cudafor
  use points, only: n
  use launches
  implicit none
  type(point), device :: p(n)
  type(point) :: h(n)
  real, device :: r(n)
  real :: s(n)
  h%x = 3; h%y = 4
  p = h
  call all_lengths(p, r, n)
  s = r
  print *, sum(s)
end program
""",
    "other.cuf": """module other
  use launches
  integer :: unused
end module
""",
}
REPLACED = [("module points", "module pointed"), ("module kernels", "module kernel"), ("n = 64", "n = 32"), ("real :: x, y", "real :: x"), ("norm(p)", "norm(q)"),
            ("use points", ""), ("lengths(p, r, m)", "lengths(p, r)"), ("use launches", "use other"), ("implicit none", "implicit none\n  integer :: more")]
INSERTED = ["x", "\n", "(", "end\n", "&", "call s\n", "contains\n", "#if 0\n", "use other\n", "use points\n"]
PATIENCE = 120  # seconds, in which a server on a busy machine has said all
QUIET = 2.5  # seconds without a word of the server; after a file was saved it waits for 2


def diagnostics(items: "list[dict]") -> "list[tuple]":
    return sorted((d["range"]["start"]["line"], d["code"], d["message"]) for d in items)


class Project:
    """A client, with what each open file holds."""

    def __init__(self, folder: Path, cache: Path):
        self.folder = folder
        cufls = Path(os.environ["CUFC"]).with_name("cufls")
        self.client = Client([str(cufls)], env={**os.environ, "XDG_CACHE_HOME": str(cache)})
        self.client.initialize(folder)
        self.open: "set[str]" = set()
        self.version = 1
        self.published: "dict[str, list[tuple]]" = {}

    def path(self, name: str) -> Path:
        return self.folder / name

    def show(self, name: str, text: str) -> None:
        self.open.add(name)
        self.client.open(self.path(name), text)

    def change(self, name: str, text: str) -> None:
        self.version += 1
        self.client.change(self.path(name), self.version, [{"text": text}])

    def save(self, name: str) -> None:
        self.client.notify("textDocument/didSave", {"textDocument": {"uri": self.path(name).as_uri()}})
        self.changed_on_disk(name)

    def close(self, name: str) -> None:
        self.open.remove(name)
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.path(name).as_uri()}})

    def changed_on_disk(self, name: str) -> None:
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": self.path(name).as_uri(), "type": 2}]})

    def state(self) -> "dict[str, list[tuple]]":
        """The diagnostics of each file, once the server has nothing left to do."""
        end, quiet, idle = time.monotonic() + PATIENCE, time.monotonic(), False
        while not (idle and time.monotonic() - quiet > QUIET) and time.monotonic() < end:
            if self.client.step(0.1):
                quiet = time.monotonic()
            for message in self.client.notifications:
                if message["method"] == "cufls/status":
                    idle = message["params"]["state"] == "idle"
                elif message["method"] == "textDocument/publishDiagnostics":
                    name = message["params"]["uri"].rsplit("/", 1)[1]
                    self.published[name] = diagnostics(message["params"]["diagnostics"])
            self.client.notifications.clear()
        result = {name: self.published.get(name, []) for name in SOURCES}
        for name in self.open:
            answer = self.client.request("textDocument/diagnostic", {"textDocument": {"uri": self.path(name).as_uri()}})
            result[name] = diagnostics(answer["items"])
        return result


def broken(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    kind = chance.random()
    if kind < 0.4:
        return text[:at] + text[at + chance.choice([1, 3, 10, 60]):]
    if kind < 0.6:
        return text.replace(*chance.choice(REPLACED))
    return text[:at] + chance.choice(INSERTED) + text[at:]


def one_round(project: Project, texts: "dict[str, str]", chance: random.Random) -> "list[str]":
    done = []
    for _ in range(chance.choice([1, 1, 2, 3])):
        name, kind = chance.choice(list(SOURCES)), chance.random()
        next_text = SOURCES[name] if kind < 0.45 else broken(texts[name], chance)
        if name in project.open and kind < 0.1:
            done.append(f"close {name}")
            project.close(name)
        elif name in project.open:
            done.append(f"{'repair' if kind < 0.45 else 'break'} {name}")
            texts[name] = next_text
            project.change(name, next_text)
        elif chance.random() < 0.7:
            done.append(f"open {name}")
            project.show(name, texts[name])
        else:
            done.append(f"change {name} from outside")
            texts[name] = next_text
            project.path(name).write_text(next_text)
            project.changed_on_disk(name)
    for name in project.open:
        project.path(name).write_text(texts[name])
        project.save(name)
    return done


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    failed = 0
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root, "project")
        folder.mkdir()
        texts = dict(SOURCES)
        for name, text in texts.items():
            (folder / name).write_text(text)
        project = Project(folder, Path(root, "cache"))
        for number in range(arguments.rounds):
            done = one_round(project, texts, chance)
            here = project.state()
            fresh = Project(folder, Path(root, f"cache{number}"))
            for name in sorted(project.open):
                fresh.show(name, texts[name])
            there = fresh.state()
            # On a busy machine either may have been quiet before its end: what counts is where they arrive.
            end = time.monotonic() + PATIENCE
            while here != there and time.monotonic() < end:
                here, there = project.state(), fresh.state()
            fresh.client.stop()
            for name in SOURCES:
                if here[name] != there[name]:
                    failed += 1
                    print(f"FAILED: round {number} ({', '.join(done)}): {name}\n  here  {here[name]}\n  fresh {there[name]}\n{texts[name]}")
        project.client.stop()
    print(f"{arguments.rounds} rounds, {failed} differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
