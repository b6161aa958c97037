#!/usr/bin/env python3
"""Modules that gfortran compiled, used by cufc through their module files.

library.f90 is compiled by gfortran, uses_library.cuf by cufc: each kind of argument and result goes both ways. Then what is
refused, which file is read where several have a module's name, other versions of the format, files of other compilers and
damaged ones, what is kept of a translation, and the library as an archive and as a shared one.

Usage: gfortran.py [--cufc PATH] [--devices gpu,host] [--damages N]      CUFC in the environment is the default
"""

import argparse
import gzip
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SECONDS = 300
SKIPPED = 77
CODE = re.compile(r"^(.*?):(\d+):\d+: error: .*\[(CUF\d{4})\]$", re.MULTILINE)
MARK = re.compile(r"! (CUF\d{4})$")

OTHERS = {  # the beginning of a file, what the message says, and its code
    "nvidia": (b"V34 :0x24 nvidia\n8 a.f90 S624 0\n", "written by nvfortran", "CUF0170"),
    "binary": (b"\x0b\x00\x01\x00\x18\x10", "Intel's or another compiler with binary", "CUF0170"),
    "words": (b"module words\n", "not known here", "CUF0170"),
    "nothing": (b"", "not known here", "CUF0170"),
    "sum": (b"\xef\xbb\xbf!mod$ v1 sum:0123456789abcdef\nmodule sum\nend\n", "another version of cufc or flang, or was damaged", "CUF0170"),
    "newer": (b"\xef\xbb\xbf!mod$ v2 sum:0123456789abcdef\nmodule newer\nend\n", "another version of cufc or flang", "CUF0170"),
    "older": (b"G95 module created on ...\n", "written by g95", "CUF0170"),
    "broken": (b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "damaged", "CUF0171"),
}

BUFFERS = """module buffers
contains
  subroutine put(buffer)
    integer, intent(in), target :: buffer(*)
  end subroutine
end module
"""
BUFFERS_USER = """program p
  use buffers
  integer :: list(2) = 1
  call put(list)
  call put([1, 2])
end program
"""

KEPT = """module kept
  integer, parameter :: answer = {}
end module
"""
KEPT_USER = """program p
  use kept
  print *, answer
end program
"""

OWN = """module solver
  integer, parameter :: answer = 42
end module
"""
OWN_USER = """program p
  use solver
  if (answer /= 42) error stop
  print '(a)', 'PASS'
end program
"""


class Failure(Exception):
    """What was expected and did not happen."""


