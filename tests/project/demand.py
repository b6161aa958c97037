#!/usr/bin/env python3
"""What a file costs and what it means: `cufls check FILE` reads what the file needs, finds modules by name, the nearest
first, and says nothing of what only lies around it.

Usage: demand.py [--cufc PATH] [-v] [WORD...]      WORDs select cases by name; CUFC in the environment is the default
"""

import json
import os
import sys
import time
from pathlib import Path

from workspace import check, equal, main

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/bench"))
import many_sources  # noqa: E402

MODULE = "module m\n  integer, parameter :: {} = 1\nend module\n"
USER = "program {0}\n  use m\n  implicit none\n  print *, {0}\nend program\n"


def checked(work, *arguments):
    """Status, and 'file:line code' of each error."""
    done = work.run("check", "--format=json", *arguments, env={"XDG_CACHE_HOME": str(work.root / "cache")})
    found = [f"{os.path.relpath(work.root / each['file'], work.root) if each['file'] else ''}:{each['line']} {each['code']}"
             for each in json.loads(done.stdout)["diagnostics"] if each["severity"] == "error"]
    return done.returncode, found


def compiler_modules(work):
    """A file that merely lies there never replaces a module of the compiler."""
    library = Path(work.cufls).parent.parent / "lib" / "cufc" / "modules"
    names = [file.stem for file in library.glob("*.mod") if not file.stem.startswith("__")]
    # Of the CUDA libraries' modules many projects have one of their own, which counts.
    libraries = {file.stem for file in (ROOT / "compiler/tables/libraries").glob("*.toml")} | {"curand_device"}
    ours = sorted(set(names) - {"flang_debug", "mma", "iso_fortran_env_impl"} - libraries)
    check("cudafor" in ours and len(ours) > 8, ours)
    for name in ours:
        work.write(f"deep/{name}.f90", f"module {name}\n  integer :: broken = (\nend module\n")
    work.write("one.cuf", "program one\n" + "".join(f"  use {name}\n" for name in ours) + "end program\n")
    equal(checked(work, "one.cuf"), (0, []), "a file alone")
    equal(checked(work, "."), (0, []), "the folder")
    work.write("cudafor.f90", "module cudafor\n  integer :: mine\nend module\n")
    work.write("two.cuf", "program two\n  use cudafor\n  implicit none\n  mine = 1\nend program\n")
    status, found = checked(work, "two.cuf")
    equal((status, found), (1, ["two.cuf:4 CUF1101"]), "beside it")
    equal(checked(work, "two.cuf", "cudafor.f90"), (0, []), "asked for")


def nearest(work):
    """The same folder, then the fewest steps; files of one name are no copies of each other."""
    for folder in ("v1", "v2"):
        work.write(f"{folder}/m.f90", MODULE.format(folder))
        work.write(f"{folder}/main.cuf", USER.format(folder).replace(f"program {folder}", "program p"))
        work.write(f"{folder}/tools/deep.cuf", USER.format(folder).replace(f"program {folder}", "program q"))
    work.write("v2/m.f90", (work.root / "v2/m.f90").read_text().replace("= 1", "= 2 ! attributes(device)"))
    for path in ("v1/main.cuf", "v2/main.cuf", "."):
        equal(checked(work, path), (0, []), path)


def one_file_named(work):
    """Two programs with a module of the same name each, in a folder: what the other one is does not matter."""
    for name in ("one", "two"):
        work.write(f"{name}.cuf", MODULE.format(name) + USER.format(name).replace(f"program {name}", f"program p{name}"))
    work.write("zcopy.cuf", MODULE.format("old"))
    for path in ("one.cuf", "two.cuf", "zcopy.cuf", "."):
        equal(checked(work, path), (0, []), path)
    (work.root / "two.cuf").unlink()
    equal(checked(work, "zcopy.cuf"), (0, []), "a copy beside the only program")
    equal(work.run("build").returncode, 0, "the program alone is built")


def ambiguous(work):
    work.write("k.cuf", MODULE.format("now"))
    work.write("k_old.cuf", MODULE.format("then"))
    work.write("main.cuf", USER.format("now").replace("program now", "program p"))
    equal(checked(work, "main.cuf"), (1, ["main.cuf:2 CUF0134"]), "nobody knows which one")
    equal(checked(work, "."), (1, ["main.cuf:2 CUF0134"]), "in the folder, once")
    equal(checked(work, "main.cuf", "k.cuf", "k_old.cuf"), (1, ["main.cuf:2 CUF0134"]), "as files")
    work.write("other.cuf", "program other\n  call hello\nend program\nsubroutine hello\n  print '(a)', 'hello'\nend subroutine\n")
    done = work.run("run", "--device=host", "other.cuf", env={"XDG_CACHE_HOME": str(work.root / "cache")})
    equal((done.returncode, done.stdout.split()), (0, ["hello"]), f"a program beside runs: {done.stderr}")


