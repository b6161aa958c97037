#!/usr/bin/env python3
"""Flags that builds give: make asked by --flags-from and by `cufls flags`, CMake, fpm, and the note that says that flags are missing.

Usage: build_flags.py [--cufc PATH] [-v] [WORD...]      WORDs select cases by name; CUFC in the environment is the default
"""

import json
import os
import shutil
import time

from workspace import check, equal, main

MODULE = """module fields
#ifdef USE_DOUBLE
  integer, parameter :: rk = 8
#endif
  include 'size.inc'
  real(rk) :: field(n)
end module
"""
PROGRAM = "program p\n  use fields\n  implicit none\n  field = 1\n  print *, field\nend program\n"
# A configuration that make would make again from its template, and a folder that a recipe enters by calling make by name.
MAKEFILE = """include config.mk
config.mk: config.default
\tcp config.default config.mk
help:
\t@echo targets: all
all: p.o
\tcd src && make fields.o
p.o: p.f90
\t$(FC) $(FFLAGS) -c p.f90
"""
BELOW = "include ../config.mk\nfields.o: fields.F90\n\t$(FC) $(FFLAGS) $(shell touch asked) \\\n\t  -I../include -c fields.F90\n"
CONFIG = "FC = nvfortran\nFFLAGS = -O3 -Mpreprocess -Msomething -DUSE_DOUBLE -module mods\n"


def project(work):
    work.write("p.f90", PROGRAM)
    work.write("src/fields.F90", MODULE)
    work.write("include/size.inc", "integer, parameter :: n = 4\n")
    work.write("config.default", "FC = gfortran\n")
    work.write("config.mk", CONFIG)
    work.write("Makefile", MAKEFILE)
    work.write("src/Makefile", BELOW)


def cached(work):
    cache = work.root.parent / f"{work.root.name}-cache"
    cache.mkdir(exist_ok=True)
    return {"XDG_CACHE_HOME": str(cache)}


def checked(work, *arguments):
    """Status and 'file:line code' of each diagnostic but hints."""
    done = work.run("check", "--format=json", *arguments, env=cached(work))
    listed = [each for each in json.loads(done.stdout)["diagnostics"] if each["severity"] != "hint"]
    return done.returncode, [f"{os.path.basename(each.get('file') or '')}:{each.get('line')} {each['code']}" for each in listed]


def codes(work, *arguments):
    return [each.split()[-1] for each in checked(work, *arguments)[1]]


def files(work):
    return sorted(str(path.relative_to(work.root)) for path in work.root.rglob("*") if path.is_file())


def make(work):
    project(work)
    before = files(work), (work.root / "config.mk").read_text()
    os.utime(work.root / "config.default", (time.time() + 60, time.time() + 60))  # config.mk is older
    status, found = checked(work, ".")
    equal(status, 1, "without flags")
    check("CUF0184" in " ".join(found) and "CUF1008" in " ".join(found), found)
    check(not any("CUF1101" in each for each in found), f"what follows from the file that is missing: {found}")
    equal(checked(work, "--flags-from=make", "."), (0, []), "with those of make")
    equal(checked(work, "."), (0, []), "they are kept")
    equal((files(work), (work.root / "config.mk").read_text()), before, "what asking has changed in the folder")
    told = work.run("flags", "-v", env=cached(work)).stdout
    check("by make" in told and "-DUSE_DOUBLE" in told and "-Msomething: has no meaning" in told, told)
    work.replace("config.mk", "-DUSE_DOUBLE", "-DOTHER")
    check("CUF0183" in codes(work, "."), "a makefile that has changed is told of")
    check("CUF0183" not in codes(work, "--flags-from=make", "."), "and asking again helps")
    work.run("flags", "--forget", env=cached(work))
    check("CUF0184" in codes(work, "."), "forgotten")


def above(work):
    work.write("Makefile", "all:\n\tgfortran -DSHORT -c lib/q.F90\n")
    work.write("lib/q.F90", "program q\n#ifndef SHORT\n  call = = 1\n#endif\nend program\n")
    equal(checked(work, "lib")[0], 1, "without flags")
    equal(checked(work, "--flags-from=make", "lib"), (0, []), "the makefile is above the folder, which is in no repository")
    work.run("flags", "--forget", env=cached(work))
    os.chmod(work.root, 0o777)
    check("CUF0181" in codes(work, "--flags-from=make", "lib"), "a makefile where anybody can write is left alone")
    os.chmod(work.root, 0o755)


def no_answer(work):
    work.write("p.F90", "program p\n#include 'none.h'\nend program\n")
    equal(codes(work, "--flags-from=make", "."), ["CUF0181"], "no makefile")
    work.write("Makefile", "$(error set COMPILER)\n")
    equal(codes(work, "--flags-from=make", "."), ["CUF0182"], "a makefile that ends")
    done = work.run("flags", "--from=make", env=cached(work))
    check(done.returncode == 2 and "set COMPILER" in done.stderr, done.stderr)
    work.write("Makefile", "$(if $(COMPILER),,$(error set COMPILER))\nall:\n\t$(COMPILER) -DX -c p.F90\n")
    done = work.run("flags", "--from=make", "--", "COMPILER=ftn", env=cached(work))
    check(done.returncode == 0 and "-DX" in done.stdout, done.stdout + done.stderr)
    work.write("fpm.toml", "name = \n")
    work.run("flags", "--forget", env=cached(work))
    equal(codes(work, "."), ["CUF0180"], "a manifest that is no TOML")


def cmake(work):
    if not shutil.which("cmake"):
        return
    project(work)
    work.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES Fortran)\nadd_executable(p p.f90 src/fields.F90)\n"
               "target_compile_definitions(p PRIVATE USE_DOUBLE)\ntarget_include_directories(p PRIVATE include)\n")
    compiler = work.cufls.with_name("cufc")
    done = work.run("flags", "--from=cmake", env={**cached(work), "FC": str(compiler)})
    check(done.returncode == 0 and "-DUSE_DOUBLE" in done.stdout, done.stdout + done.stderr)
    equal(checked(work, "."), (0, []), "by CMake")
    check(not (work.root / "CMakeCache.txt").exists() and not (work.root / "build").exists(), "folders of CMake are ours")


def fpm(work):
    work.write("fpm.toml", "name = 'demo'\n[preprocess.cpp]\nmacros = ['USE_DOUBLE']\n")
    work.write("src/fields.F90", MODULE)
    work.write("app/p.f90", PROGRAM)
    work.write("include/size.inc", "integer, parameter :: n = 4\n")
    work.write("old/fields.f90", "module fields\nend module\n")
    equal(checked(work, "."), (0, []), "by the manifest")


if __name__ == "__main__":
    main([make, above, no_answer, cmake, fpm])
