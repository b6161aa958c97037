#!/usr/bin/env python3
"""Runs cufc on bad input of many kinds and checks how it refuses.

Every case must end with a non-zero exit status of its own (no signal, no abort), name the cause on a line with
`error:` on stderr (a compiled program: on a line with `cufrt:`), print few lines and no stack trace, and leave no
output file behind.
Where the source is at fault the message starts with file:line:column; the place is marked with @ in the source.

Usage: bad_input.py [--cufc PATH] [-v] [WORD...]      WORDs select cases by name; CUFC in the environment is the default
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

MOST_LINES = 20
SECONDS = 120
STACK_TRACE = re.compile(
    r"stack dump|please submit a bug|^\s*#\d+ 0x|terminate called|assertion .* failed|llvm error|not yet implemented"
    r"|traceback|segmentation fault|core dumped", re.IGNORECASE | re.MULTILINE)

PROGRAM = "program p\n  use cudafor\n  print '(a)', 'ran'\nend program\n"
KERNEL = """module m
contains
  attributes(global) subroutine k(a)
    real :: a(*)
    a(threadIdx%x) = 1.0
  end subroutine
end module
program p
  use cudafor
  use m
  real, device :: a(32)
  call k<<<1, 32>>>(a)
  print *, 'status', cudaDeviceSynchronize()
end program
"""


@dataclass
class Case:
    name: str
    arguments: list
    cause: str                                     # regular expression that some line of stderr must match
    files: dict = field(default_factory=dict)      # name to text or bytes; the first @ marks the expected position
    environment: dict = field(default_factory=dict)  # None removes a variable
    prepare: object = None                         # called with the working directory
    run: bool = False                              # compile (must succeed), then judge the program ./a.out
    may_succeed: bool = False                      # legal or not is open; only the manner of refusal is judged
    output: str = ""                               # must not exist afterwards
    most_lines: int = MOST_LINES
    installation: object = None                    # called with the working directory and cufc; gives another cufc


def one(name, source, cause, suffix=".cuf", arguments=(), **more):
    """A case with one source file, compiled to an object."""
    file = "input" + suffix
    return Case(name, ["-c", file, "-o", "out.o", *arguments], cause, {file: source}, output="out.o", **more)


def make_directory(work):
    (work / "folder.cuf").mkdir()


def make_unreadable(work):
    (work / "secret.cuf").write_text(PROGRAM)
    (work / "secret.cuf").chmod(0)


def make_twins(work):
    for folder in ("a", "b"):
        (work / folder).mkdir()
        (work / folder / "x.cuf").write_text(PROGRAM)


def link_to_full(work):
    # A link, so that a compiler that renames its output into place cannot replace the device itself.
    (work / "full").symlink_to("/dev/full")


def make_toolkit(version, ptxas="exit 0"):
    """A folder `toolkit` that looks like a CUDA Toolkit; `ptxas` is the text of its ptxas."""
    def make(work):
        for folder in ("bin", "include", "nvvm/libdevice"):
            (work / "toolkit" / folder).mkdir(parents=True)
        (work / "toolkit/include/cuda_runtime_api.h").write_text(f"#define CUDART_VERSION  {version}\n")
        (work / "toolkit/nvvm/libdevice/libdevice.10.bc").write_bytes(b"")
        for tool in ("nvcc", "ptxas", "fatbinary"):
            (work / "toolkit/bin" / tool).write_text(f"#!/bin/sh\n{ptxas}\n")
            (work / "toolkit/bin" / tool).chmod(0o755)
    return make


def without_modules(work, cufc):
    """The compiler's executable alone, without the files that belong to it."""
    (work / "bin").mkdir()
    copy = work / "bin/cufc"
    try:
        os.link(cufc, copy)
    except OSError:
        shutil.copy2(cufc, copy)
    return copy


def without_openmp(work, cufc):
    """The compiler with links to all of its files but the OpenMP library."""
    copy = without_modules(work, cufc)
    folder = work / "lib/cufc"
    folder.mkdir(parents=True)
    for file in (Path(cufc).resolve().parent.parent / "lib/cufc").iterdir():
        if not file.name.startswith("libomp"):
            (folder / file.name).symlink_to(file)
    return copy


ELSEWHERE = "attributes(device) subroutine elsewhere(x)\n  real :: x\n  x = 2\nend subroutine\n"
DEVICE_DATA = "module b\n  real, device :: data\nend module\n"
USES_DATA = ("module a\ncontains\n  attributes(global) subroutine k(x)\n    use b\n    real :: x(*)\n    @x(1) = data\n"
             "  end subroutine\nend module\n" + PROGRAM)
