#!/usr/bin/env python3
"""Which procedures of MPI are called by programs of two ranks, with each library that is installed, and with what buffers.

Those with choice buffers are called by the program that buffer_calls.py writes, on the host device: once as it is, once
with device memory staged. The others are called by without_buffers.cuf and the programs beside it. Prints a table; what
the library has and nobody calls is a failure, as is a call whose result is wrong.

Usage: coverage.py [-v] [openmpi] [mpich]      CUFC in the environment is the compiler
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import buffer_calls
from buffer_calls import KINDS, mpi_table

CUFC = os.environ["CUFC"]
HERE, WORK = Path(__file__).resolve().parent, Path.cwd()
LAUNCH = {"openmpi": ["mpirun.openmpi", "--oversubscribe"], "mpich": ["mpiexec.mpich"]}
ENVIRONMENT = {**os.environ, "XDG_CACHE_HOME": str(WORK / "cache"), "OMPI_ALLOW_RUN_AS_ROOT": "1", "CUF_DEVICE": "host",
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
               # Ranks that wait leave the processor to others: there may be more of them than cores.
               "OMPI_MCA_mpi_yield_when_idle": "1", "MPIR_CVAR_POLLS_BEFORE_YIELD": "1"}
# What one machine, one job or one process cannot do, and why.
NOT_CALLED = {
    "MPI_Abort": "ends the program", "MPI_Comm_spawn": "starts a job", "MPI_Comm_spawn_multiple": "starts a job",
    "MPI_Comm_join": "wants a socket", "MPI_Comm_accept": "wants another job", "MPI_Comm_connect": "wants another job",
    "MPI_Open_port": "wants another job", "MPI_Close_port": "wants another job", "MPI_Publish_name": "wants a name server",
    "MPI_Unpublish_name": "wants a name server", "MPI_Lookup_name": "wants a name server",
    "MPI_Register_datarep": "no library has data representations of the program's own",
}
# Wrong in the library, with host arrays too.
LIBRARY_FAULTS = {"openmpi": {}, "mpich": {}}
SECONDS = 280
failures: "list[str]" = []
shown: "list[str]" = []  # lines of the tables, which stand behind the failures: one group is called Errors


def run(words: list, **environment: str) -> subprocess.CompletedProcess:
    command = [str(word) for word in words]
    try:
        return subprocess.run(command, cwd=WORK, env={**ENVIRONMENT, **environment}, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as late:
        said = late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else late.stdout or ""
        return subprocess.CompletedProcess(command, 124, f"{said}\nit did not end in {SECONDS} s")


def lacking(library: str) -> "set[str]":
    """Makes the library's kit, which says what it lacks."""
    (WORK / "empty.f90").write_text("subroutine s\n  use mpi\nend subroutine s\n")
    done = run([CUFC, "-fsyntax-only", f"-Mmpi={library}", "empty.f90"])
    wanted = "Open MPI" if library == "openmpi" else "MPICH"
    for file in (WORK / "cache/cufls/mpi").glob("*/kit.txt"):
        text = file.read_text()
        if text.startswith(f"library {wanted}\n"):
            return set(re.findall(r"^lacks (\S+)", text, re.MULTILINE))
    raise SystemExit(f"no kit of {library}: {done.stdout}")


