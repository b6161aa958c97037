#!/usr/bin/env python3
"""Modules mpi and mpi_f08 and mpif.h with each MPI library that is installed.

Every procedure and constant of the table is compiled in each of the three bindings; what a library lacks must be an
error that says so. Small programs are built in every way that a build system may, and run with two ranks.

Usage: libraries.py [-v]      CUFC in the environment is the compiler
"""

from __future__ import annotations

import concurrent.futures
import os
import shutil
import subprocess
import sys
from pathlib import Path

import calls

CUFC = os.environ["CUFC"]
WORK = Path.cwd()
LAUNCH = {"openmpi": ["mpirun.openmpi", "--oversubscribe"], "mpich": ["mpiexec.mpich"]}
FC = {"openmpi": "OMPI_FC", "mpich": "MPICH_FC"}
ENVIRONMENT = {**os.environ, "XDG_CACHE_HOME": str(WORK / "cache"), "OMPI_ALLOW_RUN_AS_ROOT": "1",
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1", "CUF_DEVICE": "host"}
failures: "list[str]" = []
count = 0

HELLO = """program hello
  {use}
  implicit none
  {include}
  integer :: rank, ranks, ierror, total
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call MPI_Allreduce(rank + 1, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  if (total /= ranks * (ranks + 1) / 2) error stop 'FAIL'
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(a, i0)', 'PASS ', ranks
  call MPI_Finalize(ierror)
end program hello
"""
BINDINGS = {"mpi_f08": ("use mpi_f08", ""), "mpi": ("use mpi", ""), "mpif": ("", "include 'mpif.h'")}


def run(words: list, folder: Path = WORK, environment: "dict | None" = None) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in words], cwd=folder, env=environment or ENVIRONMENT, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=250,
                          check=False)


def expect(name: str, done: subprocess.CompletedProcess, status: int = 0, text: str = "") -> bool:
    """Counts a test; the command must end with the status and have said the text."""
    global count
    count += 1
    good = (done.returncode == 0) == (status == 0) and text in done.stdout
    if not good:
        failures.append(f"{name}: status {done.returncode}, not {status} with '{text}':\n{done.stdout[:1500]}")
    return good


def folder(name: str) -> Path:
    path = WORK / name
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def hello(at: Path, binding: str, suffix: str = ".f90") -> Path:
    use, include = BINDINGS[binding]
    path = at / f"hello_{binding}{suffix}"
    path.write_text(HELLO.format(use=use, include=include))
    return path


def kit_facts(library: str) -> "dict[str, list[str]]":
    """What the kit that was made last says of a library."""
    for file in (WORK / "cache/cufls/mpi").glob("*/kit.txt"):
        facts: "dict[str, list[str]]" = {}
        for line in file.read_text().splitlines():
            key, _, value = line.partition(" ")
            facts.setdefault(key, []).append(value)
        if (facts["library"][0] == "Open MPI") == (library == "openmpi"):
            return {**facts, "folder": [str(file.parent)]}
    raise SystemExit(f"no kit of {library}")


def every_procedure(library: str, at: Path) -> None:
    facts = kit_facts(library)
    lacks = set(facts.get("lacks", []))
    for module in ("mpi_f08", "mpi", "mpif.h"):
        rows = calls.procedures(module)
        there = [row for row in rows if row["name"] not in lacks]
        missing = [row for row in rows if row["name"] in lacks]
        for prefix in ("", "P"):
            source = at / f"every_{module.replace('.', '')}{prefix}.cuf"
            ours = {"MPI_Sizeof", "MPI_Status_f082f", "MPI_Status_f2f08", "MPI_Buffer_detach"} if prefix else set()
            if prefix and module == "mpif.h":  # which declares no PMPI_ of these
                ours |= {"MPI_Aint_add", "MPI_Aint_diff"}
            source.write_text(calls.source(module, [row for row in there if row["name"] not in ours], prefix))
            # Code is made of one binding of each kind.
            form = ["-c", "-O0", "-o", at / "every.o"] if not prefix and module != "mpi" else ["-fsyntax-only"]
            done = run([CUFC, *form, "-w", f"-Mmpi={library}", source])
            expect(f"{library}: {len(there)} procedures of {module} {prefix}", done)
        source = at / "lacking.cuf"
        source.write_text(calls.source(module, missing))
        done = run([CUFC, "-fsyntax-only", "-w", f"-Mmpi={library}", source])
        named = {line.split(": error: ")[1].split(" is not in ")[0] for line in done.stdout.splitlines()
                 if "[CUF0710]" in line}
        shown = done.stdout.count("CUF0710")
        if missing and (not shown or not named <= lacks):
            expect(f"{library}: {len(missing)} missing procedures of {module}", done, 1, "CUF0710")