SEVERAL_FILES = ["a.cuf", "b.cuf"]


def several_files(statement, other):
    """a.cuf: a program whose kernel has the statement; b.cuf: a module and `other`."""
    return {"a.cuf": "module m\n  interface\n    attributes(device) subroutine elsewhere(x)\n      real :: x\n"
                     "    end subroutine\n  end interface\ncontains\n  attributes(global) subroutine k(x)\n"
                     f"    real :: x(*)\n    {statement}\n  end subroutine\nend module\n" + PROGRAM,
            "b.cuf": DEVICE_DATA + other}


def objects(*arguments, damage=None):
    """Compiles the sources of the case (or those named) to objects first; flips bytes in the device code of one."""
    def make(work, cufc):
        sources = [word for word in arguments if word.endswith(".cuf")] or sorted(f.name for f in work.glob("*.cuf"))
        flags = [word for word in arguments if not word.endswith(".cuf")]
        subprocess.run([cufc, "-c", *flags, *sources], cwd=work, check=True)
        if damage:
            code = (work / damage).read_bytes()
            place = code.index(b"BC\xc0\xde") + 8  # the bitcode
            (work / damage).write_bytes(code[:place] + bytes(64) + code[place + 64:])
        return cufc
    return make


def inside_kernel(statement, declarations=""):
    return ("module m\n  implicit none\ncontains\n  attributes(global) subroutine k(a)\n    real :: a(*)\n"
            f"{declarations}    {statement}\n  end subroutine\nend module\n")


