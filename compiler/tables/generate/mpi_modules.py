"""Writes the Fortran parts of the modules for MPI: mpi_modules.py FOLDER

    mpi.inc            interfaces of module mpi
    mpi_f08.inc        interfaces of module mpi_f08
    mpi_f08_large.inc  the same with large-count forms, for libraries that have them
    mpi_callbacks.inc  abstract interfaces of its callbacks
    mpi_types.inc      types of its handles, and their comparisons
    mpi_own.inc        procedures that are ours: MPI_Sizeof and the conversions of a status

They are the same for every library. The constants are the installed library's; compiler/mpi/kit.cpp joins both.

A choice buffer is an assumed-size dummy of any type, kind, rank, memory and management, so an array section with gaps
is copied in and out. Procedures of mpi_f08 have the external names of mpif.h, since a handle is one integer and a
status has the layout of its array there.
"""

import sys
from pathlib import Path

import mpi_table
from mpi_table import HANDLES

KINDS = {"address": "MPI_ADDRESS_KIND", "address_or_count": "MPI_ADDRESS_KIND", "offset": "MPI_OFFSET_KIND",
         "large_count": "MPI_COUNT_KIND"}
NOTICE = "! Generated from compiler/tables/mpi by mpi_modules.py.\n"


class Form:
    """One of the two modules, or the callbacks of mpi_f08."""

    def __init__(self, f08, callback=False, pointers=False):
        self.f08, self.callback, self.pointers = f08, callback, pointers

    def type_of(self, dummy):
        kind = dummy["type"]
        if kind in KINDS:
            return f"integer({KINDS[kind]})"
        if kind in HANDLES:
            return f"type({HANDLES[kind]})" if self.f08 else "integer"
        if kind == "status_type" or kind == "status" and self.f08:
            return "type(MPI_Status)"
        return {"logical": "logical", "string": "character(*)"}.get(kind, "integer")

    def shape_of(self, dummy):
        extents = [dummy["extent"]] if "extent" in dummy else []
        if dummy["type"] == "status_array" or dummy["type"] == "status" and not self.f08:
            extents = ["MPI_STATUS_SIZE"] + (["*"] if extents else [])
        # What arguments must hold is for the library to say; more may be there.
        shape = ", ".join(extents)
        last = shape.rsplit(", ", 1)
        if extents and last[-1] not in ("MPI_STATUS_SIZE", "*"):
            last[-1] = "*"
        return f"({', '.join(last)})" if extents else ""

    def intent_of(self, dummy):
        # MPI_STATUS_IGNORE and its like are variables that must not change.
        free = dummy["type"] in ("status", "choice") and dummy["intent"] != "in"
        return "" if free or dummy["name"].endswith("weights") else f", intent({dummy['intent']})"


def choice(dummy, intent):
    return [f"type(*), dimension(*){intent} :: {dummy['name']}", f"!dir$ ignore_tkr(tkrdm) {dummy['name']}"]


def special(dummy, form):
    """The declaration of a dummy that others have not in common, or nothing."""
    name, kind = dummy["name"], dummy["type"]
    if kind == "choice" or kind == "detached_buffer" and not form.f08:
        return choice(dummy, form.intent_of(dummy) if kind == "choice" else "")
    if kind == "data_pointer":
        return [f"type(c_ptr), value :: {name}"] if form.f08 else choice(dummy, "")
    if kind in ("detached_buffer", "base_pointer") and form.f08:
        return [f"type(c_ptr), intent(out) :: {name}"]
    if kind == "base_pointer":
        return [f"type(c_ptr), intent(out) :: {name}" if form.pointers else f"integer(MPI_ADDRESS_KIND), intent(out) :: {name}"]
    if kind == "procedure":
        return [f"procedure({dummy['interface']}) :: {name}" if form.f08 else f"external :: {name}"]
    return []


def declarations(procedure, form):
    """Statements for all dummies; those of one type and intent share one."""
    shared, lines = {}, []
    for dummy in mpi_table.dummies(procedure):
        own = special(dummy, form)
        lines += own
        if not own:
            head = form.type_of(dummy) + ("" if form.callback else form.intent_of(dummy))
            shared.setdefault(head, []).append(dummy["name"] + form.shape_of(dummy))
    if mpi_table.has_ierror(procedure):
        optional = ", optional" if form.f08 and not form.callback else ""
        shared.setdefault("integer" if form.callback else f"integer{optional}, intent(out)", []).append("ierror")
    # Extents are declared before the arrays.
    order = sorted(shared.items(), key=lambda item: "(" in "".join(item[1]))
    return [f"{head} :: {', '.join(names)}" for head, names in order] + lines


