#!/usr/bin/env python3
"""`cufls check` on files and folders: the order of modules, what is analysed again after an edit, settings, exit
statuses, and `--watch`. Also how builds and runs say what only a system can do wrong.

Usage: checks.py [--cufc PATH] [-v] [WORD...]      WORDs select cases by name; CUFC in the environment is the default
"""

import fcntl
import json
import os
import re
import signal
import stat
import time

from workspace import check, equal, main

CONSTANTS = "module constants\n  integer, parameter :: n = 64\nend module\n"
KERNELS = """module kernels
  use constants
contains
  attributes(global) subroutine scale(a, f)
    real :: a(n)
    real, value :: f
    a(threadIdx%x) = a(threadIdx%x) * f
  end subroutine
end module
"""
PROGRAM = """program p
  use kernels
  real, device :: a(64)
  a = 1
  call scale<<<1, 64>>>(a, 2.0)
end program
"""
ALONE = "subroutine alone\nend subroutine\n"


def project(work):
    work.write("p.cuf", PROGRAM)
    work.write("src/z_constants.cuf", CONSTANTS)
    work.write("a_kernels.cuf", KERNELS)
    work.write("alone.cuf", ALONE)


def checked(work, *arguments):
    """Status, 'file:line code' of each diagnostic that is an error, and how many files were analysed and cached."""
    cache = work.root / "cache"
    cache.mkdir(exist_ok=True)  # cufls would change the folder of the sources, in which modules are looked for
    done = work.run("check", "-v", "--format=json", *arguments, env={"XDG_CACHE_HOME": str(cache)})
    found = [f"{os.path.basename(each['file'])}:{each['line']} {each['code']}"
             for each in json.loads(done.stdout)["diagnostics"] if each["severity"] == "error"]
    counts = re.search(r"(\d+) files analysed, (\d+) as before", done.stderr)
    return done.returncode, found, tuple(map(int, counts.groups())) if counts else None


def order_and_cache(work):
    project(work)
    equal(checked(work, "."), (0, [], (4, 0)), "first")
    equal(checked(work, "."), (0, [], (0, 4)), "again")
    equal(checked(work, "p.cuf"), (0, [], (0, 3)), "one file with the modules it uses")
    work.replace("a_kernels.cuf", "* f", "+ f")
    equal(checked(work, "."), (0, [], (1, 3)), "an edit in a body")
    work.replace("a_kernels.cuf", "real, value :: f", "real(8), value :: f")
    status, found, counts = checked(work, ".")
    equal((status, counts), (1, (2, 2)), "an edit of an interface")
    check(found and found[0].startswith("p.cuf:5"), found)
    work.replace("src/z_constants.cuf", "module constants\n", "module constants ! sizes\n")
    equal(checked(work, ".")[2], (1, 3), "a comment in a module that others use")


def modules_with_errors(work):
    project(work)
    work.replace("a_kernels.cuf", "real :: a(n)", "real :: a(m + undeclared(1, 2):, %)")
    status, found, _ = checked(work, "p.cuf")
    equal(status, 1, "status")
    check("p.cuf:2 CUF0150" in found or any(f.startswith("p.cuf:5") for f in found), found)
    work.write("a_kernels.cuf", KERNELS.replace("module kernels\n", "module kernels\n  implicit none\n  x = 1\n"))
    equal(checked(work, "p.cuf")[1], ["p.cuf:2 CUF0150"], "an interface that is wrong")
    work.write("p.cuf", "program p\n  use kernels\n  implicit none\n  real, device :: a(64)\n  integer :: i\n  a = broken(1)\n"
               "  call scale<<<1, 64>>>(a, 2.0)\n  i = 'text'\nend program\n")
    work.write("a_kernels.cuf", KERNELS.replace("module kernels\n", "module kernels\n  real(no_such_kind) :: broken(3)\n"))
    equal(checked(work, "p.cuf")[1], ["p.cuf:2 CUF0150", "p.cuf:8 CUF1204"], "what is right in the module is used")
    equal(checked(work, ".")[1], ["a_kernels.cuf:3 CUF1006", "p.cuf:2 CUF0150", "p.cuf:8 CUF1204"], "also with the module")
    work.write("a_kernels.cuf", KERNELS.replace("* f", "* undeclared(1)"))
    work.write("p.cuf", PROGRAM)
    check(not any("CUF0150" in f for f in checked(work, "p.cuf")[1]), "errors in bodies concern nobody else")


