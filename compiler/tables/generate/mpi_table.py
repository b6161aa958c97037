"""Reads the table of MPI, compiler/tables/mpi/*.toml, whose README.md explains the fields.

`load()` gives the groups with their procedures; `constants()` the constants; `words(dummy)` what a dummy is.
"""

import tomllib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "mpi"
MODULES = ["mpif.h", "mpi", "mpi_f08"]

# The types of handles, as in the table and in mpi_f08.
HANDLES = {"comm": "MPI_Comm", "datatype": "MPI_Datatype", "errhandler": "MPI_Errhandler", "file": "MPI_File",
           "group": "MPI_Group", "info": "MPI_Info", "message": "MPI_Message", "op": "MPI_Op",
           "request": "MPI_Request", "session": "MPI_Session", "win": "MPI_Win"}

# The order of the groups in documents.
GROUPS = ["environment", "point_to_point", "requests", "persistent", "collective", "nonblocking_collective",
          "persistent_collective", "neighbourhood", "operations", "one_sided", "packing", "datatypes", "communicators",
          "groups", "topologies", "attributes", "errors", "info", "sessions", "processes", "files", "removed"]


def read(name):
    with open(FOLDER / f"{name}.toml", "rb") as file:
        return tomllib.load(file)


@cache
def load():
    """The groups, each { name, title, procedures }; a procedure knows its group."""
    groups = []
    for name in GROUPS:
        table = read(name)
        for procedure in table["procedure"]:
            procedure["group"] = name
        groups.append({**table["group"], "procedures": table["procedure"]})
    return groups


def procedures(form=None):
    """All procedures; with a form ("callback", "predefined", "") those of it alone."""
    every = [procedure for group in load() for procedure in group["procedures"]]
    return every if form is None else [row for row in every if row.get("form", "") == form]


@cache
def constants():
    """All constants in order, each { name, about, type, group, ... }."""
    return [{"group": block["name"], **value, "type": value.get("type", block.get("type"))}
            for block in read("constants")["constants"] for value in block["values"]]


def layer_constants():
    """What the run-time layer knows, in the order of their indices: constants, and sentinels."""
    known = [row for row in constants() if row.get("layer")]
    return [row for row in known if row["type"] != "sentinel"], [row for row in known if row["type"] == "sentinel"]


def modules(procedure):
    return procedure.get("modules", MODULES)


def has_ierror(procedure):
    return procedure.get("ierror", "result" not in procedure)


def dummies(procedure, large=False):
    """The dummies of the default form or of the large-count form, without ierror."""
    return [dummy for dummy in procedure["dummies"] if large or dummy.get("only") != "large"]


# The types of dummies of a large-count form.
LARGE_TYPES = {"count": "large_count", "displacement": "address", "address_or_count": "large_count"}


def large_row(procedure):
    """The large-count form as a procedure of its own, MPI_NAME_c, or None.

    A generic name cannot hold both forms where all kinds of integers are the same: mpi_f08 has one of them then.
    """
    every = dummies(procedure, large=True)
    if not procedure.get("large_count") or not any(dummy["type"] in ("count", "displacement") for dummy in every):
        return None
    plain = [{key: value for key, value in dummy.items() if key != "only"} for dummy in every]
    return {**procedure, "name": procedure["name"] + "_c", "modules": ["mpi_f08"], "large": True,
            "dummies": [{**dummy, "type": LARGE_TYPES.get(dummy["type"], dummy["type"])} for dummy in plain]}


def words(dummy):
    known = read_words()
    return known.get(f"{dummy['name']}/{dummy['type']}") or known[dummy["name"]]


@cache
def read_words():
    return read("dummies")["words"]
