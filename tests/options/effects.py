#!/usr/bin/env python3
"""What options do, looked at in code, files and runs: each step compiles a small source and checks its effect.

Usage: effects.py [WORD...]     WORDs select steps by name; CUFC in the environment is the compiler
"""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from sources import (BLOCK, CALLS, CONTRACTED, DIVIDES, GUARDED, INITIAL, KERNEL, LOOP, MEDIUM, OLD, PRETEND, RECORD, SAVED, STACK,
                     ZERO)

ROOT = Path(__file__).resolve().parents[2]
CUFC = Path(os.environ.get("CUFC") or ROOT / "build/bin/cufc").resolve()
STEPS = []


class Failure(Exception):
    """An effect that was expected and not seen."""


def step(function):
    STEPS.append(function)
    return function


def expect(condition, text: str) -> None:
    if not condition:
        raise Failure(text)


BARRIERS = """module kernels
contains
  attributes(global) subroutine between(x)
    real :: x(*)
    real, shared :: s(256)
    integer :: i
    i = threadIdx%x
    s(i) = 2*x(i)
    call syncthreads()
    x(i) = s(257 - i)
  end subroutine
  attributes(global) subroutine apart(x)
    real :: x(*)
    if (threadIdx%x < 5) call syncthreads()
    x(threadIdx%x) = 0
  end subroutine
  attributes(global) subroutine plain(n, x, y)
    integer, value :: n
    real :: x(*)
    integer :: y(*)
    integer :: i, k
    i = threadIdx%x
    if (i <= n) then
      k = atomicadd(y(int(x(i))), 1)
    end if
  end subroutine
end module
"""