class Test:
    def __init__(self, cufc, work, devices):
        self.cufc, self.work, self.devices = cufc, work, devices

    def run(self, *words, folder=None, status=0, **more):
        process = subprocess.run([str(word) for word in words], cwd=folder or self.work, stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, timeout=SECONDS, check=False, errors="replace", **more)
        text = process.stdout + process.stderr
        if process.returncode < 0 or (status is not None and process.returncode != status):
            raise Failure(f"{' '.join(map(str, words))}: status {process.returncode}\n{text[:3000]}")
        return text

    def passes(self, program):
        for device in self.devices:
            text = self.run(program, env={**os.environ, "CUF_DEVICE": device})
            if "PASS" not in text.splitlines():
                raise Failure(f"{program} on {device}:\n{text[:2000]}")

    def library(self):
        self.run("gfortran", "-c", "-fPIC", "-O1", HERE / "library.f90", "-o", "library.o")

    def both_ways(self):
        for source in ("uses_library", "uses_kept"):
            for level in ("-O0", "-O3"):
                self.run(self.cufc, "-w", level, HERE / f"{source}.cuf", "library.o", "-o", f"{source}{level}")
                self.passes(self.work / f"{source}{level}")

    def linked(self):
        self.run("ar", "rc", "liblibrary.a", "library.o")
        self.run("gfortran", "-shared", "library.o", "-o", "liblibrary_shared.so")
        self.run(self.cufc, "-w", "-c", HERE / "uses_library.cuf", "-MD", "-o", "uses.o")
        if "library.mod" not in (self.work / "uses.d").read_text():
            raise Failure("the module file is no dependency: " + (self.work / "uses.d").read_text())
        self.run(self.cufc, "uses.o", "liblibrary.a", "-o", "uses_archive")
        self.passes(self.work / "uses_archive")
        self.run(self.cufc, "uses.o", "-L.", "-llibrary_shared", "-Wl,-rpath,$ORIGIN", "-o", "uses_shared")
        self.passes(self.work / "uses_shared")

    def refused(self):
        source = HERE / "refused.f90"
        wanted = {(number, mark.group(1)) for number, line in enumerate(source.read_text().splitlines(), 1)
                  if (mark := MARK.search(line))}
        text = self.run(self.cufc, "-c", source, status=1)
        found = {(int(line), code) for _, line, code in CODE.findall(text)}
        if found != wanted:
            raise Failure(f"refused.f90: {sorted(found ^ wanted)}\n{text}")
        checked = self.run(self.cufc.parent / "cufls", "check", "--allow=unused", source, status=None)
        if "CUF09" in checked:
            raise Failure(checked)

    def versions(self):
        """The format of 14 and 16 is that of 15 for what stands here; arrays went another way in 14."""
        text = gzip.decompress((self.work / "library_base.mod").read_bytes())
        for version, status in ((14, 0), (16, 0), (13, 1), (17, 1)):
            folder = self.work / f"version{version}"
            folder.mkdir()
            changed = re.sub(rb"version '\d+'", f"version '{version}'".encode(), text, count=1)
            (folder / "library_base.mod").write_bytes(gzip.compress(changed))
            (folder / "user.f90").write_text("program p\n  use library_base\n  print *, pi, text, here%x\nend program\n")
            said = self.run(self.cufc, "-c", "user.f90", folder=folder, status=status)
            if status and "CUF0172" not in said:
                raise Failure(said)

    def others(self):
        folder = self.work / "others"
        folder.mkdir()
        body = b"module before\ninteger(4)::a\nend\n"
        renamed = b"\xef\xbb\xbf!mod$ v1 sum:" + checksum(body) + b"\n" + body
        for name, (begin, words, code) in {**OTHERS, "renamed": (renamed, "it holds module 'before'", "CUF0176")}.items():
            (folder / f"{name}.mod").write_bytes(begin)
            (folder / f"use_{name}.f90").write_text(f"program p\n  use {name}, only: a, b\n  call a(b)\nend program\n")
            for command in ([self.cufc, "-c"], [self.cufc.parent / "cufls", "check", "--allow=unused"]):
                text = self.run(*command, f"use_{name}.f90", folder=folder, status=1)
                found = CODE.findall(text)
                if words not in text or [(line, said) for _, line, said in found] != [("2", code)]:
                    raise Failure(f"{name}: {text}")

    def nearest(self):
        """A module that a source defines wins over files that other compilers left."""
        folder = self.work / "nearest"
        (folder / "include").mkdir(parents=True)
        (folder / "solver.f90").write_text(OWN)
        (folder / "main.f90").write_text(OWN_USER)
        self.run("gfortran", "-c", "solver.f90", folder=folder)
        (folder / "solver.f90").write_text(OWN)
        self.run(self.cufc, "-module", "made", "solver.f90", "main.f90", "-o", "program", folder=self.made(folder))
        self.passes(folder / "program")
        # flang's file stands behind gfortran's on the path
        shutil.copy(folder / "made/solver.mod", folder / "include/solver.mod")
        shutil.copy(folder / "solver.o", folder / "gfortran.o")
        self.run(self.cufc, "-c", "main.f90", "-Iinclude", folder=folder)
        (folder / "solver.mod").write_bytes(b"V34 :0x24 solver\n")
        self.run(self.cufc, "-c", "main.f90", "-Iinclude", folder=folder)
        self.run(self.cufc.parent / "cufls", "check", "--allow=unused", ".", folder=folder)

    def buffers(self):
        """hdf5 and others declare each buffer as TARGET, of which a user can do nothing."""
        (self.work / "buffers.f90").write_text(BUFFERS)
        (self.work / "puts.f90").write_text(BUFFERS_USER)
        self.run("gfortran", "-c", "buffers.f90")
        if text := self.run(self.cufc, "-c", "puts.f90"):
            raise Failure("a call with a buffer that is no target: " + text)

    def kept(self):
        """Translations are kept by content, for other processes, in a folder that does not grow for ever."""
        folder, cache = self.work / "kept", self.work / "cache"
        place = cache / "cufls/modules"
        folder.mkdir()
        (folder / "user.f90").write_text(KEPT_USER)
        more = {"folder": folder, "env": {**os.environ, "XDG_CACHE_HOME": str(cache), "CUF_DEVICE": "host"}}

        def module(answer, age):
            (folder / "kept.f90").write_text(KEPT.format(answer))
            self.run("gfortran", "-c", "kept.f90", folder=folder)
            os.utime(folder / "kept.mod", (time.time() - age, time.time() - age))

        def expect(answer, count, what):
            self.run(self.cufc, "user.f90", "-o", "user", **more)
            said, files = self.run(folder / "user", **more).split(), sorted(place.glob("*"))
            if said != [str(answer)] or len(files) != count:
                raise Failure(f"{what}: {said} for {answer}, {len(files)} kept files for {count}")
            return files

        module(42, 0)
        os.utime(folder / "kept.mod", (time.time() + 3600, time.time() + 3600))
        expect(42, 0, "a file of this moment, which may still change")
        module(42, 60)
        file, = expect(42, 1, "the first use")
        # that the kept one is used shows in one that says something else
        body = file.read_bytes()[16:].replace(b"answer=42_4", b"answer=43_4")
        file.write_bytes(checksum(body) + body)
        expect(43, 1, "the second use")
        file.write_bytes(checksum(body) + body[:-1] + b"?")
        expect(42, 1, "a damaged one")
        file.write_bytes(b"")
        expect(42, 1, "an empty one")
        module(44, 60)
        expect(44, 2, "another content")
        module(42, 60)
        expect(42, 2, "the first content again")
        with open(place / "old", "wb") as old:
            old.truncate(2**26)
        os.utime(place / "old", (1, 1))
        module(45, 60)
        if place / "old" in expect(45, 3, "a folder that was full"):
            raise Failure("the oldest was not removed")
        shutil.rmtree(cache)
        module(46, 60)
        several = [subprocess.Popen([self.cufc, "-c", "user.f90", "-o", f"user{n}.o"], cwd=folder, env=more["env"]) for n in range(6)]
        if any(process.wait(SECONDS) for process in several):
            raise Failure("several at a time")
        expect(46, 1, "several at a time")
        shutil.rmtree(cache)
        cache.write_text("no folder")
        expect(46, 0, "no folder for it")

    @staticmethod
    def made(folder):
        (folder / "made").mkdir()
        return folder

    def damaged(self, count):
        """Nothing that stands in a file lets the compiler crash."""
        text = gzip.decompress((self.work / "library.mod").read_bytes())
        chance = random.Random(17)
        folder = self.work / "damaged"
        folder.mkdir()
        shutil.copy(self.work / "library_base.mod", folder)
        (folder / "user.f90").write_text("program p\n  use library\n  print *, twice(2), make_point(1.)\nend program\n")
        for number in range(count):
            content = gzip.compress(damage(text, chance), 1)
            (folder / "library.mod").write_bytes(damage_file(content, chance) if number % 3 == 2 else content)
            said = self.run(self.cufc, "-c", "user.f90", folder=folder, status=None)
            if "CUF09" in said:
                shutil.copy(folder / "library.mod", HERE.parent.parent / "damaged.mod")
                raise Failure("damaged.mod: " + said[:2000])


