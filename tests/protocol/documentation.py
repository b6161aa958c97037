#!/usr/bin/env python3
"""Hover, asked for every name of the tables: what has no documentation, or another's, is a failure.

Names stand where a program would have them: routines are called, constants assigned, types declared,
device procedures called in a kernel. The calls lack their arguments, since it is names that count.
"""

from __future__ import annotations

import os
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "compiler/tables/generate"), str(ROOT / "tests")]
import cudafor_table  # noqa: E402
import device_table  # noqa: E402
import libraries_table  # noqa: E402
import mpi_table  # noqa: E402
from harness.lsp_client import Client  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")


class Source:
    """Lines of a program, and what hover must say of a word in each."""

    def __init__(self, *head: str):
        self.lines = list(head)
        self.asked: "list[tuple[int, int, str, list]]" = []

    def add(self, line: str, name: str, expected: "list[str]") -> None:
        self.asked.append((len(self.lines), line.index(name), name, expected))
        self.lines.append("  " + line)

    def text(self, *tail: str) -> str:
        return "\n".join([*self.lines, *tail]) + "\n"


def call(row, number: int) -> str:
    if row.get("subroutine") or row.get("result") == "none":
        return f"call {row['name']}()"
    return f"x{number} = {row['name']}()"


def runtime_api() -> "tuple[Source, str]":
    tables = cudafor_table.load()
    source = Source("program api", "  use cudafor")
    summaries: "dict[str, list]" = {}
    for row in tables["routine"]:
        summaries.setdefault(row.get("generic", row["name"]).lower(), []).append(row["summary"])
    for number, row in enumerate(tables["type"]):
        source.add(f"type({row['name']}) :: v{number}", row["name"], [row["summary"]])
    for number, row in enumerate(tables["type"]):
        for component in row["components"]:
            if not component.get("private"):
                source.add(f"v{number}%{component['name']} = v{number}%{component['name']}", component["name"],
                           [component.get("about", component["type"])])
    for number, row in enumerate(tables["routine"]):
        name = row.get("generic", row["name"])
        if name.isidentifier():  # operators and assignment are no words
            source.add(call({**row, "name": name}, number), name, summaries[name.lower()])
    for block in tables["constants"]:
        for value in block["values"]:
            source.add(f"i = {value['name']}", value["name"], [f"{value['name']} = {value['value']}"])
    for name in (name for names in libraries_table.in_cudafor().values() for name in names):
        source.add(f"if (cudaDataType({name}) == cudaDataType(0)) i = 0", name, [f":: {name} =", f"type({name})"])
    return source, source.text("end program")


def libraries() -> "tuple[Source, str]":
    """Types and constants, under the name of a module that hands them on, if there is one."""
    through = libraries_table.handed_on()
    source = Source("module of_libraries")
    for name in libraries_table.names():
        table, user = libraries_table.load(name), [*through[name], name][0]
        source.lines += ["contains"] if source.lines[-1].startswith("module") else []
        source.lines += [f"  subroutine of_{name}()", f"  use {user}"]
        for number, row in enumerate(table["type"]):
            source.add(f"type({row['name']}) :: v{number}", row["name"], [row["summary"]])
        for value in (value for block in table["constants"] for value in block["values"]):
            source.add(f"print *, {value['name']}", value["name"], [f"{value['name']} = {value['value']}"])
        source.lines.append("  end subroutine")
    return source, source.text("end module")


def device_code() -> "tuple[Source, str]":
    rows = device_table.load()["routine"]
    intrinsic = {row["name"]: [row["about"]] for rows_of in fortran().values() for row in rows_of}
    summaries: "dict[str, list]" = {name: list(texts) for name, texts in intrinsic.items()}
    for row in rows:
        summaries.setdefault(row["name"].lower(), []).append(row["summary"])
    source = Source("attributes(global) subroutine kernel()", "  use libm", "  use cooperative_groups")
    for name in ("threadIdx", "blockIdx", "blockDim", "gridDim"):
        source.add(f"i = {name}%x", name, [f"type(dim3) :: {name}"])
    source.add("i = warpsize", "warpsize", ["integer(4) :: warpsize"])
    for number, row in enumerate(rows):
        source.add(call(row, number), row["name"], summaries[row["name"].lower()])
    return source, source.text("end subroutine")


