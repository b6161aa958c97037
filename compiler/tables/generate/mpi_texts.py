"""What documentation says of the types and calls of MPI, for the editor and for docs/reference."""

import mpi_table
from mpi_table import HANDLES

# As mpi_f08 and as module mpi and mpif.h have them; one text where both are the same.
TYPES = {
    "integer": "integer",
    "count": "integer",
    "displacement": "integer",
    "address": "integer(MPI_ADDRESS_KIND)",
    "address_or_count": "integer(MPI_ADDRESS_KIND)",
    "offset": "integer(MPI_OFFSET_KIND)",
    "large_count": "integer(MPI_COUNT_KIND)",
    "logical": "logical",
    "string": "character(*)",
    "choice": "any type, kind and rank, in any memory",
    "status": ("type(MPI_Status)", "integer, dimension(MPI_STATUS_SIZE)"),
    "status_array": "integer, dimension(MPI_STATUS_SIZE)",
    "status_type": "type(MPI_Status)",
    "base_pointer": ("type(c_ptr)", "integer(MPI_ADDRESS_KIND) or type(c_ptr)"),
    "detached_buffer": ("type(c_ptr)", "any type, kind and rank"),
    "data_pointer": ("type(c_ptr), value", "any type"),
    "sentinel": "variable",
}


def type_text(dummy, f08):
    kind = dummy["type"]
    if kind in HANDLES:
        text = f"type({HANDLES[kind]})" if f08 else "integer"
    elif kind == "procedure":
        text = f"procedure({dummy['interface']})"
    else:
        text = TYPES[kind] if isinstance(TYPES[kind], str) else TYPES[kind][not f08]
    extent = dummy.get("extent")
    if extent and text.endswith(")") and "dimension" in text:
        return text[:-1] + f", {extent})"
    return f"{text}, dimension({extent})" if extent else text


def arguments(procedure, f08):
    """Name, type, intent, whether optional, and words, of each dummy."""
    rows = [(dummy["name"], type_text(dummy, f08), dummy["intent"], False, mpi_table.words(dummy))
            for dummy in mpi_table.dummies(procedure)]
    if mpi_table.has_ierror(procedure):
        optional = f08 and "form" not in procedure
        rows.append(("ierror", "integer", "out", optional, mpi_table.read_words()["ierror"]))
    return rows


def usage(procedure, f08):
    """A call, what is optional in brackets."""
    text = ""
    for name, _, _, optional, _ in arguments(procedure, f08):
        comma = ", " if text else ""
        text += f" [{comma}{name}]" if optional else comma + name
    call = f"{procedure['name']}({text.strip()})"
    if "result" in procedure:
        return "result = " + call
    return call if procedure.get("form") == "callback" else "call " + call


def facts(procedure):
    """Sentences about standards and kinds of calls."""
    lines = []
    if procedure.get("when") == "nonblocking":
        lines.append("Nonblocking: its buffers belong to the library until the operation is complete."
                     if procedure["does"] not in ("communicator",) else "Nonblocking.")
    if procedure.get("does") == "collective":
        lines.append("Collective: all ranks of the communicator call it.")
    if "since" in procedure:
        lines.append(f"Since MPI {procedure['since']}.")
    if "deprecated" in procedure:
        lines.append(f"Deprecated since MPI {procedure['deprecated']}: use {procedure['instead']}.")
    if "removed" in procedure:
        lines.append(f"Removed from MPI in {procedure['removed']}: use {procedure['instead']}.")
    return lines
