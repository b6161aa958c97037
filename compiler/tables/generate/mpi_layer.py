"""Writes the entries of the MPI layer, runtime/mpi/, from the table of MPI:

    constants.h       the constants and sentinels that the layer knows, by the index under which the kit passes them
    pmpi.h            the library's procedures under their profiling names
    entries_GROUP.cpp the procedures of a group under names of the layer, cufrt_pmpi_send_
    names.cpp         the names that programs call, mpi_send_, which precede the library's

Those with large counts are written by mpi_large.py, which calls the library's C functions. The names that programs call
are weak: a program may have a procedure of that name of its own, which calls PMPI_Send.

An entry gives its arguments on to the library's procedure. One with choice buffers first tells runtime/mpi/call.h which
parts of them the call reads and writes. Those in HAND are written by hand.
"""

import argparse
from pathlib import Path

import mpi_table as table

HAND = {
    "MPI_Wait", "MPI_Test", "MPI_Waitany", "MPI_Testany", "MPI_Waitall", "MPI_Testall", "MPI_Waitsome", "MPI_Testsome",
    "MPI_Request_get_status", "MPI_Request_free", "MPI_Cancel", "MPI_Start", "MPI_Startall", "MPI_Pready",
    "MPI_Pready_range", "MPI_Pready_list", "MPI_Parrived", "MPI_Finalize", "MPI_Abort",
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


PACKED_ONE_SIDED = ("MPI_Put", "MPI_Get", "MPI_Rput", "MPI_Rget")


def uncounted(procedure):
    """MPICH 4.0 gives these an empty status: what is received is read first, and written as a whole."""
    return procedure["name"].removesuffix("_c") in ("MPI_Isendrecv", "MPI_Isendrecv_replace")


def number_type(procedure, count):
    return c_type(find(procedure, count)).removesuffix(" *")


def message_of(procedure, dummy):
    """(variable, its type, its start, what is substituted) if the message may be packed, or None.

    Collective operations keep their datatypes: libraries cut messages by them, and ranks that cut differently would not
    understand each other. Where each block is a message of its own they do not.
    """
    name, count, datatype = dummy["name"], dummy.get("count"), dummy.get("datatype")
    variable = f"{name}Message"
    if dummy.get("displacements_in") == "bytes":
        displacements = dummy["displacements"]
        number = {"size": "partners", "sources": "sources", "destinations": "destinations"}[dummy["times"]]
        wide = c_type(find(procedure, displacements)) == "int64_t *"
        return (variable, f"Messages<{number_type(procedure, count)}, {'int64_t' if wide else 'int'}>",
                f"{{{count}, {displacements}, {datatype}, {number}(*comm)}}",
                {count: f"{variable}.counts", displacements: f"{variable}.displacements", datatype: f"{variable}.datatypes"})
    alone = "times" not in dummy and "displacements" not in dummy and "position" not in dummy
    counted = count not in (None, "1") and datatype != "bytes"
    does = procedure["does"] in ("point_to_point", "file") or procedure["name"].removesuffix("_c") in PACKED_ONE_SIDED
    if alone and counted and does and procedure.get("when") != "partitioned":
        return (variable, f"Message<{number_type(procedure, count)}>", f"{{*{count}, *{datatype}}}",
                {count: f"&{variable}.count", datatype: f"&{variable}.datatype"})
    return None


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
            return [f"int64_t before = *{dummy['position']};", f"{name} = call.add({name}Placed, {both[0]}, {both[1]});"]
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
        if uncounted(procedure) and intent != "in":
            reads = blocks_expression(procedure, dummy)
        if intent == "out" and dummy.get("times") == "sources":
            reads = f"mayLackNeighbours(*comm) ? {writes} : Parts{{}}"
        if intent == "out" and "xscan" in procedure["name"].lower():
            reads = writes  # the first rank's stays as it is
        lines = [f"Parts {name}In = {reads};", f"Parts {name}Out = {writes};"]
        message = message_of(procedure, dummy)
        if not message:
            return lines + [f"{name} = call.add({name}Placed, std::move({name}In), std::move({name}Out));"]
        variable, kind, start, _ = message
        return lines + [f"{kind} {variable}{start};",
                        f"{name} = call.add({name}Placed, std::move({name}In), std::move({name}Out), {variable});"]

    def substitutes(self):
        messages = [message_of(self.procedure, dummy) for dummy in self.all]
        return {name: text for message in messages if message for name, text in message[3].items()}

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
    counted = procedure["does"] in ("point_to_point", "file") and written and when != "partitioned" and not uncounted(procedure)
    request = find(procedure, "request")
    if any("position" in dummy for dummy in written):
        return ["call.finishBytes(ierror, *position - before);"]
    reads = ["call.readsStatus();"] if counted and (status or request or when == "split_begin") else []
    if when == "partitioned":
        return ["call.keepPartitioned(ierror, request, *partitions);"]
    if when == "persistent":
        return reads + ["call.keepPersistent(ierror, request);"]
    if request:
        return reads + ["call.keepWithRequest(ierror, request);"]
    if when == "split_begin":
        return reads + ["call.keepWithFile(ierror, *fh);"]
    if procedure["does"] == "one_sided":
        return ["call.keepWithWindow(ierror, *win, *target_rank);"]
    if counted and status:
        return reads + ["call.finish(ierror, chosen.data());"]
    return ["call.finish(ierror);"]


def library_name(procedure):
    """Who does the work: the library's Fortran procedure, or what calls its C function."""
    return "large_" + symbol(procedure).removesuffix("_c_") if procedure.get("large") else "p" + symbol(procedure)


def call_of(procedure, substitutes=()):
    names = [dict(substitutes).get(name, name) for _, name in parameters(procedure)]
    return f"{library_name(procedure)}({', '.join(names)});"


def opening(procedure):
    lines = []
    if table.has_ierror(procedure):
        lines += ["int own = noError;", "if (!ierror)", "  ierror = &own;"]
    there = f"P{procedure['name']}" if procedure.get("large") else library_name(procedure)
    return lines + [f"if (!{there})", f"  missing(\"{procedure['name']}\");"]


def staged_entry(procedure, buffers):
    # The driver is asked once for each buffer: a question takes a tenth of a microsecond or more.
    placed = [f"PlacedAddress {dummy['name']}Placed({dummy['name']});" for dummy in buffers.all]
    ordinary = " && ".join(f"isOrdinary({dummy['name']}Placed)" for dummy in buffers.all)
    lines = opening(procedure) + placed + [f"if ({ordinary})", f"  return {call_of(procedure)}",
                                  f"Call call(\"{procedure['name']}\");"]
    lines += buffers.statements()
    waits = procedure.get("when", "blocking") not in ("persistent", "partitioned")
    # MPICH 4.0 makes the copy of a rank's own block while it sets a persistent collective operation up.
    if waits or procedure["does"] == "collective":
        lines.append("call.begin();")
    substitutes = buffers.substitutes()
    if find(procedure, "status") and "chosen" in "".join(ending(procedure, buffers)):
        lines.append("Status chosen(status);")
        substitutes["status"] = "chosen.data()"
    lines.append(call_of(procedure, substitutes.items()))
    return lines + ending(procedure, buffers)


# The end of a split collective operation, which names the buffer once more.
def split_end_entry(procedure):
    return opening(procedure) + [
        f"return endSplit(fh, buf, status, ierror, {library_name(procedure)});"
    ]


def entry(procedure):
    buffers = Buffers(procedure)
    if procedure["name"] == "MPI_F_sync_reg":  # nothing is to be done, and the one of MPICH 4.0 wants an argument more
        body = ["(void)buf;"]
    elif procedure.get("when") == "split_end":
        body = split_end_entry(procedure)
    elif buffers.all:
        body = staged_entry(procedure, buffers)
    else:
        body = opening(procedure) + [call_of(procedure)]
    head = declaration(procedure, "cufrt_p")
    return "\n".join([head + " {"] + ["  " + line for line in body] + ["}"])


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
    listed = "".join(f"__attribute__((weak)) {declaration(row, 'p', False)};\n" for row in procedures if not row.get("large"))
    listed += "// The layer's own.\n" + "".join(f"{declaration(row, 'cufrt_p', False)};\n" for row in procedures)
    return (HEAD + "#ifndef CUFRT_MPI_PMPI_H\n#define CUFRT_MPI_PMPI_H\n\n#include <cstddef>\n#include <cstdint>\n\n"
            "extern \"C\" {\n" + listed + "}\n#endif\n")


def entries_source(group):
    listed = [entry(row) for row in group["procedures"] if is_entry(row) and row["name"] not in HAND]
    return (HEAD + "#include \"mpi/call.h\"\n#include \"mpi/pmpi.h\"\n#include \"mpi/kept_buffers.h\"\n\nusing namespace cufrt::mpi;\n\nextern \"C\" {\n\n"
            + "\n\n".join(listed) + "\n\n} // extern \"C\"\n")


def every_row():
    """All entries, each large-count form behind its procedure."""
    plain = [row for row in table.procedures() if is_entry(row)]
    return [row for entry_row in plain for row in (entry_row, table.large_row(entry_row)) if row]


def names_source(rows):
    listed = []
    for row in rows:
        names = ", ".join(name for _, name in parameters(row))
        listed.append(f"__attribute__((weak)) {declaration(row)} {{ cufrt_p{symbol(row)}({names}); }}")
        # Module mpi has a second form of what gives an address.
        if any(dummy["type"] == "base_pointer" for dummy in row["dummies"]) and not row.get("large"):
            for start in ("__attribute__((weak)) void ", "void cufrt_p"):
                head = declaration({**row, "name": row["name"] + "_cptr"}).removeprefix("void ")
                listed.append(f"{start}{head} {{ cufrt_p{symbol(row)}({names}); }}")
    return HEAD + "#include \"mpi/pmpi.h\"\n\nextern \"C\" {\n\n" + "\n".join(listed) + "\n\n} // extern \"C\"\n"


def main():
    import mpi_large  # which uses this module

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, help="the folder of what is written")
    parser.add_argument("--list", action="store_true", help="only print the names of the sources")
    arguments = parser.parse_args()
    sources = {f"entries_{group['name']}.cpp": group for group in table.load()}
    large = {f"large_{group['name']}.cpp": group for group in table.load()
             if any(table.large_row(row) for row in group["procedures"])}
    if arguments.list:
        print(";".join([*sources, *large, "names.cpp"]), end="")
        return
    arguments.out.mkdir(parents=True, exist_ok=True)
    rows = every_row()
    texts = {"constants.h": constants_header(), "pmpi.h": library_header(rows), "names.cpp": names_source(rows)}
    texts |= {name: entries_source(group) for name, group in sources.items()}
    texts |= {name: mpi_large.source(group) for name, group in large.items()}
    for name, text in texts.items():
        file = arguments.out / name
        if not file.exists() or file.read_text() != text:
            file.write_text(text)


if __name__ == "__main__":
    main()