class Folder:
    """A folder of its own for one step."""

    def __init__(self, path: Path):
        self.path = path

    def write(self, name: str, text: str) -> None:
        (self.path / name).parent.mkdir(parents=True, exist_ok=True)
        (self.path / name).write_text(text)

    def run(self, *command, status=0, **environment) -> str:
        merged = {**os.environ, "CUF_DEVICE": "host", **environment}
        done = subprocess.run([str(word) for word in command], cwd=self.path, env=merged, text=True, check=False, timeout=120,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        expect(done.returncode == status, f"{command}: status {done.returncode}, not {status}\n{done.stdout[-3000:]}")
        return done.stdout

    def compile(self, source: str, *flags, name="a.cuf", status=0, **environment) -> str:
        self.write(name, source)
        return self.run(CUFC, name, *flags, status=status, **environment)

    def program(self, source: str, *flags, name="a.cuf", status=0, **environment) -> str:
        """What the compiled program prints."""
        self.compile(source, *flags, "-o", "app", name=name)
        return self.run("./app", status=status, **environment)

    def code(self, source: str, *flags, name="a.f90") -> str:
        """Machine code of the source."""
        self.compile(source, "-c", "-o", "a.o", *flags, name=name)
        return self.run("objdump", "-d", "--no-show-raw-insn", "a.o")


@step
def processors(work: Folder) -> None:
    expect("%ymm" not in work.code(LOOP), "code for every x86-64 has no AVX")
    for flag in ("-tp=haswell", "-march=x86-64-v3", "-mavx2"):
        expect("%ymm" in work.code(LOOP, flag), f"{flag}: AVX")
    expect("vfmadd" in work.code(CONTRACTED, "-tp=haswell"), "-tp=haswell fuses")
    for flag in ("-Mnofma", "-ffp-contract=off"):
        expect("vfmadd" not in work.code(CONTRACTED, "-tp=haswell", flag), f"{flag} does not")
    expect("vfmadd" not in work.code(CONTRACTED, "-mavx2"), "-mavx2 has no fused operations")
    said = work.compile(LOOP, "-c", "-o", "a.o", "-mtune=native", "-march=native", name="a.f90")
    expect(said == "", f"-mtune=native is this machine's processor: {said}")
    print(work.program(LOOP + CALLS, "-tp=native", name="a.f90").strip() or "-tp=native runs")


@step
def vectors_and_calls(work: Folder) -> None:
    packed = "mulps"
    expect(packed in work.code(LOOP), "loops are vectorised")
    for flag in ("-Mnovect", "-fno-tree-vectorize"):
        expect(packed not in work.code(LOOP, flag), f"{flag}: no vectors")
    expect("call" not in work.code(BLOCK), "procedures are inlined")
    expect("call" in work.code(BLOCK, "-Mnoinline"), "-Mnoinline: they are not")
    expect("reassoc" not in work.compile(LOOP, "--emit=llvm", "-o", "-", name="a.f90"), "arithmetic is exact")
    for flag, mark in (("-ffast-math", "fast"), ("-Ofast", "fast"), ("-fassociative-math", "reassoc"), ("-freciprocal-math", "arcp")):
        expect(re.search(rf"fmul.* {mark} |fadd.* {mark} ", work.compile(LOOP, flag, "--emit=llvm", "-o", "-", name="a.f90")),
               f"{flag}: {mark}")
    expect("frame-pointer" in work.compile(LOOP, "-Mframe", "--emit=llvm", "-o", "-", name="a.f90"), "-Mframe")


@step
def reports(work: Folder) -> None:
    said = work.compile(LOOP, "-c", "-Minfo=loop", name="a.f90")
    expect(re.search(r"a\.f90:\d+:\d+: note: vectorized loop", said), f"-Minfo=loop names the loop:\n{said}")
    missed = work.compile(CALLS.replace("print", "call other(); print"), "-c", "-Mneginfo=loop", name="a.f90")
    expect("note:" in missed, f"-Mneginfo says something:\n{missed}")
    expect("CUF0031" not in work.compile(LOOP, "-c", "-Minfo=accel", name="a.f90"), "-Minfo=accel is about kernels")
    work.compile(LOOP, "-c", "-Minfo=all", "-o", "a.o", name="a.f90")
    expect(".debug_line" not in work.run("objdump", "-h", "a.o"), "-Minfo leaves no lines in the object")
    said = work.compile(BARRIERS, "-c", "-O2", "-gpu=host", "-Minfo=loop")
    for kernel, form in (("apart", r"each thread by itself, .*may go different ways at line \d+"), ("between", "2 loops over the threads of a block, between barriers"),
                         ("plain", "a loop over the threads of a block")):
        expect(re.search(rf"note: kernel 'kernels::{kernel}' on the CPU: {form}.*CUF0032", said), f"-Minfo says how {kernel} runs:\n{said}")
    expect(re.search(r"a\.cuf:8:\d+: note: loop over the threads of a block: vectorized loop", said), f"-Minfo names the loop:\n{said}")
    expect(re.search(r"a\.cuf:24:\d+: note: loop over the threads of a block: loop not vectorized: ", said),
           f"-Minfo says what stops vectors:\n{said}")
    warned = "integer :: i\ni = 1.5d300\nend\n"
    expect("warning" in work.compile(warned, "-c", name="w.f90"), "a warning")
    expect("error" in work.compile(warned, "-c", "-Werror", name="w.f90", status=1), "-Werror makes it an error")


@step
def accelerator_beside_cuda(work: Folder) -> None:
    said = work.compile(KERNEL, "-Mcuda", "-ta=tesla:cc60,lineinfo", "--emit=ptx", "-o", "a.ptx")
    expect(said.count("CUF0030") == 2 and "OpenACC directives are comments" in said, f"a note, and one on the GPU:\n{said}")
    expect(".loc" in (work.path / "a.ptx").read_text(), "what -ta= says of the GPU is as in -gpu=")
    for flag in ("-ta=tesla:cc60", "-ta=nvidia"):
        expect("CUF0005" in work.compile(KERNEL, flag, "-c", status=1), f"{flag} alone asks for OpenACC on a GPU")
    expect("CUF0005" in work.compile(KERNEL, "-Mcuda", "-ta=radeon", "-c", status=1), "another maker's GPU")
    expect("did you mean -gpu=lineinfo?" in work.compile(KERNEL, "-gpu=lineinf", "-c", status=1), "a misspelt word of -gpu")
    expect("CUF0006" in work.compile(KERNEL, "-cuda", "-ta=tesla:cc60x9", "-c", status=1), "a GPU that does not exist")


@step
def traceback(work: Folder) -> None:
    said = work.program(DIVIDES, "-traceback", "-Ktrap=fp", "-O2", name="a.f90", status=-8)
    for place in (r"floating-point division by zero", r"at .*a\.f90:5, in divide", r"called at .*a\.f90:11, in through",
                  r"called at .*a\.f90:\d+, in the main program\n(?!  called)"):
        expect(re.search(place, said), f"-traceback lacks {place}:\n{said}")
    said = work.program(DIVIDES, "-traceback", name="a.f90", status=0)
    expect("Inf" in said, "without -Ktrap nothing traps")
    crash = "program p\ninteger, pointer :: x(:)\nnullify(x)\ncall s\ncontains\nsubroutine s\nx(7) = 1\nend subroutine\nend program\n"
    said = work.program(crash, "-fbacktrace", "-O1", name="c.f90", status=-11)
    expect(re.search(r"invalid address\n  at .*c\.f90:7", said), f"a null pointer:\n{said}")
    expect("cufrt" not in work.program(crash, "-O1", name="c.f90", status=-11), "without -traceback nothing is said")
    deep = "program p\nprint *, f(1)\ncontains\nrecursive integer function f(n) result(r)\ninteger, volatile :: a(8000)\n" \
           "integer, value :: n\na = n\nr = f(n + 1) + a(5)\nend function\nend program\n"
    said = work.program(deep, "-traceback", name="d.f90", status=-11)
    expect("d.f90:" in said and "the stack is full" in said, f"a stack that is used up:\n{said}")


@step
def traps(work: Folder) -> None:
    operations = {"divz": ("1.0d0/x(1)", "0", "division by zero"), "inv": ("sqrt(x(1))", "-1", "invalid"),
                  "ovf": ("x(1)*x(1)", "1d300", "overflow"), "unf": ("x(1)*x(1)", "1d-300", "underflow"),
                  "inexact": ("x(1)/3", "1", "inexact")}
    for name, (expression, value, words) in operations.items():
        source = f"program p\nreal(8), volatile :: x(1)\nx(1) = {value}\nx(1) = {expression}\nprint *, 'ran'\nend program\n"
        expect(words in work.program(source, f"-Ktrap={name}", "-traceback", name="t.f90", status=-8), f"-Ktrap={name}")
        expect("ran" in work.program(source, "-Ktrap=none", name="t.f90"), f"{name} without a trap")
    for level in ("-O0", "-O3"):
        expect("ran" in work.program(GUARDED, "-Ktrap=fp", level, "-tp=haswell", name="g.f90"),
               f"{level}: a guarded division does not trap")
    expect("PASS" in work.program(KERNEL.replace("value = 2.0", "value = 0.0"), "-Ktrap=fp"), "kernels do not trap")


@step
def denormal_numbers(work: Folder) -> None:
    source = "program p\nreal(8), volatile :: x\nx = 1d-310\nprint *, merge('kept   ', 'flushed', x*1d0 > 0)\n" \
             "x = 1d-200\nprint *, merge('kept   ', 'flushed', x*1d-110 > 0)\nend program\n"
    expect(work.program(source, name="d.f90").split() == ["kept", "kept"], "denormal numbers are kept")
    expect(work.program(source, "-Mdaz", name="d.f90").split()[0] == "flushed", "-Mdaz")
    expect(work.program(source, "-Mflushz", name="d.f90").split() == ["kept", "flushed"], "-Mflushz")


@step
def gprof(work: Folder) -> None:
    work.program(LOOP + CALLS.replace("print", "call work(); print") + "subroutine work\nreal, volatile :: x\ninteger :: i\n"
                 "do i = 1, 30000000\nx = i\nend do\nend subroutine\n", "-pg", "-Mnoinline", name="a.f90")
    expect((work.path / "gmon.out").exists(), "-pg leaves gmon.out")
    expect(re.search(r"\bwork_\b", work.run("gprof", "-b", "./app")), "gprof names the procedure")


@step
def races(work: Folder) -> None:
    """ThreadSanitizer finds the race, and knows how OpenMP orders threads in the program without one."""
    if not Path(work.run("cc", "-print-file-name=libtsan.so").strip()).is_absolute():
        return  # GCC's library is not installed
    loop = ("program p\ninteger :: i, s, a(1000)\ns = 0\n!$omp parallel do {}\ndo i = 1, 1000\na(i) = i\ns = s + i\nend do\n"
            "!$omp parallel do\ndo i = 1, 1000\na(i) = a(i) + s\nend do\nprint *, 'sum', sum(a)\nend program\n")
    flags = ("-mp", "-g", "-fsanitize=thread")
    found = work.program(loop.format(""), *flags, name="a.f90", status=66, OMP_NUM_THREADS="4")
    expect("data race" in found and "_QQmain" in found, f"the race is found: {found[-2000:]}")
    fine = work.program(loop.format("reduction(+:s)"), *flags, name="a.f90", OMP_NUM_THREADS="4")
    expect(fine.split() == ["sum", "501000500"], f"a reduction is no race: {fine[-2000:]}")


@step
def large_static_data(work: Folder) -> None:
    expect("3000000000" in work.program(MEDIUM, "-mcmodel=medium", name="a.f90"), "-mcmodel=medium")


@step
def gpu_arithmetic(work: Folder) -> None:
    def ptx(*flags):
        return work.compile(KERNEL, "--emit=ptx", "-o", "-", *flags)
    expect("fma.rn.f32" in ptx() and ".ftz" not in ptx(), "products and sums are fused")
    expect("fma.rn" not in ptx("-gpu=nofma") and "mul.rn.f32" in ptx("-gpu=nofma"), "-gpu=nofma")
    expect("fma.rn.ftz.f32" in ptx("-Mcuda=flushz"), "-gpu=flushz")
    expect(".target sm_90" in ptx("-gpu=sm_90a"), "-gpu=sm_90a")
    expect(".target sm_75" in ptx("-Mcuda=cc35,cuda10.1"), "GPUs that are gone")
    expect("PASS" in work.program(KERNEL, "-gpu=nofma,flushz"), "and it runs")


@step
def passes(work: Folder) -> None:
    """Options of LLVM and MLIR reach their passes; one that LLVM 22 does not have is named and changes nothing."""
    said = work.compile(LOOP, "-c", "-o", "a.o", "-mmlir", "--mlir-print-ir-after=convert-hlfir-to-fir", name="a.f90")
    expect("IR Dump After ConvertHLFIRtoFIR" in said, "-mmlir prints after a pass")
    said = work.compile(LOOP, "-c", "-o", "a.o", "-mllvm", "-print-after=loop-vectorize", name="a.f90")
    expect("IR Dump After LoopVectorizePass" in said and "<4 x " in said, "-mllvm prints after a pass")
    said = work.compile(LOOP, "-c", "-o", "a.o", "-mllvm", "-force-vector-width=1", "-mllvm", "-enable-npm", "-mllvm",
                        "-print-after=loop-vectorize", name="a.f90")
    expect("'-enable-npm'" in said and "<4 x " not in said.replace("<4 x i32> <", ""), "-mllvm changes what passes do")
    expect(Path(work.path / "a.o").exists(), "an option that is not known is a note")


@step
def native_gpu(work: Folder) -> None:
    work.write("bin/nvidia-smi", "#!/bin/sh\necho 8.9\necho 8.9\n")
    (work.path / "bin/nvidia-smi").chmod(0o755)
    path = f"{work.path}/bin:{os.environ['PATH']}"
    expect(".target sm_89" in work.compile(KERNEL, "--emit=ptx", "-o", "-", "-gpu=native", PATH=path), "-gpu=native")
    work.write("bin/nvidia-smi", "#!/bin/sh\nexit 1\n")
    expect("CUF0030" in work.compile(KERNEL, "-gpu=native", PATH=path), "no GPU is noted")


@step
def zeroed_memory(work: Folder) -> None:
    expect("zero" in work.program(ZERO, "-gpu=zeroinit"), "-gpu=zeroinit")


@step
def byte_order(work: Folder) -> None:
    for flags, order in (([], "<"), (["-byteswapio"], ">"), (["-fconvert=big-endian"], ">"), (["-fconvert=little-endian"], "<")):
        expect("PASS" in work.program(RECORD, *flags, name="a.f90"), f"{flags}: reads what it wrote")
        expect((work.path / "data").read_bytes() == struct.pack(order + "iii", 4, 258, 4), f"{flags}: bytes")


@step
def language(work: Folder) -> None:
    implicit = "program p\ni = 1\nprint *, i\nend program\n"
    work.compile(implicit, "-c", name="i.f90")
    expect("error" in work.compile(implicit, "-c", "-Mdclchk", name="i.f90", status=1), "-Mdclchk")
    expect("2 4" in " ".join(work.program(SAVED, "-Msave").split()), "-Msave keeps locals, and kernels have their own")
    expect("PASS" in work.program(OLD, "-Mallocatable=95", name="a.f90"), "-Mallocatable=95")
    expect("PASS" in work.program(INITIAL, "-finit-real=snan", "-finit-integer=-7", "-finit-logical=true", name="a.f90"), "-finit")
    expect("PASS" in work.program(STACK, "-fstack-arrays", name="a.f90"), "-fstack-arrays")
    expect("malloc" not in work.code(STACK, "-fstack-arrays"), "-fstack-arrays: no heap")
    expect("PASS" in work.program(PRETEND, "-Mpretend=nvfortran:24.3", name="a.F90"), "-Mpretend=nvfortran")
    expect("PASS" in work.program(PRETEND, "-Mpretend=gfortran", name="a.F90"), "-Mpretend=gfortran")
    nonstandard = "program p\nreal*8 :: x\nx = 1\nprint *, x\nend program\n"
    expect("CUF" not in work.compile(nonstandard, "-c", name="s.f90"), "extensions are taken")
    expect("standard" in work.compile(nonstandard, "-c", "-Mstandard", name="s.f90"), "-Mstandard names them")
    lines = "      program p\nD     print *, 'debug'\n      print *, 'end'" + " " * 60 + "! x\n      end\n"
    expect("debug" not in work.program(lines, name="l.f"), "D lines are comments")
    expect("debug" in work.program(lines, "-Mdlines", name="l.f"), "-Mdlines")
    long = "      program p\n      print '(a)', '" + "x" * 150 + "'\n      end\n"
    expect("x" * 150 in work.program(long, "-ffixed-line-length-none", name="l.f"), "-ffixed-line-length-none")
    work.compile("subroutine s\nend\n", "-c", "-fno-underscoring", "-o", "u.o", name="u.f90")
    expect(" T s\n" in work.run("nm", "u.o"), "-fno-underscoring")


@step
def files(work: Folder) -> None:
    work.write("part.inc", "print *, 1\n")
    work.write("a.F90", "#include \"part.inc\"\nend\n")
    rule = work.run(CUFC, "-M", "a.F90")
    expect(rule.startswith("a.o:") and "part.inc" in rule and not (work.path / "a.o").exists(), "-M")
    work.run(CUFC, "-c", "a.F90", "-MD", "-MP", "-MT", "target", "-MF", "rule.d")
    rule = (work.path / "rule.d").read_text()
    expect(rule.startswith("target:") and rule.endswith("part.inc:\n"), f"-MT -MP\n{rule}")
    work.run(CUFC, "-c", "-Mlist", "a.F90")
    expect("(    2) end" in (work.path / "a.lst").read_text(), "-Mlist")
    work.write("args", "-c 'a.F90'\n-o \"with space.o\" -DX=\\\"a\\\"\n@more")
    work.write("more", "-w\n")
    work.run(CUFC, "@args")
    expect((work.path / "with space.o").exists(), "@FILE")
    work.write("loop", "@loop")
    expect("CUF0011" in work.run(CUFC, "@loop", status=1), "a file that names itself")
    shown = work.run(CUFC, "-###", "a.F90", "-o", "none", "-Bstatic", "-lz", "-rpath", "/opt/lib")
    expect("-Wl,-Bstatic -lz -Wl,-rpath,/opt/lib -Wl,-Bdynamic" in shown and not (work.path / "none").exists(), f"-###\n{shown}")
    expect(work.run(CUFC, "-dumpmachine").startswith("x86_64"), "-dumpmachine")
    own = work.run(CUFC, "-print-file-name=libcufrt.a").strip()
    expect(own.startswith("/") and own.endswith("/lib/cufc/libcufrt.a"), "-print-file-name= of our library")
    folders = [line for line in work.run(CUFC, "-print-search-dirs").splitlines() if line.startswith("libraries: =")]
    expect(len(folders) == 1 and own.removesuffix("libcufrt.a") in folders[0], "-print-search-dirs")
    for query in ("-print-file-name=libc.so", "-print-prog-name=ld", "-print-libgcc-file-name", "-print-multi-os-directory"):
        expect(work.run(CUFC, query) == work.run("cc", query) == work.run(CUFC, "-" + query), query)
    between = "integer :: i\nreal, device :: a(9)\n!$cuf kernel do <<<*, *>>>\ni = 0\ndo i = 1, 9\na(i) = i\nend do\nend\n"
    expect("warning" in work.compile(between, "-c", "-o", "a.o"), "a warning of ours")
    expect(work.compile(between, "-c", "-w", "-o", "a.o") == "", "-w: no warnings of ours")
    work.write("seven.s", ".globl seven_\nseven_: movl $7, %eax\n ret\n")
    work.write("call.f90", "integer, external :: seven\nprint *, seven()\nend\n")
    work.run(CUFC, "call.f90", "seven.s", "-o", "seven")
    expect(work.run("./seven").strip() == "7", "a source in assembly language")


@step
def linker_options_among_files(work: Folder) -> None:
    """What is about the files behind it stays before them: a shared library has all of an archive."""
    work.write("whole.f90", "subroutine whole\nend subroutine\n")
    work.write("part.f90", "subroutine part\nend subroutine\n")
    work.run(CUFC, "-c", "-fPIC", "whole.f90", "part.f90")
    work.run("ar", "rcs", "libwhole.a", "whole.o")
    for words in (["-Wl,--whole-archive", "libwhole.a", "-Wl,--no-whole-archive"], ["--whole-archive", "libwhole.a", "--no-whole-archive"],
                  ["-Wl,--whole-archive", "-L.", "-lwhole", "-Wl,--no-whole-archive"]):
        work.run(CUFC, "-shared", "part.o", *words, "-o", "libboth.so")
        expect(" T whole_" in work.run("nm", "-D", "libboth.so"), f"{words}: the archive is not in the shared library")
    work.run(CUFC, "-shared", "part.o", "libwhole.a", "-o", "libone.so")
    expect(" T whole_" not in work.run("nm", "-D", "libone.so"), "an archive that nothing needs is in the shared library")


@step
def sources_of_other_names(work: Folder) -> None:
    """-x takes files of unknown suffix for sources; -E -P writes no #line."""
    work.write("q.txt", "#define TEXT 'PASS'\nprint *, TEXT\nend\n")
    work.run(CUFC, "-x", "f95-cpp-input", "q.txt", "-o", "q")
    expect("PASS" in work.run("./q"), "-x f95-cpp-input does not run")
    expect("CUF0010" in work.run(CUFC, "q.txt", status=1), "a file of unknown suffix is not refused")
    work.write("m.F90", "#define N 3\nprint *, N\nend\n")
    expect("#line" in work.run(CUFC, "-E", "m.F90"), "-E writes no #line")
    plain = work.run(CUFC, "-E", "-P", "m.F90")
    expect("#line" not in plain and "3" in plain, "-P leaves #line in")


@step
def static_programs(work: Folder) -> None:
    expect("PASS" in work.program(KERNEL, "-static"), "-static")


@step
def projects(work: Folder) -> None:
    """The same options in cufls.json and compile_commands.json."""
    cufls = CUFC.with_name("cufls")
    if not cufls.exists():
        return
    source = "program p\ninteger :: n = 1\ncall s(n)\ncontains\nsubroutine s(i)\ninteger(8) :: i\nprint *, i\nend subroutine\nend program\n"
    work.write("a.f90", source)
    work.write("cufls.json", json.dumps({"targets": {"a": {"sources": ["a.f90"]}}}))
    expect("error" in work.run(cufls, "check", "a.f90", status=1), "INTEGER(8) is another kind")
    work.write("cufls.json", json.dumps({"targets": {"a": {"sources": ["a.f90"], "flags": ["-i8", "-tp=haswell", "-Mchkptr"]}}}))
    work.run(cufls, "check", "a.f90")
    work.run(cufls, "build")
    (work.path / "cufls.json").unlink()
    command = "mpif90 -fdefault-integer-8 -gpu=cc60,cuda10.1 -Wall -ffree-line-length-none -O3 -c a.f90 -o a.o"
    work.write("compile_commands.json", json.dumps([{"directory": str(work.path), "file": "a.f90", "command": command}]))
    work.run(cufls, "check", "a.f90")


def main() -> int:
    words, failures = sys.argv[1:], 0
    for function in STEPS:
        if words and not any(word in function.__name__ for word in words):
            continue
        with tempfile.TemporaryDirectory() as folder:
            tools = {"processors": "objdump", "gprof": "gprof"}
            if tool := tools.get(function.__name__):
                if not shutil.which(tool):
                    continue
            try:
                function(Folder(Path(folder)))
            except (Failure, subprocess.TimeoutExpired) as failure:
                failures += 1
                print(f"{function.__name__}: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
