#!/usr/bin/env python3
"""What `cufls build` compiles again, and what not: after edits of bodies, interfaces, comments and included files, after
lost and damaged files, interruptions, and with several targets.

Usage: builds.py [--cufc PATH] [-v] [WORD...]      WORDs select cases by name; CUFC in the environment is the default
"""

import os
import signal
import subprocess
import time
from pathlib import Path

from workspace import check, equal, main

BASE = """module base
  implicit none
contains
  integer function number()
    include 'number.inc'
  end function
end module
"""
MIDDLE = """module middle
  use base
  implicit none
contains
  integer function twice()
    twice = 2 * number()
  end function
end module
"""
KERNELS = """module kernels
  use cudafor
  implicit none
contains
  attributes(global) subroutine add(x, n)
    integer :: x(*)
    integer, value :: n
    integer :: i
    i = threadIdx%x
    x(i) = x(i) + n
  end subroutine
end module
"""
MAIN = """program app
  use kernels
  use middle
  implicit none
  integer, device :: d(4)
  integer :: h(4)
  d = 1
  call add<<<1, 4>>>(d, twice())
  h = d
  print '(i0)', h(4)
end program
"""
PROJECT = {"targets": {"app": {"sources": ["src/**/*.cuf"]}}}
SOURCES = {"src/a_main.cuf": MAIN, "src/b/middle.cuf": MIDDLE, "src/kernels.cuf": KERNELS, "src/z/base.cuf": BASE,
           "src/z/number.inc": "    number = 20\n"}
ALL = ["src/a_main.cuf", "src/b/middle.cuf", "src/kernels.cuf", "src/z/base.cuf"]
APP = "build/cufls/app"


def project(work):
    work.write("cufls.json", PROJECT)
    for name, text in SOURCES.items():
        work.write(name, text)
    first = work.good()
    equal(first.compiled, ALL, "first build compiles")
    equal(first.linked, [APP], "first build links")
    equal(work.output(APP), ["41"], "output")


def nothing_changed(work):
    project(work)
    again = work.good()
    equal((again.compiled, again.linked), ([], []), "second build")
    os.utime(work.root / "src/z/base.cuf")
    touched = work.good()
    equal((touched.compiled, touched.linked), ([], []), "after a touch without change")


def same_compiler(work):
    """A change of its inode alone, by a mode or a hard link, does not make another compiler of it."""
    project(work)
    os.chmod(work.cufls, work.cufls.stat().st_mode)
    equal(work.good().compiled, [], "after chmod of the compiler")


def body(work):
    project(work)
    work.replace("src/b/middle.cuf", "2 * number", "3 * number")
    build = work.good()
    equal((build.compiled, build.linked), (["src/b/middle.cuf"], [APP]), "an edited body")
    equal(work.output(APP), ["61"], "output")


def comment(work):
    project(work)
    work.replace("src/z/base.cuf", "  implicit none", "  implicit none ! a comment")
    build = work.good()
    equal((build.compiled, build.linked), (["src/z/base.cuf"], []), "an edited comment")


def interface(work):
    project(work)
    work.replace("src/kernels.cuf", "(x, n)", "(x, n, m)")
    work.replace("src/kernels.cuf", "    integer :: i\n", "    integer :: i\n    integer, value :: m\n")
    broken = work.build()
    equal((broken.status, broken.linked), (1, []), "an argument that nobody passes")
    equal(broken.compiled, ["src/a_main.cuf", "src/kernels.cuf"], "the module and its users")
    work.replace("src/kernels.cuf", ", m)", ")")
    work.replace("src/kernels.cuf", "    integer, value :: m\n", "")
    work.replace("src/kernels.cuf", "contains", "  integer, parameter :: extra = 1\ncontains")
    build = work.good()
    equal(build.compiled, ["src/a_main.cuf", "src/kernels.cuf"], "the module and its users")
    work.replace("src/a_main.cuf", "twice())", "twice() + extra)")
    equal(work.good().compiled, ["src/a_main.cuf"], "the user")
    equal(work.output(APP), ["42"], "output")


def include(work):
    project(work)
    work.replace("src/z/number.inc", "20", "30")
    build = work.good()
    equal((build.compiled, build.linked), (["src/z/base.cuf"], [APP]), "an edited included file")
    equal(work.output(APP), ["61"], "output")
    os.remove(work.root / "src/z/number.inc")
    lost = work.build()
    equal(lost.status, 1, "without the included file")
    check("number.inc" in lost.text, lost.text)
    work.write("src/z/number.inc", SOURCES["src/z/number.inc"])
    equal(work.good().compiled, ["src/z/base.cuf"], "after it came back")


