"""Writes the entries of the MPI layer with large counts, large_GROUP.cpp of mpi_layer.py.

No library has a Fortran procedure of mpif.h's conventions for them, so the library's C function is called:

    large_mpi_send(...)     with Fortran's arguments calls PMPI_Send_c
    cufrt_pmpi_send_c_      the entry, like any other of the layer

runtime/mpi/c_library.h has what an argument is in C.
"""

import mpi_layer as layer
import mpi_table as table

# Written by hand, runtime/mpi/large_by_hand.cpp.
HAND = {"MPI_Win_create_c", "MPI_Buffer_attach_c", "MPI_Buffer_detach_c"}

KINDS = {"comm": "Comm", "datatype": "Type", "errhandler": "Errhandler", "file": "File", "group": "Group",
         "info": "Info", "message": "Message", "op": "Op", "request": "Request", "session": "Session", "win": "Win"}


def c_parameter(dummy):
    """The type of a parameter of the C function. An integer handle in a register is as good as a pointer there."""
    kind, single = dummy["type"], "extent" not in dummy
    if kind in KINDS:
        return "void *"
    if kind in ("choice", "status", "base_pointer", "detached_buffer", "string"):
        return "const void *" if dummy["intent"] == "in" else "void *"
    number = "int64_t" if kind in layer.LONG else "int"
    return number if single and dummy["intent"] == "in" else f"{number} *"


def c_argument(procedure, dummy):
    kind, name, single = dummy["type"], layer.c_name(dummy), "extent" not in dummy
    if kind in KINDS:
        if not single:
            return f"handlesOf({name}, \"{procedure['name']}\")"
        if dummy["intent"] == "in":
            return f"handleOf(PMPI_{KINDS[kind]}_f2c, *{name})"
        given = "GivenHandle" if dummy["intent"] == "out" else "ChangedHandle"
        return f"{given}({name}, PMPI_{KINDS[kind]}_f2c, PMPI_{KINDS[kind]}_c2f).place()"
    if kind == "choice":
        return f"addressOf({name})"
    if kind == "status":
        return f"CStatus({name}).place()"
    if kind == "string":
        return f"textOf({name}, {name}_length).c_str()"
    if kind in ("base_pointer", "detached_buffer"):
        return name
    return f"*{name}" if single and dummy["intent"] == "in" else name


def function(procedure):
    """Declares the C function and calls it."""
    dummies = table.dummies(procedure)
    name = "P" + procedure["name"]
    types = ", ".join(c_parameter(dummy) for dummy in dummies)
    arguments = ", ".join(c_argument(procedure, dummy) for dummy in dummies)
    listed = ", ".join(kind + word for kind, word in layer.parameters(procedure))
    head = f"static void {layer.library_name(procedure)}({listed})"
    return (f"extern \"C\" __attribute__((weak)) int {name}({types});\n\n"
            f"{head} {{\n  *ierror = {name}({arguments});\n}}")


def source(group):
    rows = [row for row in map(table.large_row, group["procedures"]) if row and row["name"] not in HAND]
    functions = "\n\n".join(function(row) for row in rows)
    entries = "\n\n".join(layer.entry(row) for row in rows)
    return (layer.HEAD + "#include \"mpi/c_library.h\"\n#include \"mpi/call.h\"\n#include \"mpi/pmpi.h\"\n"
            "#include \"mpi/kept_buffers.h\"\n\nusing namespace cufrt::mpi;\n\n"
            + functions + "\n\nextern \"C\" {\n\n" + entries + "\n\n} // extern \"C\"\n")
