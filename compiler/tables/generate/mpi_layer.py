"""Writes the entries of the MPI layer, runtime/mpi/, from the table of MPI:

    constants.h       the constants and sentinels that the layer knows, by the index under which the kit passes them
    pmpi.h            the library's procedures under their profiling names
    entries_GROUP.cpp the procedures of a group under their own names, which precede the library's in a program

An entry gives its arguments on to the library's procedure. One with choice buffers first tells runtime/mpi/call.h which
parts of them the call reads and writes. Those in HAND are written by hand.
"""

import argparse
from pathlib import Path

import mpi_table as table

HAND = {
    "MPI_Wait", "MPI_Test", "MPI_Waitany", "MPI_Testany", "MPI_Waitall", "MPI_Testall", "MPI_Waitsome", "MPI_Testsome",
    "MPI_Request_get_status", "MPI_Request_free", "MPI_Cancel", "MPI_Start", "MPI_Startall", "MPI_Pready",
    "MPI_Pready_range", "MPI_Pready_list", "MPI_Parrived", "MPI_Finalize",
    "MPI_Win_create", "MPI_Win_attach", "MPI_Win_free", "MPI_Win_fence", "MPI_Win_complete", "MPI_Win_post",
    "MPI_Win_wait", "MPI_Win_test", "MPI_Win_lock", "MPI_Win_lock_all", "MPI_Win_unlock", "MPI_Win_unlock_all",
    "MPI_Win_flush", "MPI_Win_flush_all", "MPI_Win_flush_local", "MPI_Win_flush_local_all", "MPI_Win_sync",
    "MPI_Win_get_attr", "MPI_Buffer_attach", "MPI_Buffer_detach",
}

# Where MPI_IN_PLACE stands for the whole of what is combined, though each rank gets its own block back.
SHARED_INPUT = ("sum", "size")

LONG = {"address", "offset", "large_count", "address_or_count"}
OPAQUE = {"choice", "procedure", "base_pointer", "detached_buffer", "data_pointer", "status", "status_array", "status_type"}
CPP_WORDS = {"char", "int", "short", "long", "float", "double", "unsigned"}
HEAD = "// Written by compiler/tables/generate/mpi_layer.py.\n"


def camel(name):
    words = name.removeprefix("MPI_").lower().split("_")
    joined = words[0] + "".join(word.capitalize() for word in words[1:])
    if joined[0].isdigit():
        return f"of{joined.capitalize()}"
    return f"{joined}Type" if joined in CPP_WORDS else joined


def is_entry(procedure):
    """Functions and procedures that are arguments are the library's own."""
    return not procedure.get("form") and "result" not in procedure


def symbol(procedure):
    return procedure["name"].lower() + "_"


def c_type(dummy):
    kind = dummy["type"]
    if kind == "string":
        return "char *"
    if kind in OPAQUE:
        return "void *"
    return "int64_t *" if kind in LONG else "int *"


def c_name(dummy):
    return {"op": "operation", "assert": "assertion", "class": "kind"}.get(dummy["name"], dummy["name"])


def parameters(procedure):
    """(type, name) of each argument, the lengths of strings last, as flang and gfortran pass them."""
    dummies = table.dummies(procedure)
    listed = [(c_type(dummy), c_name(dummy)) for dummy in dummies]
    if table.has_ierror(procedure):
        listed.append(("int *", "ierror"))
    return listed + [("size_t ", f"{c_name(dummy)}_length") for dummy in dummies if dummy["type"] == "string"]


def declaration(procedure, prefix="", names=True):
    listed = ", ".join(kind + (name if names else "") for kind, name in parameters(procedure))
    return f"void {prefix}{symbol(procedure)}({listed})"


# --- choice buffers -------------------------------------------------------------------------------------------------


def find(procedure, name):
    return next((dummy for dummy in table.dummies(procedure) if dummy["name"] == name), None)


def blocks_expression(procedure, dummy):
    """The parts of a buffer, as a call of runtime/mpi/shapes.h."""
    times, count, datatype = dummy.get("times", "1"), dummy["count"], dummy["datatype"]
    if datatype == "bytes":
        return f"byteRange(0, *{count})"
    number = "1" if count == "1" else f"*{count}"
    blocks = {"size": "partners(*comm)", "sources": "sources(*comm)", "destinations": "destinations(*comm)"}.get(times)
    if "displacements" in dummy:
        form = "Bytes" if dummy.get("displacements_in") == "bytes" else "Extents"
        kind = datatype if form == "Bytes" else f"*{datatype}"
        return f"blocksIn{form}(call.name(), {count}, {dummy['displacements']}, {kind}, {blocks})"
    if times == "sum":
        number = f"sumOf({count}, *comm)"
    elif times == "own":
        number = f"{count}[ownRank(*comm)]"
    elif times == "partitions":
        number = f"*{count} * *partitions"
    elif blocks:
        number = f"static_cast<int64_t>({number}) * {blocks}"
    return f"elements(call.name(), {number}, *{datatype})"


