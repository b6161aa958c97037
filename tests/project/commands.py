#!/usr/bin/env python3
"""Mistakes in cufls.json at their places, compile_commands.json, `cufls run`, `cufls doctor` and `cufls schema`, and the
options of these commands.

Usage: commands.py [--cufc PATH] [-v] [WORD...]      WORDs select cases by name; CUFC in the environment is the default
"""

import json
import os
import re
import signal
import time
from pathlib import Path

from workspace import check, equal, main

HELLO = "program hello\n  print '(a)', 'hello'\nend program\n"
# Writes beside the end of a row, which is the next one's start.
WRONG = """module fills
contains
  attributes(global) subroutine fill(a, i)
    integer :: a(8, 8)
    integer, value :: i
    a(i, 1) = 1
  end subroutine
end module
program wrong
  use fills
  integer, device :: a(8, 8)
  integer :: values(8, 8)
  call fill<<<1, 1>>>(a, 9)
  values = a
end program
"""
DOCS = Path(__file__).resolve().parents[2] / "docs/project.md"


def diagnostics(work, *arguments, **more):
    """Status, and 'file:line:column code' of each diagnostic of `cufls build --format=json`."""
    done = work.run("build", "--format=json", *arguments, **more)
    found = json.loads(done.stdout)["diagnostics"]
    return done.returncode, [f"{os.path.basename(each['file'])}:{each['line']}:{each['column']} {each['code']}"
                             if each["file"] else each["code"] for each in found]


def project_mistakes(work):
    work.write("p.cuf", HELLO)
    for text, wanted in (
            ('{"targets": {"p": {"sources": ["p.cuf"],}}}', "cufls.json:1:41 CUF0121"),
            ('{"targets":\n  {"p": {"surces": ["p.cuf"]}}}', "cufls.json:2:10 CUF0122"),
            ('{"targets": {"p": {"sources": ["p.cuf"], "flags": "-O3"}}}', "cufls.json:1:51 CUF0123"),
            ('{"targets": {"p": {"sources": ["p.cuf"]}, "p": {"sources": ["p.cuf"]}}}', "cufls.json:1:43 CUF0124"),
            ('{"gpu": "cc1"}', "cufls.json:1:9 CUF0125"),
            ('{"targets": {"p": {"sources": ["q.cuf"]}}}', "cufls.json:1:32 CUF0126"),
            ('{"targets": {"p": {"sources": ["q/*.cuf"]}}}', "cufls.json:1:32 CUF0127"),
            ('{"targets": {"p": {"sources": []}}}', "cufls.json:1:14 CUF0128"),
            ('{"targets": {"p": {"sources": ["p.cuf"], "flags": ["-frob"]}}}', "cufls.json:1:52 CUF0001"),
    ):
        work.write("cufls.json", text)
        status, found = diagnostics(work)
        equal(status, 2, text)
        check(wanted in found, f"{text}: {found}")
    work.write("cufls.json", '{"targets": {"p": {"sources": ["p.cuf"]}}, "include": ["no"]}')
    equal(diagnostics(work), (0, ["cufls.json:1:56 CUF0129"]), "a warning alone")


def module_mistakes(work):
    work.write("p.cuf", "program p\n  use kernls\nend program\n")
    work.write("kernels.cuf", "module kernels\nend module\n")
    done = work.run("build")
    equal(done.returncode, 1, "status")
    check("p.cuf:2:7: error" in done.stderr and "did you mean 'kernels'" in done.stderr, done.stderr)
    work.write("p.cuf", "program p\n#ifdef MPI\n  use mpi\n#endif\nend program\n")
    check(work.run("build").returncode in (0, 1), "a module under #ifdef")
    check("CUF0133" not in work.run("build").stderr, "a module under #ifdef is not missed")
    (work.root / "kernels.cuf").unlink()
    for folder in "ac":
        work.write(f"{folder}/kernels.cuf", "module kernels\nend module\n")
    work.write("p.cuf", "program p\nend program\n")
    work.write("b/p.cuf", "program q\n  use kernels\nend program\n")
    equal(diagnostics(work), (1, ["p.cuf:2:7 CUF0134"]), "two modules of one name")