def lost_outputs(work):
    project(work)
    objects = sorted((work.root / "build/cufls/.cufls/obj").glob("base-*.o"))
    os.remove(objects[0])
    build = work.good()
    equal((build.compiled, build.linked), (["src/z/base.cuf"], []), "a lost object")
    os.remove(work.root / APP)
    equal(work.good().linked, [APP], "a lost program")
    objects[0].write_bytes(b"damage")
    equal(work.good().compiled, ["src/z/base.cuf"], "a damaged object")
    module = next((work.root / "build/cufls/.cufls/mod").glob("*/base.mod"))
    os.remove(module)
    equal(work.good().compiled, ["src/z/base.cuf"], "a lost module file")
    equal(work.output(APP), ["41"], "output")


def flags(work):
    project(work)
    work.write("cufls.json", {"targets": {"app": {"sources": ["src/**/*.cuf"], "flags": ["-O1"]}}})
    equal(work.good().compiled, ALL, "other flags")
    equal(work.good().compiled, [], "the same flags")


def damaged_state(work):
    project(work)
    state = work.root / "build/cufls/.cufls/state"
    good = state.read_bytes()
    for damage in (b"", b"junk" * 100, good[: len(good) // 2], good[:-1] + b"\xff", good + b"x"):
        state.write_bytes(damage)
        build = work.good()
        check(build.compiled in (ALL, []), f"after damage: {build.compiled}")
        equal(work.good().compiled, [], "the build after")


def removed_source(work):
    project(work)
    work.write("src/extra.cuf", "module extra\nend module\n")
    work.replace("src/a_main.cuf", "use middle", "use middle\n  use extra")
    equal(work.good().compiled, ["src/a_main.cuf", "src/extra.cuf"], "a new source")
    os.remove(work.root / "src/extra.cuf")
    build = work.build()
    equal(build.status, 1, "a module that is gone")
    check("CUF0133" in build.text, build.text)


def warnings_stay(work):
    work.write("cufls.json", PROJECT)
    work.write("src/p.cuf", "program p\n  real :: x\n  x = 1d300\n  if (x > 3.4e38) print *, 'inf'\nend program\n")
    first = work.build("--format=json")
    check('"severity": "warning"' in first.text or '"severity":"warning"' in first.text, first.text)
    again = work.build("--format=json")
    equal(again.compiled, [], "second build")
    equal(again.text.count("warning"), first.text.count("warning"), "warnings said again")


def errors(work):
    project(work)
    work.replace("src/b/middle.cuf", "twice = 2", "twice = 2 +* 3")
    build = work.build()
    equal((build.status, build.compiled), (1, ["src/b/middle.cuf"]), "a source with an error")
    check("src/b/middle.cuf:6:" in build.text, build.text)
    equal(work.build().compiled, ["src/b/middle.cuf"], "once more")
    other = work.build(cwd="src/b")
    check("\nmiddle.cuf:6:" in other.text, other.text)
    work.replace("src/b/middle.cuf", "twice = 2 +* 3", "twice = 2")
    equal(work.good().compiled, ["src/b/middle.cuf"], "mended")


def circle(work):
    work.write("a.cuf", "module a\n  use b\nend module\n")
    work.write("b.cuf", "module b\n  use a\nend module\n")
    build = work.build()
    equal((build.status, build.compiled), (1, []), "a circle of modules")
    check("b.cuf:2:7: error" in build.text and "CUF0101" in build.text, build.text)


def two_programs(work):
    work.write("cufls.json", {"targets": {
        "one": {"sources": ["one.cuf", "m.cuf"]},
        "two": {"sources": ["two.cuf"], "libraries": ["tools"], "flags": ["-O1"]},
        "tools": {"sources": ["tools.cuf"]}}})
    work.write("m.cuf", "module m\n  integer :: i = 5\nend module\n")
    work.write("tools.cuf", "module tools\n  integer :: j = 6\nend module\n")
    work.write("one.cuf", "program one\n  use m\n  print '(i0)', i\nend program\n")
    work.write("two.cuf", "program two\n  use m\n  use tools\n  print '(i0)', i + j\nend program\n")
    first = work.good()
    equal(first.linked, ["build/cufls/libtools.a", "build/cufls/one", "build/cufls/two"], "targets")
    equal(work.output("build/cufls/one") + work.output("build/cufls/two"), ["5", "11"], "output")
    work.replace("one.cuf", "i\nend", "i + 1\nend")
    work.replace("tools.cuf", "6", "7")
    build = work.good("--target", "two")
    check("one.cuf" not in build.compiled, f"one target: {build.compiled}")
    equal(work.output("build/cufls/one") + work.output("build/cufls/two"), ["5", "12"], "output")


def same_module_twice(work):
    for folder, number in (("one", 1), ("two", 2)):
        work.write(f"{folder}/m.cuf", f"module m\n  integer, parameter :: i = {number}\nend module\n")
        work.write(f"{folder}/{folder}.cuf", f"program {folder}\n  use m\n  print '(i0)', i\nend program\n")
    work.good()
    equal(work.output("build/cufls/one") + work.output("build/cufls/two"), ["1", "2"], "output")


def many_modules(work):
    """A chain and a fan in an order that says nothing; an edit in the middle of the chain."""
    names = [f"m{(17 * i) % 40:02}" for i in range(40)]
    for place, name in enumerate(names):
        use = f"  use {names[place - 1]}\n" if place % 4 else ""
        value = f"{names[place - 1]}_value() + 1" if place % 4 else "1"
        work.write(f"{name}.cuf", f"module {name}\n{use}  implicit none\ncontains\n  integer function {name}_value()\n"
                                  f"    {name}_value = {value}\n  end function\nend module\n")
    calls = " + ".join(f"{names[i]}_value()" for i in range(3, 40, 4))
    uses = "".join(f"  use {names[i]}\n" for i in range(3, 40, 4))
    work.write("aa.cuf", f"program aa\n{uses}  print '(i0)', {calls}\nend program\n")
    equal(len(work.good("-j", "8").compiled), 41, "first build")
    equal(work.output("build/cufls/aa"), ["40"], "output")
    work.replace(f"{names[1]}.cuf", "+ 1", "+ 2")
    equal(work.good().compiled, [f"{names[1]}.cuf"], "a body")
    equal(work.output("build/cufls/aa"), ["41"], "output")


def interrupted(work):
    project(work)
    for name in ALL:
        work.replace(name, "implicit none", "implicit none ! edited")
    process = work.start("build", "-j", "2")
    time.sleep(0.15)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    check(process.returncode in (-signal.SIGINT, 0), f"status {process.returncode}")
    build = work.good()
    equal(work.output(APP), ["41"], "output")
    equal(work.good().compiled, [], f"after {build.compiled}")


def killed_compiler(work):
    project(work)
    work.replace("src/kernels.cuf", "implicit none", "implicit none ! edited")
    process = work.start("build", "-j", "1")
    children = []
    while not children and process.poll() is None:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(int(children[0]), signal.SIGKILL)
    text = process.communicate(timeout=60)[1]
    equal((process.returncode, "CUF0140" in text), (1, True), text)
    equal(work.good().compiled, ["src/kernels.cuf"], "the build after")


def at_the_same_time(work):
    project(work)
    work.replace("src/b/middle.cuf", "2 * number", "4 * number")
    builds = [work.start("build", "-v") for _ in range(3)]
    texts = [process.communicate(timeout=120) for process in builds]
    equal([process.returncode for process in builds], [0, 0, 0], "three builds")
    equal(sum(err.count("] compile") for _, err in texts), 1, "compilations")
    check(any("CUF0139" in err for _, err in texts), "none had to wait")
    equal(work.output(APP), ["81"], "output")


def clean(work):
    project(work)
    equal(work.run("build", "--clean").returncode, 0, "clean")
    check(not (work.root / APP).exists(), "the program is still there")
    equal(work.good().compiled, ALL, "after a clean")
    work.write("cufls.json", {**PROJECT, "buildDirectory": "src"})
    foreign = work.run("build", "--clean")
    equal(foreign.returncode, 2, "clean of a folder of sources")
    check("CUF0141" in foreign.stderr and (work.root / "src/kernels.cuf").exists(), foreign.stderr)


def old_module_files(work):
    """One in the current folder, where flang looks first, counts only if there is no other."""
    value = "module m\n  integer, parameter :: n = {}\nend module\n"
    cufc = Path(work.cufls).parent / "cufc"

    def compiled(*arguments):
        done = subprocess.run([cufc, *arguments], cwd=work.root, text=True, capture_output=True, check=False)
        equal(done.returncode, 0, f"{arguments}: {done.stderr}")

    work.write("p.cuf", "program p\n  use m\n  print *, n\nend program\n")
    work.write("m.cuf", value.format(1))
    compiled("-c", "m.cuf", "-o", "old.o")
    check((work.root / "m.mod").exists(), "m.mod")
    work.write("m.cuf", value.format(2))
    (work.root / "mods").mkdir()
    (work.root / "empty").mkdir()
    compiled("-module", "mods", "m.cuf", "p.cuf", "-o", "together")
    equal(work.output("together"), ["2"], "sources in one command")
    compiled("-module", "mods", "-MD", "-c", "p.cuf", "-o", "p.o")
    check("mods/m.mod" in (work.root / "p.d").read_text(), (work.root / "p.d").read_text())
    compiled("p.o", "-o", "alone")
    equal(work.output("alone"), ["2"], "the module folder")
    compiled("-module", "empty", "-MD", "-c", "p.cuf", "-o", "p.o")
    check("  m.mod" in (work.root / "p.d").read_text(), (work.root / "p.d").read_text())
    compiled("p.o", "-o", "current")
    equal(work.output("current"), ["1"], "the current folder, if the module is nowhere else")
    work.good()
    program = next(path for path in (work.root / "build").rglob("p") if path.is_file())
    equal(work.output(program), ["2"], "a build")


if __name__ == "__main__":
    main([nothing_changed, same_compiler, body, comment, interface, include, lost_outputs, flags, damaged_state, removed_source,
          warnings_stay, errors, circle, two_programs, same_module_twice, many_modules, interrupted, killed_compiler, at_the_same_time,
          clean, old_module_files])