def every_constant(library: str, at: Path) -> None:
    facts = kit_facts(library)
    text = (Path(facts["folder"][0]) / "include/mpif.h").read_text()
    names = [line.split("(")[1].split("=")[0] for line in text.splitlines() if line.strip().startswith("PARAMETER")]
    if len(names) < 250:
        failures.append(f"{library}: only {len(names)} constants")
    for module in ("mpi_f08", "mpi", "mpif.h"):
        source = at / f"constants_{module.replace('.', '')}.f90"
        source.write_text(calls.constants(module, names))
        expect(f"{library}: constants of {module}", run([CUFC, "-fsyntax-only", "-w", f"-Mmpi={library}", source]))


def runs(library: str, name: str, program: Path) -> None:
    done = run([*LAUNCH[library], "-n", "2", program])
    expect(f"{library}: {name} with two ranks", done, 0, "PASS 2")


def ways_to_build(library: str, at: Path) -> None:
    header = Path(kit_facts(library)["header"][0]).parent
    wrapper = {**ENVIRONMENT, FC[library]: CUFC}
    for binding in BINDINGS:
        source, program = hello(at, binding), at / f"hello_{binding}"
        if expect(f"{library}: -Mmpi, {binding}", run([CUFC, f"-Mmpi={library}", source, "-o", program], at)):
            runs(library, f"-Mmpi, {binding}", program)
        done = run([f"mpif90.{library}", source, "-o", program], at, wrapper)
        if expect(f"{library}: mpif90, {binding}", done):
            runs(library, f"mpif90, {binding}", program)
        # An object says what it is to be linked with.
        good = expect(f"{library}: -I, {binding}", run([CUFC, "-c", f"-I{header}", source, "-o", "hello.o"], at))
        if good and expect(f"{library}: its link", run([CUFC, "hello.o", "-o", program], at)):
            runs(library, f"-I and a link without flags, {binding}", program)
    run(["ar", "qc", "libhello.a", "hello.o"], at)
    expect(f"{library}: an archive", run([CUFC, "libhello.a", "-o", "archived"], at))
    # A module in between, in a source that does not name MPI.
    (at / "comms.f90").write_text("module comms\n  use mpi_f08\nend module comms\n")
    (at / "user.f90").write_text("program user\n  use comms\n  call MPI_Init()\n  call MPI_Finalize()\nend program user\n")
    for command in (["-c", f"-Mmpi={library}", "comms.f90"], [f"-Mmpi={library}", "comms.o", "user.f90", "-o", "user"]):
        expect(f"{library}: a module in between", run([CUFC, *command], at))
    fixed = at / "old.f"
    fixed.write_text("      subroutine old\n      include 'mpif.h'\n      call mpi_barrier(mpi_comm_world, ierr)\n      end\n")
    expect(f"{library}: fixed form", run([CUFC, "-c", f"-Mmpi={library}", fixed, "-o", "old.o"], at))


def own_module(library: str, at: Path) -> None:
    """A program may bring a module mpi of its own, as codes without MPI do."""
    (at / "mpi.f90").write_text("module mpi\n  integer, parameter :: MPI_COMM_WORLD = -77\nend module mpi\n")
    (at / "main.f90").write_text("program main\n  use mpi\n  if (MPI_COMM_WORLD /= -77) error stop\n"
                                 "  print '(a)', 'PASS'\nend program main\n")
    expect("an own module", run([CUFC, f"-Mmpi={library}", "mpi.f90", "main.f90", "-o", "own"], at))
    expect("an own module runs", run([at / "own"]), 0, "PASS")
    expect("-Mnompi", run([CUFC, "-Mnompi", "mpi.f90", "main.f90", "-o", "own"], at))