def options_of_commands(work):
    work.write("p.cuf", HELLO)
    for arguments, code in ((["build", "--frob"], "CUF0001"), (["build", "-j", "none"], "CUF0003"),
                            (["build", "-j"], "CUF0002"), (["build", "--format=xml"], "CUF0003"),
                            (["build", "nowhere"], "CUF0011"), (["build", ".", "."], "CUF0142"),
                            (["build", "--target", "q"], "CUF0135"), (["run", "--device=moon", "p.cuf"], "CUF0003"),
                            (["run", "q.cuf"], "CUF0011"), (["run", "--frob"], "CUF0001"), (["run", "q"], "CUF0135"),
                            (["doctor", "--format=sarif"], "CUF0003"), (["doctor", "-x"], "CUF0001"),
                            (["schema", "x"], "CUF0142"), (["frob"], "CUF0022")):
        done = work.run(*arguments)
        equal(done.returncode, 2, arguments)
        check(code in done.stderr, f"{arguments}: {done.stderr}")
    for command in ("build", "run", "doctor", "schema"):
        done = work.run(command, "--help")
        check(done.returncode == 0 and "usage" in done.stdout, done.stdout)
    (work.root / "empty").mkdir()
    (work.root / "empty/.git").mkdir()
    done = work.run("build", cwd="empty")
    equal((done.returncode, "CUF0136" in done.stderr), (2, True), "an empty folder")


def compile_commands(work):
    work.write("src/m.f90", "module m\n#ifdef N\n  integer :: i = N\n#endif\nend module\n")
    work.write("src/p.f90", "program p\n  use m\n  use cudafor\n  integer, device :: d\n  d = i\n  i = d\n"
                            "  print '(i0)', i\nend program\n")
    work.write("src/unrelated.c", "#error\n")
    entries = [{"directory": str(work.root), "file": f"src/{name}", "command": f"nvfortran {flags} -c src/{name} -o x.o"}
               for name, flags in (("p.f90", "-cuda -gpu=cc90,cuda12.6 -Mcache_align -Mnonsense"), ("m.f90", "-DN=7 -Mpreprocess"),
                                   ("unrelated.c", ""))]
    work.write("compile_commands.json", entries)
    build = work.good()
    equal(build.compiled, ["src/m.f90", "src/p.f90"], "compiled")
    check("-Mnonsense: " in build.text and "cuda12.6" not in build.text, build.text)
    equal(work.output("build/cufls/p"), ["7"], "output")
    work.write("compile_commands.json", "[{}]")
    equal(diagnostics(work)[1], ["compile_commands.json:1:2 CUF0123"], "an entry without a file")


def run_program(work):
    work.write("cufls.json", {"targets": {"app": {"sources": ["app.cuf", "m.cuf"]}, "lib": {"sources": ["m.cuf"]}}})
    work.write("m.cuf", "module m\n  integer :: status = 3\nend module\n")
    work.write("app.cuf", "program app\n  use m\n  character(20) :: text, argument\n  read '(a)', text\n"
                          "  call get_command_argument(1, argument)\n  print '(a)', trim(text) // trim(argument)\n"
                          "  stop status, quiet=.true.\nend program\n")
    for what in (["app"], ["app.cuf"], []):
        done = work.run("run", *what, "--device=host", "--", "-x", stdin="in")
        equal((done.returncode, done.stdout), (3, "in-x\n"), what)
    work.write("kernel.cuf", "program kernel\n  integer, device :: x(10)\n  integer :: i\n  !$cuf kernel do <<<*, *>>>\n"
                             "  do i = 1, 10\n    x(i) = i\n  end do\nend program\n")
    report = work.run("run", "kernel.cuf", "--device=host", "--report").stderr
    check(re.search(r"^cufrt: ran on the CPU, \d+ threads?\n  kernel +calls +total ms +mean ms\n  main program, line 4 +1 +\d+\.\d+ +\d+\.\d+$",
                    report, re.M), report)
    check("ran on" not in work.run("run", "kernel.cuf", "--device=host").stderr, "a report that nobody asked for")
    os.chmod(work.root / "build/cufls/app", 0o644)
    check("CUF0144" in work.run("run", "app").stderr, "a program that may not run")
    equal(work.run("run", "lib").returncode, 2, "a library")
    check("CUF0137" in work.run("run", "lib").stderr, "a library")
    check("CUF0143" in work.run("run", "m.cuf").stderr, "a source without a main program")
    broken = work.write("broken.cuf", "program p\n  x = \nend program\n")
    equal(work.run("run", broken).returncode, 1, "a source with an error")