def condition(procedure, dummy, direction):
    """When the buffer counts; an empty string: always."""
    if procedure["does"] == "collective" and find(procedure, "root"):
        if dummy.get("at") == "root":
            return "role.isRoot"
        if dummy["intent"] == "inout":
            return "role.isRoot" if direction == "in" else "role.isOther && !role.isRoot"
        return "role.isOther"
    if procedure["does"] == "one_sided":
        return "*target_rank != valueOf(Constant::procNull)"
    partner = "source" if direction == "out" else "dest"
    if procedure["does"] == "point_to_point" and find(procedure, partner):
        return f"*{partner} != valueOf(Constant::procNull)"
    return ""


def parts(procedure, dummy, direction):
    expression = blocks_expression(procedure, dummy)
    when = condition(procedure, dummy, direction)
    return f"{when} ? {expression} : Parts{{}}" if when else expression


class Buffers:
    """What the entry of a procedure says about its choice buffers."""

    def __init__(self, procedure):
        self.procedure = procedure
        self.all = [dummy for dummy in table.dummies(procedure)
                    if dummy["type"] == "choice" and "use" not in dummy]
        self.in_place = next((dummy for dummy in self.all if "in_place" in dummy and dummy["intent"] == "in"), None)

    def statements(self):
        lines = []
        if self.procedure["does"] == "collective" and find(self.procedure, "root"):
            lines.append("Role role = roleOf(*root, *comm);")
        if self.in_place:
            lines.append(f"bool inPlace = is(Sentinel::inPlace, {self.in_place['name']});")
        for dummy in self.all:
            lines += self.statement(dummy)
        return lines

    def statement(self, dummy):
        procedure, name = self.procedure, dummy["name"]
        intent = "out" if procedure["name"] == "MPI_Precv_init" else dummy["intent"]
        if "position" in dummy:
            rest = f"byteRange(before, *{dummy['count']} - before)"
            both = (rest, "{}") if intent == "in" else ("{}", rest)
            return [f"int64_t before = *{dummy['position']};", f"{name} = call.add({name}, {both[0]}, {both[1]});"]
        reads = parts(procedure, dummy, "in") if intent != "out" else "Parts{}"
        writes = parts(procedure, dummy, "out") if intent != "in" else "Parts{}"
        if intent == "in" and self.in_place is dummy:
            reads = f"inPlace ? Parts{{}} : {with_brackets(reads)}"
        if intent == "in" and "in_place" in dummy and self.in_place is not dummy:
            raise SystemExit(f"{procedure['name']}: two buffers in place")
        if intent == "out" and "in_place" in dummy:
            writes = f"is(Sentinel::inPlace, {name}) ? Parts{{}} : {with_brackets(writes)}"
        if intent == "out" and self.in_place:
            reads = f"inPlace ? {with_brackets(self.input_in_place(dummy))} : Parts{{}}"
        if intent == "out" and dummy.get("times") == "sources":
            reads = f"mayLackNeighbours(*comm) ? {writes} : Parts{{}}"
        if intent == "out" and "xscan" in procedure["name"].lower():
            reads = writes  # the first rank's stays as it is
        return [f"Parts {name}In = {reads};", f"Parts {name}Out = {writes};",
                f"{name} = call.add({name}, std::move({name}In), std::move({name}Out));"]

    def input_in_place(self, out):
        if out.get("times") == "own" or "educe_scatter" in self.procedure["name"]:
            return parts(self.procedure, self.in_place, "in")
        return parts(self.procedure, out, "out")


def with_brackets(expression):
    return f"({expression})" if " ? " in expression else expression


def ending(procedure, buffers):
    """What becomes of the buffers after the library's procedure has returned."""
    when, status = procedure.get("when", "blocking"), find(procedure, "status")
    written = [dummy for dummy in buffers.all if dummy["intent"] != "in"]
    counted = procedure["does"] in ("point_to_point", "file") and written and when != "partitioned"
    datatype = f", *{written[0]['datatype']}" if counted else ""
    request = find(procedure, "request")
    if any("position" in dummy for dummy in written):
        return ["call.finishBytes(ierror, *position - before);"]
    if when == "partitioned":
        return ["call.keepPartitioned(ierror, request, *partitions);"]
    if when == "persistent":
        return [f"call.keepPersistent(ierror, request{datatype});"]
    if request:
        return [f"call.keepWithRequest(ierror, request{datatype});"]
    if when == "split_begin":
        return [f"call.keepWithFile(ierror, *fh, *{buffers.all[0]['datatype']});"]
    if procedure["does"] == "one_sided":
        return ["call.keepWithWindow(ierror, *win, *target_rank);"]
    if counted and status:
        return [f"call.finish(ierror, chosen.data(){datatype});"]
    return ["call.finish(ierror);"]


