#!/usr/bin/env python3
"""cufc as the Fortran compiler of CMake, of make and of autoconf: the examples are configured, built and tested.

CMake is tried with the toolchain file of compiler/packages/cmake, with both generators, and without it, where CMake takes
cufc for flang. The makefile is one for nvfortran. The autoconf part runs where autoconf is installed.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CUFC = Path(os.environ.get("CUFC") or ROOT / "build/bin/cufc")
TOOLCHAIN = ROOT / "compiler/packages/cmake/cufc-toolchain.cmake"

PLAIN = """cmake_minimum_required(VERSION 3.20)
project(plain LANGUAGES CXX Fortran)
message(STATUS "compiler ${CMAKE_Fortran_COMPILER_ID}")
add_library(kernels kernels.f90)
set_target_properties(kernels PROPERTIES Fortran_MODULE_DIRECTORY ${CMAKE_BINARY_DIR}/modules Fortran_PREPROCESS ON
  POSITION_INDEPENDENT_CODE ON Fortran_FORMAT FREE)
target_include_directories(kernels PUBLIC ${CMAKE_BINARY_DIR}/modules)
add_executable(plain main.f90 more.cpp)
target_link_libraries(plain PRIVATE kernels)
if(CMAKE_Fortran_COMPILER_ID STREQUAL "LLVMFlang")
  set_target_properties(plain PROPERTIES LINKER_LANGUAGE Fortran)
endif()
"""
OTHERS = """cmake_minimum_required(VERSION 3.20)
project(others LANGUAGES C CXX Fortran)
include(FortranCInterface)
FortranCInterface_VERIFY(CXX)
add_library(part STATIC part.f90)
add_executable(others main.c)
target_link_libraries(others PRIVATE part)
"""
PART = """subroutine part(n) bind(c)
  integer, value :: n
  integer, device, allocatable :: d(:)
  allocate(d(n))
  d = 7
  !$cuf kernel do <<<*, *>>>
  do i = 1, n
    d(i) = d(i) + i
  end do
  print *, merge('PASS', 'FAIL', sum(d) == 7*n + n*(n + 1)/2)
end subroutine
"""
AUTOCONF = """AC_INIT([probe], [1])
AC_PROG_FC
AC_FC_SRCEXT([f90])
AC_FC_FREEFORM
AC_FC_MODULE_FLAG
AC_FC_MODULE_OUTPUT_FLAG
AC_OUTPUT
"""
failures = 0


def step(name: str, command: list, folder: Path, expected: str = "", **environment: str) -> str:
    global failures
    merged = {**os.environ, "CUDA_HOME": os.environ.get("CUDA_HOME", ""), "CUF_DEVICE": "host", **environment}
    if not merged["CUDA_HOME"]:
        del merged["CUDA_HOME"]
    # Through env, a program that was not built is an exit status too.
    done = subprocess.run(["env", *command], cwd=folder, env=merged, text=True, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    good = done.returncode == 0 and expected in done.stdout
    if not good:
        failures += 1
        print(f"{name}: exit status {done.returncode}\n{done.stdout[-2000:]}")
    return done.stdout


def copy(example: str, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs/examples" / example, folder)
    return folder


def cmake(work: Path) -> None:
    for generator in ("Ninja", "Unix Makefiles"):
        folder = copy("cmake", work / generator.replace(" ", ""))
        step(f"{generator}: configure", ["cmake", "-G", generator, "-B", "b", "--toolchain", TOOLCHAIN,
             f"-DCMAKE_Fortran_COMPILER={CUFC}", "-DCMAKE_BUILD_TYPE=Release"], folder)
        step(f"{generator}: build", ["cmake", "--build", "b"], folder)
        step(f"{generator}: test", ["ctest", "--test-dir", "b"], folder, "100% tests passed")
        said = step(f"{generator}: built again", ["cmake", "--build", "b"], folder)
        if "Building" in said:
            step(f"{generator}: nothing changed, yet something was built", ["false"], folder)


def mixed_cmake(work: Path) -> None:
    """C++ and Fortran in one program: the toolchain file makes cufc link it, without that a property does."""
    for name, arguments in (("cufc", ["--toolchain", TOOLCHAIN]), ("LLVMFlang", ["-DCMAKE_Fortran_FLAGS=-cuda"])):
        folder = copy("make", work / name)
        (folder / "CMakeLists.txt").write_text(PLAIN)
        (folder / "more.cpp").write_text("#include <vector>\nint more() { return std::vector<int>(3).size(); }\n")
        step(f"{name}: configure", ["cmake", "-B", "b", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_Fortran_FLAGS=-cuda",
             *arguments], folder, f"compiler {name}\n", FC=str(CUFC))
        step(f"{name}: build", ["cmake", "--build", "b"], folder)
        step(f"{name}: run", ["b/plain"], folder, "PASS")


def other_languages(work: Path) -> None:
    """A C program that links a Fortran library: CMake knows from `cufc -v` what that needs."""
    for name, arguments in (("cufc", ["--toolchain", TOOLCHAIN]), ("LLVMFlang", [])):
        folder = work / f"others-{name}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for file, text in (("CMakeLists.txt", OTHERS), ("part.f90", PART), ("main.c", "void part(int n); int main(void) { part(100); }\n")):
            (folder / file).write_text(text)
        step(f"C with {name}: configure", ["cmake", "-B", "b", "-DCMAKE_Fortran_FLAGS=-cuda", *arguments], folder,
             "Fortran/CXX Compiler Compatibility - Success", FC=str(CUFC))
        step(f"C with {name}: build", ["cmake", "--build", "b"], folder)
        step(f"C with {name}: run", ["b/others"], folder, "PASS")


def make(work: Path) -> None:
    folder = copy("make", work / "make")
    step("make", ["make", f"FC={CUFC}"], folder)
    step("make: run", ["./diffusion"], folder, "PASS")


def autoconf(work: Path) -> None:
    if not shutil.which("autoconf"):
        return
    folder = work / "autoconf"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "configure.ac").write_text(AUTOCONF)
    step("autoconf", ["autoconf"], folder)
    said = step("configure", ["./configure", f"FC={CUFC}"], folder)
    for line in ("the Fortran compiler works... yes", "accepts -g... yes", "module inclusion flag... -I",
                 "module output flag... -J"):
        if line not in said:
            step(f"configure says '{line}'", ["echo", said], folder, "\0")


def main() -> int:
    if not shutil.which("cmake") or not shutil.which("make"):
        print("cmake or make is not installed")
        return 77
    work = Path.cwd() / "build-tools"
    for part in (cmake, mixed_cmake, other_languages, make, autoconf):
        part(work)
    print("PASS" if failures == 0 else f"{failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