def modules_that_lack_others(work):
    """A module that is not there costs its own names alone, in its users and in theirs."""
    work.write("fields.cuf", "module fields\n  use nowhere\n  implicit none\n  integer, parameter :: n = 64\n"
               "  real(kind_of_nowhere) :: unknown(n)\n  type cell\n    real(kind_of_nowhere) :: x\n    integer :: id\n"
               "  contains\n    procedure :: mark\n  end type\ncontains\n  subroutine mark(this)\n"
               "    class(cell), intent(inout) :: this\n    this%id = n\n  end subroutine\nend module\n")
    work.write("kernels.cuf", KERNELS.replace("use constants", "use fields"))
    work.write("p.cuf", "program p\n  use kernels\n  use fields, only: cell, unknown\n  implicit none\n  real, device :: a(n)\n"
               "  type(cell) :: c\n  call c%mark()\n  c%x = 1\n  unknown(1) = from_nowhere(2)\n  a = 1\n"
               "  call scale<<<1, n>>>(a, 2)\nend program\n")
    status, found, _ = checked(work, ".")
    equal((status, found), (1, ["fields.cuf:2 CUF1103", "p.cuf:11 CUF1213"]), "one message for the module, and what is wrong")


def errors_that_are_none(work):
    """flang refuses an element of an assumed-shape array for a buffer of MPI and writes no module file; the interface is whole."""
    work.write("common.f90", "module common\n  use nowhere\n  integer :: count\nend module\n")
    work.write("exchange.f90", "module exchange\n  use mpi\n  use common, only: count\ncontains\n  subroutine send(x)\n"
               "    real, intent(in) :: x(:, :)\n    integer :: error\n    call mpi_send(x(1, 2), count, MPI_REAL, 0, 0, MPI_COMM_WORLD, error)\n"
               "  end subroutine\nend module\n")
    work.write("p.f90", "program p\n  use exchange\n  use cudafor\n  real, device :: a(3)\n  call send([1.0])\nend program\n")
    equal(checked(work, ".")[1], ["common.f90:2 CUF1103", "p.f90:5 CUF1213"], "no module but the one that is missing is complained of")


def bodies_in_included_files(work):
    work.write("body.inc", "subroutine one(x)\n  real :: x\n  x = 'text'\nend subroutine\n")
    work.write("m.F90", "module m\n  use cudafor\n  integer :: n = 3\ncontains\n#include \"body.inc\"\nend module\n")
    work.write("p.f90", "program p\n  use m\n  use cudafor\n  n = 4\n  call one(n)\nend program\n")
    equal(checked(work, ".")[1], ["body.inc:3 CUF1204", "p.f90:5 CUF1213"], "errors in bodies concern nobody else")


def origins_of_modules(work):
    work.write("p.cuf", "".join(f"subroutine s{i}\n  use {name}\nend subroutine\n" for i, name in enumerate(["netcdf", "decomp_2d_io", "petscksp"])))
    said = work.run("check", "p.cuf", "--no-cache").stdout
    check("-I/usr/include" in said and "2DECOMP&FFT" in said and "petscdir" in said, said)


def procedures_of_modules_that_are_not_there(work):
    """They may be kernels, device procedures, or specific procedures of a generic name."""
    work.write("a.cuf", "module a\n  use nowhere\n  implicit none\n  interface total\n    module procedure ours\n    procedure theirs\n"
               "  end interface\ncontains\n  real function ours(x)\n    integer, intent(in) :: x\n    ours = x\n  end function\n"
               "  attributes(global) subroutine k(x)\n    real :: x(n)\n    call helper(x)\n    x(1) = weight(x(1)) + table(3)\n"
               "  end subroutine\n  subroutine host(x)\n    real, device :: x(10)\n    call far<<<1, 1>>>(x)\n  end subroutine\nend module\n")
    work.write("b.cuf", "module b\n  use a\n  implicit none\ncontains\n  attributes(global) subroutine mine(x)\n    real :: x(10)\n"
               "    call helper(x)\n    x(1) = .not. 1.0\n  end subroutine\n  subroutine start(x)\n    real, device :: x(10)\n"
               "    print *, total(1.5)\n    call far<<<1, 1>>>(x)\n  end subroutine\nend module\n")
    equal(checked(work, ".")[1], ["a.cuf:2 CUF1103", "b.cuf:8 CUF1203"], "what may be there is not told of")


def libraries_behind_modules(work):
    """A source that knows the library's modules only through one of the project's reads the same ones, wherever MPI is installed."""
    work.write("a.f90", "module a\n  use mpi\nend module\n")
    work.write("b.f90", "module b\n  use a\n  integer :: i = 1\nend module\n")
    work.write("c.f90", "program c\n  use b\n  use a\n  implicit none\n  x = 1\nend program\n")
    equal(checked(work, "c.f90")[1], ["c.f90:5 CUF1101"], "nothing is wrong with the modules")