def body(procedure, form, name=None):
    """An interface body."""
    name = name or procedure["name"]
    arguments = [dummy["name"] for dummy in mpi_table.dummies(procedure)]
    arguments += ["ierror"] if mpi_table.has_ierror(procedure) else []
    result = procedure.get("result")
    lines = [f"{'function' if result else 'subroutine'} {name}({', '.join(arguments)})"]
    lines += ["import"] if arguments else []
    lines += [f"{'integer(MPI_ADDRESS_KIND)' if result == 'address' else result} :: {name}"] if result else []
    lines += declarations(procedure, form)
    return lines + [f"end {'function' if result else 'subroutine'}"]


def interface(procedure, form):
    """The interface block of a procedure of module mpi_f08 or mpi."""
    name = procedure["name"]
    entry = f"cufrt_f08_{name.lower()}" if form.f08 and procedure.get("f08_entry") else None
    return [f"interface {name}" if entry else "interface", *body(procedure, form, entry), "end interface"]


def both_forms(procedure, large, form, prefix=""):
    """The interface block of a generic name for counts of both kinds. The specific names are the layer's affair."""
    name = procedure["name"]
    entry = f"cufrt_f08_{name.lower()}" if procedure.get("f08_entry") and not prefix else prefix + name
    return [f"interface {prefix}{name}", *body(procedure, form, entry), *body(large, form, prefix + large["name"]),
            "end interface"]


def gives_pointer(procedure):
    return any(dummy["type"] == "base_pointer" for dummy in procedure["dummies"])


def both_pointers(procedure, prefix=""):
    """In module mpi the address of memory is an integer or a TYPE(C_PTR)."""
    name = prefix + procedure["name"]
    return [f"interface {name}", *body(procedure, Form(False), name),
            *body(procedure, Form(False, pointers=True), name + "_cptr"), "end interface"]


OWN = ("MPI_Sizeof", "MPI_Status_f082f", "MPI_Status_f2f08")


def interfaces(module, large_counts=False):
    form = Form(module == "mpi_f08")
    lines = []
    large = {row["name"]: mpi_table.large_row(row) if large_counts else None for row in mpi_table.procedures("")}
    for procedure in mpi_table.procedures(""):
        if module not in mpi_table.modules(procedure) or procedure["name"] in OWN:
            continue
        if large[procedure["name"]]:
            lines += both_forms(procedure, large[procedure["name"]], form)
        elif not form.f08 and gives_pointer(procedure):
            lines += both_pointers(procedure)
        else:
            lines += interface(procedure, form)
    for procedure in mpi_table.procedures("predefined"):
        if module in mpi_table.modules(procedure):
            kind = f"procedure({procedure['interface']})" if form.f08 else "external"
            lines.append(f"{kind} :: {procedure['name']}")
    # The profiling names, without what is ours.
    for procedure in mpi_table.procedures(""):
        if module not in mpi_table.modules(procedure) or procedure["name"] in OWN or procedure.get("f08_entry"):
            continue
        if large[procedure["name"]]:
            lines += both_forms(procedure, large[procedure["name"]], form, "P")
        elif not form.f08 and gives_pointer(procedure):
            lines += both_pointers(procedure, "P")
        else:
            lines.append(f"procedure({procedure['name']}) :: P{procedure['name']}")
    return lines


def callbacks():
    lines = ["abstract interface"]
    for procedure in mpi_table.procedures("callback"):
        if "mpi_f08" in mpi_table.modules(procedure):
            lines += body(procedure, Form(True, callback=True))
    return lines + ["end interface"]


def types():
    lines = []
    for name in HANDLES.values():
        lines += [f"type, bind(c) :: {name}", "integer :: MPI_VAL", "end type"]
    for operator, prefix in (("==", "equal"), ("/=", "different")):
        names = ", ".join(f"cufrt_{prefix}_{kind}" for kind in HANDLES)
        lines += [f"interface operator({operator})", f"module procedure {names}", "end interface"]
    lines += ["private :: " + ", ".join(f"cufrt_{prefix}_{kind}" for kind in HANDLES) for prefix in ("equal", "different")]
    return lines


def comparisons():
    lines = []
    for operator, prefix in (("==", "equal"), ("/=", "different")):
        for kind, name in HANDLES.items():
            lines += [f"elemental logical function cufrt_{prefix}_{kind}(a, b)", f"type({name}), intent(in) :: a, b",
                      f"cufrt_{prefix}_{kind} = a%MPI_VAL {operator} b%MPI_VAL", "end function"]
    return lines