def checksum(text):
    """With which a kept file begins: that of flang's module files."""
    value = 0xCBF29CE484222325
    for byte in text:
        value = (value ^ byte) * 0x100000001B3 & (2**64 - 1)
    return f"{value:016x}".encode()


def damage_file(content, chance):
    """A file as a disk or a copy that broke off leaves it."""
    at = chance.randrange(len(content))
    return chance.choice([content[:at], content[at:], chance.randbytes(at), content[:at] + chance.randbytes(20) + content[at + 20:],
                          b"\xef\xbb\xbf!mod$ v1 sum:" + content])


def damage(text, chance):
    kind = chance.randrange(4)
    at = chance.randrange(100, len(text))
    if kind == 0:
        return text[:at]
    if kind == 1:  # another number
        numbers = [match.span() for match in re.finditer(rb"\b\d+\b", text[at:at + 400])]
        if numbers:
            begin, end = chance.choice(numbers)
            return text[:at + begin] + str(chance.choice([0, 1, 7, 99, 10**6, 2**40])).encode() + text[at + end:]
    if kind == 2:  # a part twice
        end = at + chance.randrange(1, 200)
        return text[:at] + text[at:end] * 2 + text[end:]
    return text[:at] + bytes(chance.choice(b"()' 0aZ") for _ in range(chance.randrange(1, 5))) + text[at + 3:]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cufc", type=Path, default=os.environ.get("CUFC"))
    parser.add_argument("--devices", default="host")
    parser.add_argument("--damages", type=int, default=60)
    options = parser.parse_args()
    if not shutil.which("gfortran"):
        print("gfortran is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        test = Test(Path(options.cufc).resolve(), Path(folder), options.devices.split(","))
        try:
            test.library()
            for step in (test.both_ways, test.linked, test.refused, test.versions, test.others, test.nearest, test.buffers,
                         test.kept, lambda: test.damaged(options.damages)):
                step()
        except Failure as failure:
            print(failure)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