def modules_of_one_name(work):
    """Each program of a project means the modules of its own folder, also through other modules."""
    for folder, name in (("one", "first"), ("two", "second"), ("three", "third")):
        work.write(f"{folder}/tools.cuf", f"module tools\n  integer, parameter :: {name} = 1\nend module\n")
        work.write(f"{folder}/middle.cuf", f"module {folder}_middle\n  use tools\nend module\n")
        work.write(f"{folder}/main.cuf", f"program {folder}\n  use {folder}_middle\n  implicit none\n  print *, {name}\nend program\n")
    equal(checked(work, "."), (0, [], (9, 0)), "first")
    equal(checked(work, "."), (0, [], (0, 9)), "again")
    work.replace("two/tools.cuf", "second", "other")
    equal(checked(work, "."), (1, ["main.cuf:4 CUF1101"], (3, 6)), "a name that is gone")


def folders_together(work):
    """Files of several folders without a project find each other's modules."""
    work.write("src/constants.cuf", CONSTANTS)
    work.write("kernels/kernels.cuf", KERNELS)
    work.write("app/p.cuf", PROGRAM)
    equal(checked(work, "src", "kernels", "app/p.cuf"), (0, [], (3, 0)), "together")
    equal(checked(work, "app/p.cuf", "kernels/kernels.cuf", "src/constants.cuf"), (0, [], (0, 3)), "as files")
    status, found, _ = checked(work, "app/p.cuf")
    equal((status, found[0]), (1, "p.cuf:2 CUF1103"), "one folder alone")
    work.write("cufls.json", {"targets": {"p": {"sources": ["*/*.cuf"]}}, "diagnostics": {"NO": "off"}})
    done = work.run("check", "--format=json", "src/constants.cuf", "app/p.cuf")
    equal([each["code"] for each in json.loads(done.stdout)["diagnostics"]], ["CUF0125"], "one project, read once")


def operands(work):
    project(work)
    work.write("empty/notes.txt", "nothing\n")
    work.write("tool.c", "int main(void) { return 0; }\n")
    for arguments, code in ((["empty"], "CUF0151"), (["tool.c"], "CUF0152"), (["absent.cuf"], "CUF0011"),
                            (["--frob"], "CUF0001"), (["--allow=NO", "p.cuf"], "CUF"), (["-j", "0", "p.cuf"], "CUF0003")):
        done = work.run("check", *arguments)
        equal(done.returncode, 2, arguments)
        check(code in done.stdout + done.stderr, f"{arguments}: {done.stdout}{done.stderr}")
    equal(work.run("check", "--help").returncode, 0, "--help")
    check("error: cufls has no command 'frob'" in work.run("frob").stderr and "cufc:" not in work.run("frob").stderr, "frob")
    work.write("cufls.json", "{")
    done = work.run("check", "--format=json")
    equal((done.returncode, [each["code"] for each in json.loads(done.stdout)["diagnostics"]]), (2, ["CUF0121"]),
          "a broken project file")


def settings(work):
    work.write("w.cuf", "program w\n  integer :: unused\nend program\n")
    one = lambda *arguments: work.run("check", "--no-cache", *arguments, "w.cuf")
    equal(one().returncode, 0, "a hint alone")
    check("unused" in one().stdout, one().stdout)
    code = re.search(r"\[(CUF\d+)\]", one().stdout)[1]
    equal(one(f"--allow={code}").stdout, "", "--allow")
    equal(one(f"--error={code}").returncode, 1, "--error")
    equal(one(f"--warn={code}", "--werror").returncode, 1, "--werror")
    work.write("cufls.json", {"targets": {"w": {"sources": ["w.cuf"]}}, "diagnostics": {code: "error"}})
    equal(one().returncode, 1, "cufls.json")
    work.replace("w.cuf", ":: unused", f":: unused ! cufls: allow {code} because it is kept for later")
    equal(one().stdout, "", "a comment")


def flags(work):
    work.write("f.CUF", "program f\n#ifndef SIZE\n  call undefined(\n#endif\nend program\n")
    equal(work.run("check", "f.CUF").returncode, 1, "without the macro")
    equal(work.run("check", "f.CUF", "--", "-DSIZE=3").returncode, 0, "with it")


SUBMODULE = """submodule (m) s
contains
  attributes(device) subroutine prints(a)
    real :: a(*)
    real, save :: kept
    integer :: unit
    open (10)
    write (10, *) a(1)
    if (a(1) > 0) write (unit=unit, fmt=*) a(1)
    write (unit=*, fmt=*) a(1)
    read (10, *) a(2)
    inquire (10, number=unit)
    rewind 10
    backspace (10)
    endfile (10)
    close (10)
  end subroutine
end submodule
"""