def call_of(procedure, substitutes=()):
    names = [dict(substitutes).get(name, name) for _, name in parameters(procedure)]
    return f"pmpi_{symbol(procedure)[4:]}({', '.join(names)});"


def opening(procedure):
    lines = []
    if table.has_ierror(procedure):
        lines += ["int own = noError;", "if (!ierror)", "  ierror = &own;"]
    return lines + [f"if (!pmpi_{symbol(procedure)[4:]})", f"  missing(\"{procedure['name']}\");"]


def staged_entry(procedure, buffers):
    ordinary = " && ".join(f"isOrdinary({dummy['name']})" for dummy in buffers.all)
    lines = opening(procedure) + [f"if ({ordinary})", f"  return {call_of(procedure)}",
                                  f"Call call(\"{procedure['name']}\");"]
    lines += buffers.statements()
    waits = procedure.get("when", "blocking") not in ("persistent", "partitioned")
    if waits:
        lines.append("call.begin();")
    substitutes = {}
    if find(procedure, "status") and "chosen" in "".join(ending(procedure, buffers)):
        lines.append("Status chosen(status);")
        substitutes["status"] = "chosen.data()"
    lines.append(call_of(procedure, substitutes.items()))
    return lines + ending(procedure, buffers)


# The end of a split collective operation, which names the buffer once more.
def split_end_entry(procedure):
    return opening(procedure) + [
        f"return endSplit(fh, buf, status, ierror, pmpi_{symbol(procedure)[4:]});"
    ]


def entry(procedure):
    buffers = Buffers(procedure)
    if procedure.get("when") == "split_end":
        body = split_end_entry(procedure)
    elif buffers.all:
        body = staged_entry(procedure, buffers)
    else:
        body = opening(procedure) + [call_of(procedure)]
    return "\n".join([declaration(procedure) + " {"] + ["  " + line for line in body] + ["}"])


# --- files ----------------------------------------------------------------------------------------------------------


def enumeration(name, rows):
    listed = "".join(f"  {camel(row['name'])},\n" for row in rows)
    return f"enum class {name} : int {{\n{listed}}};\ninline constexpr int {name.lower()}Count = {len(rows)};\n"


def constants_header():
    constants, sentinels = table.layer_constants()
    names = "".join(f"      \"{row['name']}\",\n" for row in constants)
    return (HEAD + "#ifndef CUFRT_MPI_CONSTANTS_H\n#define CUFRT_MPI_CONSTANTS_H\n\nnamespace cufrt::mpi {\n\n"
            + enumeration("Constant", constants) + "\n" + enumeration("Sentinel", sentinels)
            + "\ninline const char *nameOf(Constant constant) {\n  static constexpr const char *names[] = {\n" + names
            + "  };\n  return names[static_cast<int>(constant)];\n}\n\n} // namespace cufrt::mpi\n#endif\n")


def library_header(procedures):
    # Weak, so that a library that lacks some can be linked.
    listed = "".join(f"__attribute__((weak)) {declaration(row, 'p', False)};\n" for row in procedures)
    return (HEAD + "#ifndef CUFRT_MPI_PMPI_H\n#define CUFRT_MPI_PMPI_H\n\n#include <cstddef>\n#include <cstdint>\n\n"
            "extern \"C\" {\n" + listed + "}\n#endif\n")


def entries_source(group):
    listed = [entry(row) for row in group["procedures"] if is_entry(row) and row["name"] not in HAND]
    return (HEAD + "#include \"mpi/call.h\"\n#include \"mpi/pmpi.h\"\n#include \"mpi/split.h\"\n\nusing namespace cufrt::mpi;\n\nextern \"C\" {\n\n"
            + "\n\n".join(listed) + "\n\n} // extern \"C\"\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, help="the folder of what is written")
    parser.add_argument("--list", action="store_true", help="only print the names of the sources")
    arguments = parser.parse_args()
    sources = {f"entries_{group['name']}.cpp": group for group in table.load()}
    if arguments.list:
        print(";".join(sources), end="")
        return
    arguments.out.mkdir(parents=True, exist_ok=True)
    procedures = [row for row in table.procedures() if is_entry(row)]
    texts = {"constants.h": constants_header(), "pmpi.h": library_header(procedures)}
    texts |= {name: entries_source(group) for name, group in sources.items()}
    for name, text in texts.items():
        file = arguments.out / name
        if not file.exists() or file.read_text() != text:
            file.write_text(text)


if __name__ == "__main__":
    main()