CASES = [
    # Files
    Case("missing file", ["-c", "nowhere.cuf"], r"nowhere\.cuf.*CUF0011"),
    Case("unreadable file", ["-c", "secret.cuf"], r"secret\.cuf.*permission|permission.*secret\.cuf",
         prepare=make_unreadable),
    Case("directory as input", ["-c", "folder.cuf"], r"folder\.cuf.*directory|directory.*folder\.cuf",
         prepare=make_directory),
    one("binary junk", bytes(range(256)) * 40, r"input\.cuf"),
    one("ELF file with a Fortran suffix", b"\x7fELF\x02\x01\x01" + bytes(500), r"input\.cuf"),
    Case("empty file linked", ["input.cuf", "-o", "out"], r"main|program|empty", {"input.cuf": ""}, output="out"),
    Case("unknown suffix", ["-c", "input.xyz"], r"input\.xyz.*CUF0010", {"input.xyz": PROGRAM}),
    Case("no input", [], r"input"),
    Case("output in a missing directory", ["-c", "input.cuf", "-o", "no/such/out.o"], r"no/such",
         {"input.cuf": PROGRAM}),
    Case("output on a full device", ["--emit=ptx", "input.cuf", "-o", "full"], r"full|space", {"input.cuf": KERNEL},
         prepare=link_to_full),
    Case("output is a directory", ["-c", "input.cuf", "-o", "folder.cuf"], r"folder\.cuf", {"input.cuf": PROGRAM},
         prepare=make_directory),
    Case("output would overwrite the input", ["-c", "input.cuf", "-o", "input.cuf"], r"overwrite.*input\.cuf.*CUF0019",
         {"input.cuf": PROGRAM}),
    Case("damaged object file", ["input.cuf", "bad.o", "-o", "out"], r"bad\.o[^$]*CUF0305",
         {"input.cuf": PROGRAM, "bad.o": b"this is no object file\n" * 10}, output="out"),
    Case("executable in a missing directory", ["input.cuf", "-o", "no/such/out"], r"no/such.*CUF0012",
         {"input.cuf": PROGRAM}),
    Case("executable on a full device", ["input.cuf", "-o", "full"], r"full|space", {"input.cuf": PROGRAM},
         prepare=link_to_full),
    Case("missing module directory", ["-c", "input.cuf", "-module", "nowhere"], r"nowhere.*CUF0012",
         {"input.cuf": "module m\nend module\n"}, output="input.o"),
    Case("one object for two sources", ["-c", "a/x.cuf", "b/x.cuf"], r"x\.o.*CUF0018", prepare=make_twins),
    Case("object that is not linked", ["-c", "input.o"], r"input\.o.*CUF0014", {"input.o": "x"}),
    Case("no temporary folder", ["input.cuf", "-o", "out"], r"temporary.*CUF0016", {"input.cuf": PROGRAM},
         {"TMPDIR": "/nonexistent"}, output="out"),
    Case("installation without its files", ["-c", "input.cuf"], r"modules.*CUF0017", {"input.cuf": PROGRAM},
         installation=without_modules, output="input.o"),
    # Flags
    Case("empty name for -o", ["-c", "input.cuf", "-o", ""], r"-o.*CUF0002", {"input.cuf": PROGRAM}),
    Case("OpenMP on a GPU", ["-mp=gpu", "input.cuf"], r"-mp=gpu.*-mp runs them.*CUF0005", {"input.cuf": PROGRAM}),
    Case("DO CONCURRENT on a GPU", ["-stdpar", "input.cuf"], r"-stdpar=multicore.*CUF0005", {"input.cuf": PROGRAM}),
    Case("version of OpenMP", ["-fopenmp-version=12", "input.cuf"], r"'12'.*CUF0003", {"input.cuf": PROGRAM}),
    Case("OpenMP without its library", ["-mp", "input.cuf", "-o", "out"], r"libomp-22-dev.*CUF0320",
         {"input.cuf": PROGRAM}, installation=without_openmp, output="out"),
    Case("OpenMP called without its library", ["input.cuf", "-o", "out"], r"libomp-22-dev.*CUF0320",
         {"input.cuf": "program p\n  use omp_lib\n  print *, omp_get_max_threads()\nend program\n"},
         installation=without_openmp, output="out"),
    Case("refused flag", ["-acc", "input.cuf"], r"OpenACC.*CUF0005", {"input.cuf": PROGRAM}),
    Case("GPU newer than the toolkit", ["-c", "-gpu=cc120", "input.cuf"], r"12\.0.*CUF0015",
         {"input.cuf": PROGRAM}, {"CUDA_HOME": "toolkit"}, make_toolkit(12000)),
    Case("unknown flag", ["-frobnicate", "input.cuf"], r"-frobnicate", {"input.cuf": PROGRAM}),
    Case("unknown machine", ["-c", "--target=riscv64-linux-gnu", "input.cuf"], r"riscv64-linux-gnu.*aarch64-linux-gnu", {"input.cuf": PROGRAM}),
    Case("instructions of another machine", ["-c", "--target=aarch64-linux-gnu", "-mavx2", "input.cuf"], r"-mavx2.*x86-64|CUF0017",
         {"input.cuf": PROGRAM}),
    Case("bad -gpu value", ["-c", "-gpu=cc9y", "input.cuf"], r"cc9y", {"input.cuf": PROGRAM}),
    Case("bad -gpu word", ["-c", "-gpu=warpspeed", "input.cuf"], r"warpspeed", {"input.cuf": PROGRAM}),
    Case("GPU that never was", ["-c", "-gpu=cc999", "input.cuf"], r"cc999", {"input.cuf": PROGRAM}),
    Case("-o without a value", ["input.cuf", "-o"], r"-o\b", {"input.cuf": PROGRAM}),
    Case("-c with -o and two files", ["-c", "a.cuf", "b.cuf", "-o", "out.o"], r"-o\b.*CUF0009",
         {"a.cuf": PROGRAM, "b.cuf": "subroutine s\nend subroutine\n"}, output="out.o"),
    Case("bad --emit value", ["--emit=poetry", "input.cuf"], r"poetry", {"input.cuf": PROGRAM}),
    Case("bad optimisation level", ["-O9", "input.cuf"], r"-O9|level", {"input.cuf": PROGRAM}),
    Case("missing library", ["input.cuf", "-lnosuchlibrary", "-o", "out"], r"'nosuchlibrary'.*CUF0309", {"input.cuf": PROGRAM},
         output="out"),
    Case("missing response file", ["@nowhere.rsp"], r"nowhere\.rsp"),
    # Modules
    one("unknown module", "program p\n  use @nowhere\nend program\n", r"nowhere"),
    Case("cyclic modules", ["-c", "a.cuf", "b.cuf"], r"circular.*CUF0101",
         {"a.cuf": "module a\n  use b\nend module\n", "b.cuf": "module b\n  use a\nend module\n"}),
    Case("module that uses itself", ["-c", "a.cuf"], r"'a' uses itself.*CUF0103",
         {"a.cuf": "module a\n  use @a\nend module\n"}, output="a.o"),
    Case("two modules of one name", ["a.cuf", "b.cuf", "-o", "out"], r"'same'.*CUF0102",
         {"a.cuf": "module same\nend module\n" + PROGRAM, "b.cuf": "module same\nend module\n"}, output="out"),
    Case("damaged module file", ["-c", "input.cuf"], r"damaged",
         {"input.cuf": "program p\n  use damaged\nend program\n", "damaged.mod": b"\x00\x01junk\n" * 20}),
    one("name missing in a module", "module a\nend module\nprogram p\n  use a, only: @missing\nend program\n",
        r"missing"),
    # Sources
    one("half a program", "module m\ncontains\n  attributes(global) subroutine k(a)\n    real :: a(*)\n    a(1) = ",
        r"input\.cuf:\d+"),
    one("syntax error in a kernel", inside_kernel("a(1) = 2.0 @* / 3.0"), r"expected|syntax"),
    one("undeclared variable in a kernel", inside_kernel("a(1) = @nobody"), r"nobody"),
    one("kernel called without chevrons",
        KERNEL.replace("call k<<<1, 32>>>(a)", "call @k(a)"), r"kernel|chevron|launch|execution configuration|<<<"),
    one("chevrons on a host procedure", "program p\n  call @s<<<1, 1>>>()\ncontains\n  subroutine s()\n"
        "  end subroutine\nend program\n", r"kernel|global|chevron|launch|<<<"),
    one("launch with one value", KERNEL.replace("<<<1, 32>>>", "<<<1>>>"), r"input\.cuf:\d+:\d+"),
    one("host procedure called in a kernel", "module m\ncontains\n  subroutine h()\n  end subroutine\n"
        "  attributes(global) subroutine k()\n    call @h()\n  end subroutine\nend module\n", r"\bh\b|host|device"),
    one("unit I/O in a device procedure", "module m\ncontains\n  attributes(device) subroutine d(x)\n"
        "    real :: x\n    @open(10, file='x')\n    write(10, *) x\n  end subroutine\nend module\n",
        r"open|i/o|input|device code"),
    one("character variable in a kernel", inside_kernel("s = 'abc'", "    character(10) :: s\n"),
        r"character|string|len", may_succeed=True),
    one("shared variable in host code", "program p\n  real, shared :: @s(10)\n  s = 1\nend program\n", r"shared"),
    one("device array in host arithmetic", "program p\n  real, device :: a(10), b(10)\n  real :: c(10)\n"
        "  c = a + b\nend program\n", r"device|transfer|cuda object", may_succeed=True),
    one("missing include file", "program p\n@  include 'nowhere.inc'\nend program\n", r"nowhere\.inc"),
    one("missing #include file", "#include \"nowhere.h\"\nprogram p\nend program\n", r"nowhere\.h", ".CUF"),
    one("#error", "#ifdef _CUDA\n#error wrong turn taken\n#endif\nprogram p\nend program\n", r"wrong turn taken", ".CUF"),
    one("#if without #endif", "#ifdef _CUDA\nprogram p\nend program\n", r"#if|endif|unterminated|conditional", ".CUF"),
    one("bad -D", PROGRAM, r"'1BAD'.*CUF0020", ".CUF", ["-D1BAD=2"]),
    one("non-UTF-8 bytes in a string", b"program p\n  print *, 'caf\xe9 \xff\xfe'\nend program\n", r"utf|character",
        may_succeed=True),
    one("zero bytes", b"program p\n  x = \x00\x00 1\nend program\n", r"input\.cuf"),
    one("very long line", "program p\n  i = 1" + " + 1" * 50000 + "\nend program\n", r"input\.cuf", may_succeed=True),
    one("very long comment", "! " + "x" * 2000000 + "\nprogram p\n  i = @@\nend program\n".replace("@@", "@)"),
        r"input\.cuf"),
    one("deeply nested parentheses", "program p\n  i = " + "(" * 20000 + "1" + ")" * 20000 + "\nend program\n",
        r"input\.cuf", may_succeed=True),
    one("unbalanced parentheses", "program p\n  i = " + "(" * 200 + "1\nend program\n", r"input\.cuf:2"),
    one("many errors", "program p\n  implicit none\n" + "".join(f"  v{i} = {i}\n" for i in range(1000))
        + "end program\n", r"980 more errors are not shown", most_lines=3 * 20 + 2),
    one("recursive include", "include 'input.cuf'\n", r"include|recurs|depth|nest"),
    one("bad CUF kernel directive", "program p\n  real, device :: a(10)\n  !$cuf kernel do @<<<*>>>\n  do i = 1, 10\n"
        "    a(i) = i\n  end do\nend program\n", r"cuf|expected|<<<", may_succeed=True),
    one("100,000 nested parentheses", "program p\n  i = " + "(" * 10000 + "@" + "(" * 90000 + "1" + ")" * 100000
        + "\nend program\n", r"nest.*CUF0106"),
    one("deeply nested blocks", "program p\n" + "if (i > 0) then\n" * 5000 + "end if\n" * 5000 + "end program\n",
        r"input\.cuf", may_succeed=True),
    one("unclosed conditional in a block", "program p\n#if 1\n@#ifdef A\n#endif\n".replace("@", "")
        + "end program\n", r"2:1.*#if without #endif.*CUF0105", ".CUF"),
    one("only a comment", "! nothing\n", r"input", may_succeed=True),
    one("quote that never ends", "program p\n  print *, 'abc\nend program\n", r"input\.cuf:2"),
    one("mathematics without libdevice", inside_kernel("a(1) = sin(a(2))"), r"sin.*CUF0302", ".cuf", ["--emit=ptx"],
        environment={"CUDA_HOME": "/nonexistent", "PATH": "/usr/bin:/bin"}),
    # Link, toolkit, device
    Case("ptxas fails", ["-c", "input.cuf", "-gpu=cc90"], r"ptxas.*no such luck.*CUF0303", {"input.cuf": KERNEL},
         {"CUDA_HOME": "toolkit"}, make_toolkit(12080, "echo no such luck; exit 3"), output="input.o"),
    Case("no linker", ["input.cuf", "-o", "out"], r"'cc'.*CUF0304", {"input.cuf": PROGRAM},
         {"PATH": "", "CUDA_HOME": "/nonexistent"}, output="out"),
    Case("CUDA C without a toolkit", ["-c", "input.cu"], r"input\.cu.*toolkit.*CUF0301", {"input.cu": "int x;\n"},
         {"CUDA_HOME": "/nonexistent", "PATH": "/usr/bin:/bin"}, output="input.o"),
    Case("CUDA C that does not compile", ["-c", "input.cu"], r"nvcc.*CUF0303", {"input.cu": "int x;\n"},
         {"CUDA_HOME": "toolkit"}, make_toolkit(12080, "echo input.cu: error; exit 2"), output="input.o"),
    Case("device procedure that nothing defines", [*SEVERAL_FILES, "-o", "out"], r"'elsewhere'.*CUF0311",
         several_files("@call elsewhere(x(1))", ""), output="out"),
    Case("device procedure that no object defines", ["a.o", "b.o", "-o", "out"], r"'elsewhere'.*CUF0311",
         several_files("@call elsewhere(x(1))", ""), output="out", installation=objects()),
    Case("device data that nothing defines", ["a.cuf", "-o", "out"], r"'b::data'.*CUF0311",
         {"b.cuf": DEVICE_DATA, "a.cuf": USES_DATA}, output="out", installation=objects("b.cuf")),
    Case("device procedure defined twice", ["a.o", "b.o", "c.o", "-o", "out"], r"'elsewhere'.*CUF0310",
         {**several_files("call elsewhere(x(1))", ELSEWHERE), "c.cuf": ELSEWHERE}, output="out",
         installation=objects()),
    Case("device code for another GPU", ["-gpu=cc90", "a.o", "b.o", "-o", "out"], r"'a\.cuf' has no code for cc90.*cc80.*CUF0313",
         several_files("call elsewhere(x(1))", ELSEWHERE), output="out", installation=objects("-gpu=cc80")),
    Case("damaged device code", ["a.o", "b.o", "-o", "out"], r"'a\.cuf'.*CUF0312",
         several_files("call elsewhere(x(1))", ELSEWHERE), output="out",
         installation=objects(damage="a.o")),
    Case("undefined procedure", ["input.cuf", "-o", "out"], r"'nowhere', used in 'input\.cuf'.*CUF0306",
         {"input.cuf": "program p\n  external nowhere\n  call nowhere()\nend program\n"}, output="out"),
    Case("no main program", ["input.cuf", "-o", "out"], r"no main program.*CUF0308", {"input.cuf": "module m\nend module\n"}, output="out"),
    Case("two main programs", ["a.cuf", "b.cuf", "-o", "out"], r"'a\.cuf' and 'b\.cuf'.*CUF0310",
         {"a.cuf": PROGRAM, "b.cuf": PROGRAM}, output="out"),
    Case("no toolkit", ["--emit=cubin", "input.cuf", "-o", "out.cubin"], r"toolkit|ptxas|CUDA_HOME",
         {"input.cuf": KERNEL}, {"CUDA_HOME": "/nonexistent", "CUDA_PATH": None, "PATH": "/usr/bin:/bin"},
         output="out.cubin"),
    Case("CUF_DEVICE=gpu without a GPU", ["input.cuf", "-o", "a.out"], r"gpu|device|driver", {"input.cuf": KERNEL},
         {"CUF_DEVICE": "gpu", "CUDA_VISIBLE_DEVICES": ""}, run=True),
    Case("bad CUF_DEVICE", ["input.cuf", "-o", "a.out"], r"CUF_DEVICE", {"input.cuf": KERNEL},
         {"CUF_DEVICE": "abacus"}, run=True),
]