def submodules_elsewhere(work):
    """flang warns of nothing in a submodule whose module comes from a module file; what is an error of ours is one there
    too, at the same places as in one file."""
    module = "module m; contains; subroutine p; end subroutine; end module\n"
    work.write("apart/m.cuf", module)
    work.write("apart/s.cuf", "\n" + SUBMODULE)
    work.write("together/s.cuf", module + SUBMODULE)
    apart, together = (checked(work, f"{folder}/s.cuf")[1] for folder in ("apart", "together"))
    equal(apart, ["s.cuf:6 CUF0250", *(f"s.cuf:{line} CUF0208" for line in (8, 9, 10, 12, 13, 14, 15, 16, 17))], "apart")
    equal(together, apart, "in one file")


def fix(work):
    text = ("subroutine s(h)\n  integer :: h(3), first, i, second\n  integer :: third\n"
            "  h = [(i, i = 1, 3)]\n  first = 1\nend subroutine\n")
    mended = ("subroutine s(h)\n  integer :: h(3), first, i\n"
              "  h = [(i, i = 1, 3)]\n  first = 1\nend subroutine\n")
    for end in ("\n", "\r\n"):
        path = work.root / "f.cuf"
        path.write_bytes(text.replace("\n", end).encode())
        path.chmod(0o640)
        done = work.run("check", "--fix", "f.cuf")
        equal((done.returncode, done.stderr.splitlines()[-1]), (0, "cufls: 2 fixes in 1 file"), "--fix")
        equal(path.read_bytes(), mended.replace("\n", end).encode(), "mended")
        equal(stat.S_IMODE(path.stat().st_mode), 0o640, "mode")
    check("CUF0501" not in work.run("check", "f.cuf").stdout, "it is gone")
    work.write("f.cuf", text)
    equal(work.run("check", "--fix", "--allow=CUF0501", "f.cuf").stderr, "cufls: 0 fixes in 0 files\n", "--allow")
    equal((work.root / "f.cuf").read_text(), text, "what is not shown is not mended")
    work.write("e.cuf", "module e\ncontains\n  integer function one(i)\n    integer, value :: i\n    one = i\n  end function\n"
               "  attributes(global) subroutine k(a)\n    integer :: a(*)\n    a(1) = one(1)\n    a(2) = one(2)\n"
               "  end subroutine\nend module\n")
    equal(work.run("check", "e.cuf").returncode, 1, "a host function in device code, twice")
    equal(work.run("check", "--fix", "e.cuf").returncode, 0, "one fix for both")
    check("attributes(host, device) integer function one" in (work.root / "e.cuf").read_text(), "the fix")


def watch(work):
    project(work)
    process = work.start("check", "--watch", "--no-cache", "a_kernels.cuf", "p.cuf")

    def wait(pattern):
        for line in process.stdout:
            if re.search(pattern, line):
                return line
        raise AssertionError(f"the watch ended before {pattern}")

    try:
        wait("^watching 2 files")
        work.replace("a_kernels.cuf", "* f", "* g")
        check("CUF1301" in wait(r"a_kernels.cuf:7:\d+: warning"), "a name without a value")
        wait("whole file after")
        work.replace("a_kernels.cuf", "* g", "+ f")
        wait(r"a_kernels.cuf: 0 messages, whole file")
        work.replace("a_kernels.cuf", "real, value", "real(8), value")
        wait(r"p.cuf:5:\d+: error")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def what_systems_do(work):
    work.write("p.cuf", "program p\nend program\n")
    work.good()
    program = next(path for path in (work.root / "build").rglob("p") if path.is_file())
    with open(next((work.root / "build").rglob("lock")), "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = work.start("build")
        time.sleep(1)
        equal(process.poll(), None, "a build while another one works")
        fcntl.flock(lock, fcntl.LOCK_UN)
        check("CUF0139" in process.communicate()[1], "CUF0139")
    program.chmod(program.stat().st_mode & ~(stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH))
    done = work.run("run", "p")
    check(done.returncode != 0 and "CUF0144" in done.stdout + done.stderr, done.stdout + done.stderr)


if __name__ == "__main__":
    main([order_and_cache, modules_with_errors, modules_that_lack_others, errors_that_are_none, bodies_in_included_files, origins_of_modules, procedures_of_modules_that_are_not_there, libraries_behind_modules, modules_of_one_name, folders_together, operands, settings, flags, submodules_elsewhere, fix, watch, what_systems_do])
