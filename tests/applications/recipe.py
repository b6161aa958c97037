"""How an application is built, run and judged: the fields of a file in recipes/.

name, repository, commit      the application; the subfolder of the sources is called `name`
about                         what it computes, in a few words
needs                         Debian packages beside those for building cufc
compilers                     names of compilers that its build files call; cufc stands under them on PATH
build, build_limit            shell lines in the copy of the sources, in order; seconds
change                        what had to be changed beside the compiler and its flags; none if it is absent
cpu_build                     shell lines that build it by gfortran, in another copy
cpu_reference                 whose build for CPUs the results are compared with: "gfortran"; "cufc", where random
                              numbers make the results those of one compiler; or "", for none
missing                       what keeps it from building or running today

[[case]]
name, ranks, mpi, limit       ranks to try if it is an MPI program; seconds
files                         input files: a name in the case's folder = a path in the sources, or a list of
                              such a path and pairs of a regular expression and its replacement
texts                         input files with their whole text
commands, cpu_commands        shell lines in the case's folder; the output of both channels is kept
judge                         see judge.py

Shell lines find these variables: SOURCE, the copy of the sources; LAUNCH, the MPI launcher with the number of
ranks, empty for a program without MPI; RANKS; CUFC, the folder of cufc (empty for gfortran's build); JOBS.
"""
from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Case:
    name: str
    commands: "list[str]"
    judge: "dict"
    mpi: bool = False
    ranks: "list[int]" = field(default_factory=lambda: [1, 2])
    limit: int = 600
    files: "dict" = field(default_factory=dict)
    texts: "dict" = field(default_factory=dict)
    cpu_commands: "list[str]" = field(default_factory=list)


@dataclass
class Recipe:
    name: str
    repository: str
    commit: str
    about: str
    build: "list[str]"
    needs: "list[str]" = field(default_factory=list)
    compilers: "list[str]" = field(default_factory=list)
    build_limit: int = 1800
    change: str = ""
    cpu_build: "list[str]" = field(default_factory=list)
    cpu_reference: str = "gfortran"
    missing: str = ""
    cases: "list[Case]" = field(default_factory=list)


def load(folder: Path) -> "list[Recipe]":
    recipes = []
    for file in sorted(folder.glob("*.toml"), key=lambda file: file.name.lower()):
        fields = tomllib.loads(file.read_text())
        cases = [Case(**case) for case in fields.pop("case", [])]
        recipes.append(Recipe(**fields, cases=cases))
    return recipes
