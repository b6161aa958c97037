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
    done = work.run("check", "-v", "--format=json", *arguments, env={"XDG_CACHE_HOME": str(work.root / "cache")})
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
    work.write("a_kernels.cuf", KERNELS.replace("* f", "* undeclared(1)"))
    check(not any("CUF0150" in f for f in checked(work, "p.cuf")[1]), "errors in bodies concern nobody else")


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
    main([order_and_cache, modules_with_errors, modules_of_one_name, operands, settings, flags, watch, what_systems_do])