def with_buffers(library: str, lacks: "set[str]") -> "dict[str, set[str]]":
    """The kinds of buffers that each procedure has been called with, with the right result."""
    rows = buffer_calls.rows(lacks | set(LIBRARY_FAULTS[library]))
    (WORK / "every.cuf").write_text(buffer_calls.source(rows))
    done = run([CUFC, "-O0", "-w", f"-Mmpi={library}", "every.cuf", "-o", "every"])
    if done.returncode:
        failures.append(f"{library}: the program of all buffers does not compile: {done.stdout[:1000]}")
        return {}
    passed: "dict[str, set[str]]" = {}
    for way in ("auto", "staged"):
        # A file for each rank: lines that two ranks print at once may come mixed.
        files = [WORK / f"told.{rank}" for rank in range(2)]
        for file in files:
            file.unlink(missing_ok=True)
        done = run([*LAUNCH[library], "-n", "2", "./every"], CUF_MPI_BUFFERS=way)
        text = "".join(file.read_text() for file in files if file.exists())
        told = re.findall(r"^(PASS|FAIL) (MPI_\w+) (\w+) (\d)$", text, re.MULTILINE)
        failures.extend(f"{library}, {way}: {name} with {kind} buffers on rank {rank}" for word, name, kind, rank in told
                        if word == "FAIL")
        if done.returncode:
            last = told[-1][1:3] if told else "nothing"
            failures.append(f"{library}, {way}: ended with {done.returncode} after {last}: {done.stdout[-1500:]}")
        good = Counter((name, kind) for word, name, kind, _ in told if word == "PASS")
        kinds = {key for key, ranks in good.items() if ranks == 2}
        for row in rows:
            name = row["name"].replace("_end", "_begin") if row.get("when") == "split_end" else row["name"]
            own = {kind for known, kind in kinds if known == name}
            passed[row["name"]] = own if way == "auto" else passed.get(row["name"], set()) & own
    for row in rows:
        missing = set(buffer_calls.kinds_of(row)) - passed.get(row["name"], set())
        if missing and row.get("when") != "split_end":
            failures.append(f"{library}: {row['name']} was not called with {', '.join(sorted(missing))}")
    return passed


def names_in(text: str) -> "set[str]":
    return {name.lower() for name in re.findall(r"\bmpi_\w+", text, re.IGNORECASE)}


def for_library(text: str, lacks: "set[str]") -> str:
    """Leaves out what stands between '! NEEDS name' and '! END' where the library lacks that procedure."""
    kept, on = [], True
    for line in text.splitlines():
        needs = re.match(r"\s*! NEEDS (\w+)", line)
        if needs:
            on = needs.group(1) not in lacks
        if on:
            kept.append(line)
        if re.match(r"\s*! END$", line):
            on = True
    return "\n".join(kept) + "\n"


def without_buffers(library: str, lacks: "set[str]") -> "set[str]":
    text = for_library((HERE / "without_buffers.f90").read_text(), lacks)
    (WORK / "without.f90").write_text(text)
    done = run([CUFC, "-O0", "-w", f"-Mmpi={library}", "without.f90", "-o", "without"])
    if done.returncode == 0:
        done = run([*LAUNCH[library], "-n", "2", "./without"])
    if done.returncode or "PASS" not in done.stdout:
        failures.append(f"{library}: without_buffers.f90: {done.stdout[:2000]}")
        return set()
    return names_in(text)


def programs() -> "set[str]":
    """What the other programs call, which are tests of their own."""
    return set().union(*(names_in(file.read_text()) for file in HERE.glob("*.cuf")))


def table(library: str, lacks: "set[str]") -> None:
    kinds, others = with_buffers(library, lacks), without_buffers(library, lacks) | programs()
    shown.append(f"\n{library}: procedures that it has, called, and of those with buffers how many with each kind")
    shown.append(f"{'group':<32}{'has':>5}{'called':>8}{'buffers':>9}" + "".join(f"{kind.replace('_', ' '):>16}" for kind in KINDS))
    sums: Counter = Counter()
    for group in mpi_table.load():
        rows = [row for row in group["procedures"] if not row.get("form") and row["name"] not in lacks]
        line: Counter = Counter(has=len(rows))
        for row in rows:
            called = bool(kinds.get(row["name"])) or row["name"].lower() in others
            line["called"] += called
            line["buffers"] += bool(buffer_calls.buffers(row))
            line.update(kinds.get(row["name"], ()))
            if not called and row["name"] not in NOT_CALLED:
                failures.append(f"{library}: nobody calls {row['name']}")
        sums.update(line)
        show(group["title"], line)
    show("all", sums)


def show(title: str, line: Counter) -> None:
    shown.append(f"{title[:31]:<32}{line['has']:>5}{line['called']:>8}{line['buffers']:>9}" + "".join(f"{line[kind]:>16}" for kind in KINDS))


def main() -> None:
    wanted = [word for word in sys.argv[1:] if word in LAUNCH] or LAUNCH
    libraries = [name for name in wanted if shutil.which(f"mpif90.{name}") and shutil.which(LAUNCH[name][0])]
    for library in libraries:
        table(library, lacking(library))
    print("\n".join([f"error: {failure}" for failure in failures] + shown))
    if failures:
        raise SystemExit(1)
    print(f"\nPASS: {', '.join(libraries) or 'no MPI library is installed'}")


if __name__ == "__main__":
    main()