def cmake_project(library: str, at: Path) -> None:
    hello(at, "mpi")
    (at / "CMakeLists.txt").write_text("""cmake_minimum_required(VERSION 3.20)
project(hello LANGUAGES Fortran)
find_package(MPI REQUIRED COMPONENTS Fortran)
add_executable(hello hello_mpi.f90)
target_link_libraries(hello PRIVATE MPI::MPI_Fortran)
""")
    toolchain = Path(CUFC).resolve().parents[1] / "share/cufc/cmake/cufc-toolchain.cmake"
    if not toolchain.exists():
        toolchain = calls.ROOT / "compiler/packages/cmake/cufc-toolchain.cmake"
    # Without the toolchain file CMake takes cufc for the compiler that it is made of, and knows no folders of Debian.
    for way, flags in (("toolchain", [f"-DCMAKE_TOOLCHAIN_FILE={toolchain}"]),
                       ("alone", ["-DCMAKE_LIBRARY_ARCHITECTURE=x86_64-linux-gnu"])):
        configure = ["cmake", "-B", way, *flags, f"-DCMAKE_Fortran_COMPILER={CUFC}", f"-DMPI_Fortran_COMPILER=mpif90.{library}"]
        if expect(f"{library}: cmake configures, {way}", run(configure, at), 0, "Found MPI_Fortran") and \
                expect(f"{library}: cmake builds, {way}", run(["cmake", "--build", way], at)):
            runs(library, f"cmake, {way}", at / way / "hello")


def mixtures(libraries: "list[str]", at: Path) -> None:
    if len(libraries) < 2:
        return
    (at / "one.f90").write_text("subroutine one(i)\n  use mpi\n  integer :: i, ierror\n"
                                "  call MPI_Comm_rank(MPI_COMM_WORLD, i, ierror)\nend subroutine one\n")
    run([CUFC, "-c", "-Mmpi=openmpi", "one.f90"], at)
    hello(at, "mpi")
    run([CUFC, "-c", "-Mmpi=mpich", "hello_mpi.f90"], at)
    expect("two libraries", run([CUFC, "one.o", "hello_mpi.o", "-o", "mixed"], at), 1, "CUF0703")
    expect("the other's library", run([CUFC, "hello_mpi.o", "-lmpi_mpifh", "-o", "mixed"], at), 1, "CUF0704")


def nothing_installed(at: Path) -> None:
    """Without a library on PATH."""
    elsewhere = {**ENVIRONMENT, "PATH": "/nowhere"}
    for binding in BINDINGS:
        expect(f"no library, {binding}", run([CUFC, "-c", hello(at, binding)], at, elsewhere), 1, "CUF0705")
    expect("no library, -Mmpi", run([CUFC, "-c", "-Mmpi", hello(at, "mpi")], at, elsewhere), 1, "CUF0701")
    (at / "stub").mkdir()
    (at / "stub/mpif.h").write_text("      integer MPI_COMM_WORLD\n")
    expect("a header of nothing", run([CUFC, "-c", "-Istub", hello(at, "mpi")], at), 1, "CUF0702")
    cufls = Path(CUFC).with_name("cufls")
    for binding in BINDINGS:
        expect(f"cufls check without a library, {binding}", run([cufls, "check", hello(at, binding)], at, elsewhere))


def caches(library: str, at: Path) -> None:
    """Several processes that all want a kit that is not there, and a cache that cannot be written."""
    source = hello(at, "mpi_f08")
    environment = {**ENVIRONMENT, "XDG_CACHE_HOME": str(at / "fresh")}
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda number: run([CUFC, "-c", f"-Mmpi={library}", source, "-o", f"{number}.o"], at,
                                                environment), range(4)))
    for each in done:
        expect("four at a time", each)
    kits = [path for path in (at / "fresh/cufls/mpi").iterdir() if path.is_dir()]
    if len(kits) != 1:
        failures.append(f"four at a time left {[path.name for path in kits]}")
    (at / "file").write_text("")
    environment = {**ENVIRONMENT, "XDG_CACHE_HOME": str(at / "file/cache"), "TMPDIR": str(folder(f"{at.name}/tmp"))}
    expect("no cache", run([CUFC, "-c", f"-Mmpi={library}", source], at, environment))


def main() -> None:
    libraries = [name for name in LAUNCH if shutil.which(f"mpif90.{name}") and shutil.which(LAUNCH[name][0])]
    if not libraries:
        print("no MPI library is installed")
        sys.exit(77)
    for library in libraries:
        at = folder(library)
        expect(f"{library}: a kit", run([CUFC, "-c", f"-Mmpi={library}", hello(at, "mpi")], at))
        every_procedure(library, at)
        every_constant(library, at)
        ways_to_build(library, at)
        if shutil.which("cmake"):
            cmake_project(library, folder(f"{library}/cmake"))
    own_module(libraries[0], folder("own"))
    mixtures(libraries, folder("mixtures"))
    nothing_installed(folder("nothing"))
    caches(libraries[0], folder("caches"))
    print(f"{', '.join(libraries)}: {count} tests, {len(failures)} failures")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