def run_file(work):
    cache = {"XDG_CACHE_HOME": str(work.root / "cache")}
    work.write("work/.git/x", "")
    work.write("work/hello.cuf", HELLO)
    work.write("work/uses.cuf", "program uses\n  use m\n  print '(i0)', i\nend program\n")
    work.write("work/m.cuf", "module m\n  integer :: i = 4\nend module\n")
    equal(work.run("run", "work/hello.cuf", env=cache).stdout, "hello\n", "a file")
    equal(work.run("run", "work/uses.cuf", env=cache).stdout, "4\n", "a file with a module")
    equal(sorted(path.name for path in (work.root / "work").iterdir()), [".git", "hello.cuf", "m.cuf", "uses.cuf"],
          "the folder stays as it was")
    work.write("work/wrong.cuf", WRONG)
    done = work.run("run", "work/wrong.cuf", "--check", env=cache)
    equal((done.returncode, "wrong.cuf:6:" in done.stderr, "subscript 1 of array 'a' is 9" in done.stderr), (1, True, True),
          "a program with checks")
    equal(work.run("run", "work/wrong.cuf", "--device=host", env=cache).returncode, 0, "the same without")
    program = work.run("run", "work/hello.cuf", "-g", "--print-program", env=cache).stdout.strip()
    check(b".debug_info" in Path(program).read_bytes(), "a program with debug information")
    equal(work.run("run", "work/hello.cuf", "--debugger=echo", "--", "x", env=cache).stdout,
          f"-q --args {program} x\n", "a debugger")
    done = work.run("run", cwd="work", env=cache)
    equal((done.returncode, "CUF0138" in done.stderr), (2, True), "two programs")


def run_signals(work):
    work.write("wait.cuf", "program wait\n  print '(a)', 'ready'\n  flush (6)\n  do\n  end do\nend program\n")
    process = work.start("run", "wait.cuf")
    equal(process.stdout.readline(), "ready\n", "output")
    process.send_signal(signal.SIGTERM)
    start = time.monotonic()
    process.wait(timeout=20)
    check(process.returncode == -signal.SIGTERM and time.monotonic() - start < 10, f"status {process.returncode}")


def diagnostics_as_data(work):
    """Beside the text for people; what the program prints itself is none, whatever it looks like."""
    file = work.root / "found"
    work.write("p.cuf", "program p\n  implicit none\n  print *, nn\nend program\n")
    for command in (("build",), ("run", "p.cuf")):
        file.unlink(missing_ok=True)
        done = work.run(*command, f"--diagnostics-to={file}")
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        equal([(line["file"], line["line"], line["column"], line["severity"]) for line in lines], [("p.cuf", 3, 12, "error")], command[0])
        check(lines[0]["message"] in done.stderr, done.stderr)
    file.unlink()
    work.write("p.cuf", "program p\n  write (0, '(a)') 'p.cuf:1:2: error: made up'\nend program\n")
    done = work.run("run", "p.cuf", f"--diagnostics-to={file}")
    equal((done.returncode, "made up" in done.stderr, file.exists()), (0, True, False), "a program's own words")
    work.run("flags", "--from=cmake", f"--diagnostics-to={file}")
    equal([json.loads(line)["severity"] for line in file.read_text().splitlines()], ["error"], "flags")


def doctor(work):
    done = work.run("doctor", "--format=json", env={"CUDA_HOME": "/nonexistent"})
    report = json.loads(done.stdout)
    equal((done.returncode, report["able"]), (0, True), "a complete installation")
    checks = {each["name"]: each for each in report["checks"]}
    equal(checks["CUDA Toolkit"]["state"], "absent", "CUDA Toolkit")
    check("CUDA_HOME" in checks["CUDA Toolkit"]["advice"], "advice")
    equal(checks["a program"]["state"], "good", "a program")
    empty = work.run("doctor", env={"PATH": "/nonexistent"})
    equal(empty.returncode, 1, "without a C compiler")
    check("broken cc" in empty.stdout and "-> install" in empty.stdout, empty.stdout)


def schema(work):
    text = work.run("schema").stdout
    value = json.loads(text)
    shipped = Path(work.cufls).parent.parent / "lib/cufc/cufls.schema.json"
    equal(shipped.read_text(), text, "the shipped schema")
    keys = set(value["properties"]) | set(value["properties"]["targets"]["additionalProperties"]["properties"])
    if DOCS.exists():
        missing = [key for key in keys if f"`{key}`" not in DOCS.read_text()]
        equal(missing, [], f"keys that {DOCS.name} lacks")


if __name__ == "__main__":
    main([project_mistakes, module_mistakes, options_of_commands, compile_commands, run_program, run_file, run_signals,
          diagnostics_as_data, doctor, schema])
