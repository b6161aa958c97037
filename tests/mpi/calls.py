"""Fortran sources that call every procedure of the table of MPI once, for tests/mpi/libraries.py.

A source declares one variable for each kind of dummy and passes it; nothing of it is run. Buffers are host, device,
managed and pinned arrays in turn, whole and from an element on.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "compiler/tables/generate"))
import mpi_table  # noqa: E402
from mpi_table import HANDLES  # noqa: E402

BUFFERS = ["host", "dev", "dev(2, 3)", "man", "pin", "host(2, 2)", "scalar", "text", "thing"]
HEAD = {"mpi_f08": "  use mpi_f08", "mpi": "  use mpi", "mpif.h": ""}

DECLARATIONS = """
  integer :: i, is(100), is2(3, 100), ierror
  integer(MPI_ADDRESS_KIND) :: a, as(100)
  integer(MPI_OFFSET_KIND) :: o
  integer(MPI_COUNT_KIND) :: c, cs(100)
  logical :: l, ls(100)
  character(1000) :: s, ss(100), ss2(10, 10)
  real :: host(10, 10), scalar
  real, device :: dev(10, 10)
  real, managed :: man(10, 10)
  real, pinned, allocatable :: pin(:, :)
  character(8) :: text
  type :: things
    integer :: one
    real :: two
  end type
  type(things) :: thing
  type(c_ptr) :: p
"""


def handles(module: str) -> "list[str]":
    lines = []
    for kind, name in HANDLES.items():
        declared = f"type({name})" if module == "mpi_f08" else "integer"
        lines.append(f"  {declared} :: h_{kind}, hs_{kind}(100)")
    status = "type(MPI_Status) :: st, sts(100)" if module == "mpi_f08" else \
        "integer :: st(MPI_STATUS_SIZE), sts(MPI_STATUS_SIZE, 100)"
    lines += ["  " + status, "  integer :: sa(MPI_STATUS_SIZE)"]
    if module != "mpif.h":
        lines.append("  type(MPI_Status) :: st8")
    return lines


class Arguments:
    """Actual arguments, one for each dummy."""

    def __init__(self, module: str):
        self.module, self.buffers = module, 0

    def of(self, dummy: dict) -> str:
        kind, many = dummy["type"], "extent" in dummy
        if kind in HANDLES:
            return f"hs_{kind}" if many else f"h_{kind}"
        if kind == "choice" or kind == "detached_buffer" and self.module != "mpi_f08":
            self.buffers += 1
            return BUFFERS[self.buffers % len(BUFFERS)]
        if kind in ("base_pointer", "detached_buffer"):
            return "p" if self.module == "mpi_f08" else "a"
        if kind == "procedure":
            return f"my_{dummy['interface']}"
        if kind == "string":
            return {"*": "ss", "count, *": "ss2"}.get(dummy.get("extent"), "s")
        single, several = {"logical": ("l", "ls"), "address": ("a", "as"), "address_or_count": ("a", "as"),
                           "offset": ("o", "o"), "large_count": ("c", "cs"), "status": ("st", "sts"),
                           "status_array": ("sa", "sa"), "status_type": ("st8", "st8")}.get(kind, ("i", "is"))
        return "is2" if dummy["name"] == "ranges" else several if many else single


def call(procedure: dict, arguments: Arguments, prefix: str = "") -> str:
    actual = [arguments.of(dummy) for dummy in mpi_table.dummies(procedure)]
    if procedure["name"] == "MPI_Sizeof":  # of numbers alone
        actual[0] = "dev"
    name, result = prefix + procedure["name"], procedure.get("result")
    if mpi_table.has_ierror(procedure):
        actual.append("ierror")
    text = f"{name}({', '.join(actual)})"
    return f"{'a' if result == 'address' else 'x'} = {text}" if result else f"call {text}"


def callbacks(module: str) -> "list[str]":
    lines = []
    for row in mpi_table.procedures("callback"):
        if module == "mpi_f08" and module in mpi_table.modules(row):
            lines.append(f"  procedure({row['name']}) :: my_{row['name']}")
        elif module != "mpi_f08":
            lines.append(f"  external :: my_{row['name']}")
    return lines


def procedures(module: str) -> "list[dict]":
    return [row for row in mpi_table.procedures("") if module in mpi_table.modules(row)
            and not (module == "mpif.h" and row["name"] == "MPI_Sizeof")]


def source(module: str, rows: "list[dict]", prefix: str = "") -> str:
    """A subroutine that calls each row, a statement a line."""
    arguments = Arguments(module)
    lines = ["subroutine every_call()", HEAD[module], "  use, intrinsic :: iso_c_binding", "  implicit none"]
    lines += ["  include 'mpif.h'"] if module == "mpif.h" else []
    lines += DECLARATIONS.strip("\n").splitlines() + ["  double precision :: x"] + handles(module) + callbacks(module)
    lines += ["  " + call(row, arguments, prefix) for row in rows]
    return "\n".join(lines + ["end subroutine every_call", ""])


def constants(module: str, names: "list[str]") -> str:
    """A subroutine that mentions every constant that the library has, with the type that it must have."""
    known = {row["name"]: row for row in mpi_table.constants()}
    lines = ["subroutine every_constant()", HEAD[module], "  implicit none"]
    lines += ["  include 'mpif.h'"] if module == "mpif.h" else []
    lines += ["  integer :: i", "  logical :: l"] + handles(module)
    for name in names:
        row = known.get(name)
        if not row or row["type"] == "sentinel":
            continue
        target = f"h_{row['type']}" if row["type"] in HANDLES and module == "mpi_f08" else \
            "l" if row["type"] == "logical" else "i"
        value = f"int({name})" if row["type"] == "offset" else name
        lines.append(f"  {target} = {value}")
    return "\n".join(lines + ["end subroutine every_constant", ""])