def position_of(source):
    """The source without its mark, and line:column of the mark, or None."""
    if isinstance(source, bytes) or "@" not in source:
        return source, None
    before, after = source.split("@", 1)
    return before + after, f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def judge(case, process, position, work):
    """Everything that is wrong with the way a command ended."""
    stderr = process.stderr.decode("utf-8", "replace")
    faults = []
    if process.returncode < 0 or process.returncode >= 128:
        faults.append(f"ended by a signal (status {process.returncode})")
    if STACK_TRACE.search(stderr):
        faults.append("shows an internal failure or stack trace")
    if len(stderr.splitlines()) >= case.most_lines:
        faults.append(f"prints {len(stderr.splitlines())} lines")
    if process.returncode == 0:
        if not case.may_succeed:
            faults.append("succeeds")
        return faults
    mark = "cufrt:" if case.run else "error:"
    if mark not in stderr:
        faults.append(f"no line with {mark}")
    elif not re.search(case.cause, stderr, re.IGNORECASE):
        faults.append(f"does not name the cause /{case.cause}/")
    if position and not re.search(rf"^\S*:{position}: error:", stderr, re.MULTILINE):
        faults.append(f"no error at {position}")
    if case.output and (work / case.output).exists():
        faults.append(f"leaves {case.output} behind")
    return faults