def fortran() -> dict:
    with open(ROOT / "compiler/tables/fortran_intrinsics.toml", "rb") as file:
        return tomllib.load(file)


def intrinsic_procedures() -> "tuple[Source, str]":
    source = Source("program intrinsics")
    for kind, rows in fortran().items():
        for number, row in enumerate(rows):
            source.add(call({**row, "subroutine": kind == "subroutine"}, number), row["name"], [row["about"]])
    return source, source.text("end program")


def intrinsic_modules() -> "tuple[Source, str]":
    with open(ROOT / "compiler/tables/fortran_modules.toml", "rb") as file:
        modules = tomllib.load(file)["module"]
    source = Source("program modules")
    for module in modules:
        source.add(f"use, intrinsic :: {module['name']}", module["name"], [module["about"]])
    for module in modules:
        for row in module["constants"]:
            source.add(f"i = {row['name']}", row["name"], [row["about"][1:]])
        for row in module["types"]:
            source.add(f"type({row['name']}) :: v_{row['name']}", row["name"], [row["about"]])
        for number, row in enumerate(module["procedures"]):
            source.add(call({**row, "subroutine": row["class"] == "subroutine"}, number), row["name"], [row["about"]])
    return source, source.text("end program")


def openmp() -> "tuple[Source, str]":
    """The words of directives, each under its own name, and module omp_lib."""
    tables = {}
    for name in ("openmp", "openmp_lib"):
        with open(ROOT / f"compiler/tables/{name}.toml", "rb") as file:
            tables[name] = tomllib.load(file)
    source = Source("program of_openmp", "  use omp_lib")
    for row in tables["openmp"]["directive"]:
        source.add(f"!$omp {row['name']}", row["name"], [row["summary"]])
    clauses = {row["name"]: row for row in tables["openmp"]["clause"]}
    for row in tables["openmp"]["directive"]:
        for name in row.get("clauses", ()):
            if clause := clauses.pop(name, None):  # its name may be part of the directive's
                line = f"!$omp {row['name']} hint(0) {name}"
                source.lines.append("  " + line)
                source.asked.append((len(source.lines) - 1, line.rindex(name), name, [clause["summary"]]))
    for row in tables["openmp_lib"]["constants"]:
        source.add(f"i = {row['name']}", row["name"], [row["about"][1:]])
    for number, row in enumerate(tables["openmp_lib"]["procedures"]):
        source.add(call({**row, "subroutine": row["class"] == "subroutine"}, number), row["name"], [row["about"]])
    return source, source.text("end program")


def mpi(module: str) -> "tuple[Source, str]":
    source = Source(f"program of_{module}", f"  use {module}")
    for number, row in enumerate(mpi_table.procedures("")):
        if module in mpi_table.modules(row):
            source.add(call({**row, "subroutine": "result" not in row}, number), row["name"], [row["about"]])
    for row in mpi_table.constants():
        source.add(f"i = {row['name']}", row["name"], [row["about"][1:]])
    return source, source.text("end program")


def mpi_old() -> "tuple[Source, str]":
    return mpi("mpi")


def mpi_f08() -> "tuple[Source, str]":
    return mpi("mpi_f08")


def ask(client: Client, name: str, source: Source, text: str) -> "list[str]":
    path = Path.cwd() / f"{name}.cuf"
    path.write_text(text)
    client.open(path, text)
    client.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}})
    failures = []
    for line, column, word, expected in source.asked:
        params = {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": column + 3}}
        answer = client.request("textDocument/hover", params)
        shown = answer["contents"]["value"] if answer else "nothing"
        if not any(part in shown for part in expected):
            failures.append(f"{name}: {word}: {shown.splitlines()[:4]}, not {expected}")
    return failures


def main() -> None:
    os.environ["PATH"] = "/nowhere"  # where no MPI library is found, modules have all names of the standard
    client = Client([str(CUFLS)])
    client.initialize(None, {})
    failures, count = [], 0
    for make in (runtime_api, libraries, device_code, intrinsic_procedures, intrinsic_modules, openmp, mpi_old, mpi_f08):
        source, text = make()
        count += len(source.asked)
        failures += ask(client, make.__name__, source, text)
    client.stop()
    print(f"{count} names, {len(failures)} without their documentation")
    print("\n".join(failures[:40]))
    sys.exit(1 if failures or count < 1000 else 0)


if __name__ == "__main__":
    main()