def plain_modules(work):
    """Modules of plain Fortran, without a program."""
    work.write("a.f90", "module a\n  implicit none\n  real :: x\nend module\n")
    work.write("b.f90", "module b\n  use a\n  implicit none\ncontains\n  subroutine s\n    x = y\n  end subroutine\nend module\n")
    equal(checked(work, "."), (1, ["b.f90:6 CUF1101"]), "the folder")
    equal(checked(work, "b.f90"), (1, ["b.f90:6 CUF1101"]), "a file")
    work.write("src/main.cuf", "program p\n  use c\n  use b\nend program\n")
    work.write("src/parts/c.f90", "module c\n  use d\nend module\n")
    work.write("src/d.F90", "#define N 3\nmodule d\n  integer :: n(N)\nend module\n")
    status, found = checked(work, "src/main.cuf")
    equal((status, found), (1, ["src/main.cuf:3 CUF1103"]), "what lies above is not looked at")


def in_included_files(work):
    """Modules of included files are those of the sources that include them; what such files use is needed first."""
    work.write("parts/m.inc", MODULE.format("inner") + "#include \"n.h\"\n")
    work.write("parts/n.h", "module n\n  use base\ncontains\n  integer function f()\n    f = of_base + 1\n  end function\nend module\n")
    work.write("parts/uses.inc", "  use m\n  use n\n")
    work.write("zbase.cuf", "module base\n  integer, parameter :: of_base = 41\nend module\n")
    work.write("zholder.CUF", "include 'parts/m.inc'\nsubroutine nothing\nend subroutine\n")
    work.write("main.cuf", "program p\n  include 'parts/uses.inc'\n  implicit none\n  if (f() /= 42 .or. inner /= 1) error stop\nend program\n")
    for path in ("main.cuf", "zholder.CUF", "."):
        equal(checked(work, path), (0, []), path)
    equal(work.run("build").returncode, 0, "build")
    equal(work.run("run", "main.cuf").returncode, 0, "run")
    done = work.run("main.cuf", "zholder.CUF", "zbase.cuf", "-o", "p", program=Path(work.cufls).with_name("cufc"))
    equal(done.returncode, 0, f"the compiler's order of sources: {done.stderr}")
    # What is a source itself is one: the file that includes it, and has its own copy, is not meant.
    work.write("copy.f90", MODULE.format("copied").replace("module m", "module copy"))
    work.write("other.cuf", "include 'copy.f90'\nprogram q\n  use copy\n  print *, copied\nend program\n")
    work.write("third.cuf", "program r\n  use copy\n  print *, copied\nend program\n")
    for paths in (["other.cuf"], ["third.cuf", "copy.f90"], ["other.cuf", "third.cuf", "copy.f90"], ["."]):
        equal(checked(work, *paths), (0, []), paths)


def cuda_by_declaration(work):
    """A plain suffix, and nothing but a declaration says that it is CUDA Fortran."""
    work.write("p.f90", "program p\n  implicit none\n  real, allocatable, device :: x(:)\n  allocate(x(10))\n  x = 1.0\nend program\n")
    equal(checked(work, "p.f90"), (0, []), "a file")
    equal(checked(work, "."), (0, []), "the folder")


def free_form_by_text(work):
    """Files named *.F in free form, as some projects have them with -ffree-form."""
    work.write("fields.F", "module fields\nimplicit none\nreal :: x = 1.0\nend module\n")
    work.write("main.F", "program main\nuse fields\nimplicit none\nreal, device :: y\ny = x\nprint *, x, &\n  x\nend program\n")
    work.write("old.f", "c     fixed form\n      subroutine s(x)\n      real x\n      x = 1.0\n      end\n")
    equal(checked(work, "."), (0, []), "a folder")
    equal(checked(work, "main.F"), (0, []), "a file")


def many(work):
    """A large folder: what is kept serves the next time, changes are seen, and one file costs nothing of it."""
    many_sources.generate(work.root, 3000)
    equal(checked(work, "one.cuf"), (0, []), "a file that needs none of them")
    check(not (work.root / "cache/cufls/scans").exists(), "nothing was looked through")
    work.write("far.cuf", "program far\n  use part_1\n  use part_2\nend program\n")
    work.write("one.cuf", "program one\n  use solver\n  implicit none\n  real, device :: a(n)\n"
                          "  call step<<<1, n>>>(a)\nend program\n")
    equal(checked(work, "one.cuf"), (0, []), "modules of subfolders")
    check(any((work.root / "cache/cufls/scans").iterdir()), "the scan is kept")
    work.replace("app/parts/grid.f90", ":: n", ":: rows")
    status, found = checked(work, "one.cuf")
    check(status == 1 and found, "a change is seen")
    work.write("app/parts/other.f90", "module extra\nend module\n")
    work.replace("one.cuf", "  use solver\n", "  use solver\n  use extra\n  use grid, n => rows\n")
    work.replace("app/solver.cuf", "use grid", "use grid, n => rows")
    equal(checked(work, "one.cuf"), (0, []), "a new file, and renamed names")
    (work.root / "app/parts/other.f90").unlink()
    equal(checked(work, "one.cuf"), (1, ["one.cuf:3 CUF1103"]), "a file that is gone")
    for scan in (work.root / "cache/cufls/scans").iterdir():
        scan.write_bytes(scan.read_bytes()[:-7])
    begin = time.monotonic()
    equal(checked(work, "one.cuf"), (1, ["one.cuf:3 CUF1103"]), "a damaged scan")
    check(time.monotonic() - begin < 60, "in time")


if __name__ == "__main__":
    main([compiler_modules, nearest, one_file_named, ambiguous, plain_modules, in_included_files, cuda_by_declaration, free_form_by_text, many])