def perform(case, cufc, verbose):
    """Faults of one case, or None when it cannot be tried here."""
    if case.prepare is make_unreadable and os.geteuid() == 0:
        return None
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        position = None
        for file, source in case.files.items():
            source, found = position_of(source)
            position = position or found
            (work / file).write_bytes(source if isinstance(source, bytes) else source.encode())
        if case.prepare:
            case.prepare(work)
        environment = dict(os.environ)
        for key, value in case.environment.items():
            environment.pop(key, None)
            if value is not None:
                environment[key] = value

        if case.installation:
            cufc = str(case.installation(work, cufc))

        def execute(command, variables):
            return subprocess.run(command, cwd=work, env=variables, stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=SECONDS)
        try:
            if case.run:
                built = execute([cufc, *case.arguments], None)
                if built.returncode:
                    return ["the program does not compile"]
                process = execute(["./a.out"], environment)
            else:
                process = execute([cufc, *case.arguments], environment)
        except OSError as failure:
            return [f"cannot be started: {failure}"]
        except subprocess.TimeoutExpired:
            return [f"takes more than {SECONDS} s"]
        if verbose:
            print(f"--- {case.name}: status {process.returncode}\n{process.stderr.decode('utf-8', 'replace')[:2000]}")
        return judge(case, process, position, work)


def main():
    parser = argparse.ArgumentParser(description="Runs cufc on bad input and checks how it refuses.")
    parser.add_argument("--cufc", default=os.environ.get("CUFC", "cufc"), help="the compiler to test")
    parser.add_argument("-v", "--verbose", action="store_true", help="show what the compiler printed")
    parser.add_argument("words", nargs="*", help="only cases whose names contain one of these")
    options = parser.parse_args()
    cufc = shutil.which(options.cufc)
    if cufc is None:
        print(f"error: no compiler {options.cufc}; set CUFC or use --cufc", file=sys.stderr)
        return 2
    cufc = os.path.abspath(cufc)
    passed = failed = skipped = 0
    for case in CASES:
        if options.words and not any(word in case.name for word in options.words):
            continue
        faults = perform(case, cufc, options.verbose)
        if faults is None:
            skipped += 1
            result = "skipped (root may read everything)"
        elif faults:
            failed += 1
            result = "FAILED: " + "; ".join(faults)
        else:
            passed += 1
            result = "passed"
        print(f"{case.name:<40} {result}", flush=True)
    if skipped:
        print(f"{skipped} skipped")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