NUMBERS = {"integer": (1, 2, 4, 8, 16), "real": (4, 8), "complex": (4, 8), "logical": (1, 2, 4, 8), "character": (1,)}


def own_interfaces():
    """Generic names of what the kit's object implements itself."""
    specifics = [(f"cufrt_mpi_sizeof_{kind}{size}", f"{kind}({size})" if kind != "character" else "character(*)",
                  size * (2 if kind == "complex" else 1)) for kind, sizes in NUMBERS.items() for size in sizes]
    return specifics


def own_declarations():
    lines = ["interface MPI_Sizeof", "module procedure " + ", ".join(name for name, *_ in own_interfaces()), "end interface",
             "interface MPI_Status_f082f", "module procedure cufrt_mpi_status_f082f", "end interface",
             "interface MPI_Status_f2f08", "module procedure cufrt_mpi_status_f2f08", "end interface"]
    return lines


def own_procedures():
    lines = []
    for name, kind, size in own_interfaces():
        lines += [f"subroutine {name}(x, size, ierror)", f"{kind} :: x(*)", "!dir$ ignore_tkr(rdm) x",
                  "integer, intent(out) :: size", "integer, optional, intent(out) :: ierror", f"size = {size}",
                  "if (present(ierror)) ierror = MPI_SUCCESS", "end subroutine"]
    for name, source, target in (("f082f", "f08_status", "f_status"), ("f2f08", "f_status", "f08_status")):
        lines += [f"subroutine cufrt_mpi_status_{name}({source}, {target}, ierror)"]
        for dummy, intent in ((source, "in"), (target, "out")):
            kind = "type(MPI_Status)" if dummy == "f08_status" else "integer"
            shape = "" if dummy == "f08_status" else "(MPI_STATUS_SIZE)"
            lines += [f"{kind}, intent({intent}) :: {dummy}{shape}"]
        lines += ["integer, optional, intent(out) :: ierror", f"{target} = transfer({source}, {target})",
                  "if (present(ierror)) ierror = MPI_SUCCESS", "end subroutine"]
    return lines


# An mpif.h with the names of the standard, for analyses where no library is installed. Its values are this
# table's: all that is known of most of them is that they differ from each other.
KNOWN = {"MPI_ADDRESS_KIND": 8, "MPI_COUNT_KIND": 8, "MPI_OFFSET_KIND": 8, "MPI_INTEGER_KIND": 4, "MPI_STATUS_SIZE": 6,
         "MPI_SOURCE": 1, "MPI_TAG": 2, "MPI_ERROR": 3, "MPI_VERSION": 4, "MPI_SUBVERSION": 0, "MPI_SUCCESS": 0}


def standard_header():
    lines, block = [], []
    for index, row in enumerate(mpi_table.constants()):
        name, kind = row["name"], row["type"]
        if kind == "sentinel":
            held = {"string": "CHARACTER"}.get(row["holds"], "INTEGER")
            lines.append(f"      {held} {name}" + (f"({row['extent']})" if "extent" in row else ""))
            lines.append(f"      COMMON /CUFRT_MPI_{len(block)}/ {name}")
            block.append(name)
            continue
        # Lengths of names are among the first.
        value = ".FALSE." if kind == "logical" else KNOWN.get(name, 255 if name.startswith("MPI_MAX_") else 1000 + index)
        fortran = {"logical": "LOGICAL", "offset": "INTEGER(KIND=MPI_OFFSET_KIND)"}.get(kind, "INTEGER")
        lines += [f"      {fortran} {name}", f"      PARAMETER ({name}={value})"]
    lines += ["      EXTERNAL MPI_WTIME, MPI_WTICK", "      DOUBLE PRECISION MPI_WTIME, MPI_WTICK"]
    return lines


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    parts = {"mpi": interfaces("mpi"), "mpi_f08": interfaces("mpi_f08"),
             "mpi_f08_large": interfaces("mpi_f08", large_counts=True), "mpi_callbacks": callbacks(),
             "mpi_types": types(), "mpi_own": own_declarations(), "mpi_procedures": own_procedures(),
             "mpi_comparisons": comparisons()}
    header = "\n".join(standard_header()) + "\n"
    (folder / "standard.h").write_text(header, encoding="utf-8")
    for name, lines in parts.items():
        text = NOTICE + "\n".join(lines) + "\n"
        (folder / f"{name}.inc").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
