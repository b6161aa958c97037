#!/usr/bin/env python3
"""Writes lib/cufc/api.json: what the editor shows of names that no source file declares.

Usage: api_json.py OUTPUT

One entry for each name of a module: cudafor, cudadevice, libm, cooperative_groups, the CUDA libraries', Fortran's intrinsic
procedures and modules, and the keywords of CUDA Fortran. lsp/ide/api_table.h explains the fields.
"""

import json
import sys
import tomllib

import cudafor_table
import curand_device
import device_table
import libraries_docs
import libraries_table
import mpi_table
import mpi_texts
import openmp_words
from cudafor_docs import FORTRAN_IN_DOCS
from cudafor_table import PLAIN, TABLES

CLASSES = {"elemental": "Elemental function", "transformational": "Function", "inquiry": "Inquiry function",
           "subroutine": "Subroutine"}


def read(name):
    with open(TABLES / name, "rb") as file:
        return tomllib.load(file)


def filled(entry):
    """Without fields that say nothing."""
    return {key: value for key, value in entry.items() if value not in ("", [], None, False)}


def sentence(words):
    return words[:1].upper() + words[1:] + "." if words else ""


def head(name, arguments):
    text = ""
    for argument in arguments:
        comma = ", " if text else ""
        text += f" [{comma}{argument['name']}]" if argument.get("optional") else comma + argument["name"]
    return f"{name}({text.strip()})"


# ------------------------------------------------------------------------------------------- cudafor


def api_argument(dummy):
    kind = FORTRAN_IN_DOCS.get(dummy["type"]) or PLAIN[dummy["type"]][0]
    kind += f", dimension({dummy['extent']})" if "extent" in dummy else ""
    return filled({"name": dummy["name"], "type": kind, "intent": dummy["intent"], "optional": dummy.get("optional"),
                   "unit": dummy.get("unit"), "about": dummy["about"]})


def api_routine(row):
    result = row.get("result", "integer(4)")
    name = row.get("generic", row["name"])
    arguments = [api_argument(dummy) for dummy in row["dummies"]]
    by_name = {argument["name"]: argument for argument in arguments}
    forms = [list(names) for names in row["forms"].values()] if "forms" in row else [list(by_name)]
    subroutine = result == "none"
    variable = "call " if subroutine else "istat = " if "result" not in row else "result = "
    usage = [row["usage"]] if "usage" in row else \
        [variable + head(name, [by_name[argument] for argument in form]) for form in forms]
    return filled({
        "name": name, "alias": row["name"] if name != row["name"] else "",
        "kind": "subroutine" if subroutine else "function", "module": "cudafor", "usage": usage,
        "summary": row["summary"], "description": row.get("description"), "arguments": arguments, "forms": forms,
        "result": "" if subroutine else {"text": "character(128)"}.get(result, PLAIN.get(result, [result])[0]),
        "errors": row["errors"], "c": row.get("c"), "since": row.get("since")})


def api_type(row):
    components = [filled({"name": c["name"] + (f"({c['extent']})" if "extent" in c else ""), "type": c["type"],
                          "about": c.get("about")}) for c in row["components"] if not c.get("private")]
    return filled({"name": row["name"], "kind": "type", "module": "cudafor", "usage": [f"type({row['name']})"],
                   "summary": row["summary"], "description": row["description"], "components": components,
                   "c": row["c"]})


def api_constants(block):
    for value in block["values"]:
        yield filled({"name": value["name"], "kind": "constant", "module": "cudafor",
                      "usage": [f"{block.get('type', 'integer(4)')}, parameter :: {value['name']} = {value['value']}"],
                      "summary": sentence(value.get("about", "")), "description": block["about"],
                      "value": str(value["value"])})


# -------------------------------------------------------------------------------------- device code


def kinds(row):
    if "types" in row:
        return "T is " + ", ".join(row["types"]) + "."
    return ""


def device_argument(dummy):
    return filled({"name": dummy["name"], "type": dummy.get("type", ""), "intent": dummy.get("intent", "in"),
                   "optional": dummy.get("optional"), "about": dummy["about"]})


def accuracy(row):
    if "ulp" not in row:
        return ""
    return "Correctly rounded." if row["ulp"] == 0 else f"Error at most {row['ulp']} ulp."


def device_routine(row):
    arguments = [device_argument(dummy) for dummy in row["dummies"]]
    start = "call " if row.get("subroutine") else "result = "
    facts = [kinds(row), row.get("description", ""), accuracy(row)]
    return filled({
        "name": row["name"], "kind": "subroutine" if row.get("subroutine") else "function", "module": row["module"],
        "usage": [start + head(row["name"], arguments)], "summary": row["summary"],
        "description": " ".join(fact for fact in facts if fact), "arguments": arguments,
        "forms": [[argument["name"] for argument in arguments]], "result": row.get("result"), "c": row.get("c")})


# ------------------------------------------------------------------------------------------ Fortran


def intrinsic_argument(text):
    """"stat? out: integer" as an argument."""
    left, _, kind = text.partition(":")
    name, *intent = left.split()
    return filled({"name": name.rstrip("?"), "type": kind.strip(), "intent": intent[0] if intent else "in",
                   "optional": name.endswith("?")})


def intrinsic(row, kind, module="intrinsic"):
    arguments = [intrinsic_argument(text) for text in row["arguments"]]
    subroutine = kind == "subroutine"
    return filled({
        "name": row["name"], "kind": "subroutine" if subroutine else "function", "module": module,
        "usage": [("call " if subroutine else "result = ") + head(row["name"], arguments)], "summary": row["about"],
        "description": CLASSES[kind] + (" of Fortran." if module == "intrinsic" else "."), "arguments": arguments,
        "forms": [[argument["name"] for argument in arguments]], "result": row.get("result")})


def fortran(device):
    """The intrinsic procedures, with what the table of device code knows of them."""
    on_device = {row["name"]: row for row in device["routine"] if row["module"] == "intrinsic"}
    for kind, rows in read("fortran_intrinsics.toml").items():
        for row in rows:
            entry = intrinsic(row, kind)
            known = on_device.get(row["name"])
            if known:
                more = ["In device code also."] + [text for text in (accuracy(known),) if text]
                entry["description"] += " " + " ".join(more)
                entry["device"] = True
            yield entry


def module_names(name, use, module):
    """A module and its names, of a row that has the form of fortran_modules.toml."""
    yield {"name": name, "kind": "module", "usage": [f"{use} {name}"], "summary": module["about"]}
    for row in module["constants"]:
        yield {"name": row["name"], "kind": "constant", "module": name,
               "usage": [f"{use} {name}, only: {row['name']}"], "summary": sentence(row["about"])}
    for row in module["types"]:
        yield {"name": row["name"], "kind": "type", "module": name, "usage": [f"type({row['name']})"],
               "summary": row["about"]}
    for row in module["procedures"]:
        yield intrinsic(row, row["class"], name)


def intrinsic_modules():
    for module in read("fortran_modules.toml")["module"]:
        yield from module_names(module["name"], "use, intrinsic ::", module)


def openmp():
    for entry in openmp_words.words(read("openmp.toml")):
        yield filled({**entry, "module": ""})
    yield from module_names("omp_lib", "use", read("openmp_lib.toml"))


# ------------------------------------------------------------------------------- the CUDA libraries


def library_routine(row, module):
    name = libraries_table.shown_name(row)
    arguments = [filled({"name": d["name"], "type": libraries_docs.type_text(d), "intent": d.get("intent", "in"),
                         "unit": d.get("unit"), "about": d["about"], "optional": d.get("optional")}) for d in row["dummies"]]
    return filled({
        "name": name, "alias": row["name"] if name != row["name"] else "",
        "kind": "subroutine" if row.get("result") == "none" else "function", "module": module,
        "usage": [libraries_docs.usage(row)], "summary": row["summary"], "description": row.get("description"),
        "arguments": arguments, "forms": [[argument["name"] for argument in arguments]],
        "result": libraries_docs.result_text(row), "c": f"{row.get('symbol', row['name'])}", "since": row.get("since")})


def libraries():
    """With the modules that hand a name on; what only those use is theirs for programs."""
    through, of_cudafor = libraries_table.handed_on(), libraries_table.in_cudafor()
    for name in libraries_table.names():
        for entry in library_names(name):
            others = (["cudafor"] if entry["name"] in of_cudafor.get(name, []) else []) + through[name]
            own = entry["kind"] == "module" or not others
            yield entry if own else {**entry, "through": others, "offered": others[0] if name.endswith("_types") else name}


def library_names(name):
    table = libraries_table.load(name)
    yield {"name": name, "kind": "module", "usage": [f"use {name}"], "summary": table["library"]["about"]}
    for row in table["routine"]:
        yield library_routine(row, name)
    for row in table["type"]:
        yield {**api_type(row), "module": name}
    for block in table["constants"]:
        yield from ({**entry, "module": name} for entry in api_constants(block))


# ---------------------------------------------------------------------------------------------- MPI


def mpi_procedure(row, module):
    """In mpi_f08, or in module mpi and with mpif.h."""
    arguments = [filled({"name": name, "type": kind, "intent": intent, "optional": optional, "about": about})
                 for name, kind, intent, optional, about in mpi_texts.arguments(row, module == "mpi_f08")]
    result = {"address": "integer(MPI_ADDRESS_KIND)"}.get(row.get("result"), row.get("result"))
    return filled({
        "name": row["name"], "kind": "function" if result else "subroutine", "module": module,
        "usage": [mpi_texts.usage(row, module == "mpi_f08")], "summary": row["about"],
        "description": " ".join([text for text in (row.get("description"),) if text] + mpi_texts.facts(row)),
        "arguments": arguments, "forms": [[argument["name"] for argument in arguments]], "result": result})


def mpi_constant(row, module):
    kind = mpi_texts.type_text({"type": row["type"]}, module == "mpi_f08")
    held = {"status": "type(MPI_Status)" if module == "mpi_f08" else "integer", "string": "character"}
    sentinel = row["type"] == "sentinel"
    declared = held.get(row["holds"], "integer") if sentinel else f"{kind}, parameter"
    return {"name": row["name"], "kind": "constant", "module": module, "usage": [f"{declared} :: {row['name']}"],
            "summary": sentence(row["about"]), "description": "Its value is the MPI library's."}


def mpi_types():
    for kind, name in mpi_table.HANDLES.items():
        component = {"name": "MPI_VAL", "type": "integer", "about": "the handle as module mpi has it"}
        yield {"name": name, "kind": "type", "module": "mpi_f08", "usage": [f"type({name})"],
               "summary": f"The handle of {HANDLE_WORDS[kind]}.", "components": [component]}
    parts = [("MPI_SOURCE", "rank that sent the message"), ("MPI_TAG", "its tag"), ("MPI_ERROR", "error code")]
    yield {"name": "MPI_Status", "kind": "type", "module": "mpi_f08", "usage": ["type(MPI_Status)"],
           "summary": "What is known of a received message, or of another operation that is complete.",
           "components": [{"name": name, "type": "integer", "about": about} for name, about in parts]}


HANDLE_WORDS = {"comm": "a communicator", "datatype": "a datatype", "errhandler": "an error handler", "file": "a file",
                "group": "a group of ranks", "info": "a list of hints", "message": "a matched message",
                "op": "a reduction operation", "request": "an operation under way", "session": "a session",
                "win": "a window"}


def mpi():
    for module in ("mpi", "mpi_f08"):
        for row in mpi_table.procedures():
            if module in mpi_table.modules(row):
                yield mpi_procedure(row, module)
        for row in mpi_table.constants():
            if module == "mpi" or row["type"] in mpi_table.HANDLES or row.get("holds") == "status":
                yield mpi_constant(row, module)
    yield from mpi_types()


MODULES = {
    "mpi": "The Message Passing Interface: handles are integers, procedures have interfaces.",
    "mpi_f08": "The Message Passing Interface with a type for each kind of handle; `ierror` may be left out.",
    "cudafor": "The CUDA runtime API for Fortran: devices, memory, streams, events, and types such as `dim3`.",
    "cudadevice": "The procedures of device code; all device code knows them without USE.",
    "libm": "C's mathematical functions, for host and device code.",
    "cooperative_groups": "Groups of threads that wait for each other: a grid, a cluster, a block, a warp.",
}


def entries():
    cudafor, device = cudafor_table.load(), device_table.load()
    for name, about in MODULES.items():
        yield {"name": name, "kind": "module", "usage": [f"use {name}"], "summary": about}
    for row in cudafor["routine"]:
        yield api_routine(row)
    for row in cudafor["type"]:
        yield api_type(row)
    for block in cudafor["constants"]:
        yield from api_constants(block)
    yield from fortran(device)
    for row in device["routine"]:
        if row["module"] != "intrinsic":
            yield device_routine(row)
    yield from intrinsic_modules()
    yield from libraries()
    yield from map(filled, curand_device.entries())
    yield from mpi()
    yield from openmp()
    for kind, rows in read("cuda_keywords.toml").items():
        for row in rows:
            yield filled({**row, "kind": kind, "module": ""})


def main():
    seen, result = set(), []
    for entry in entries():
        key = (entry["name"].lower(), entry.get("module", ""), entry["kind"] == "prefix")
        if key in seen:  # several rows of one generic name
            first = next(e for e in result if e["name"].lower() == key[0] and e.get("module", "") == key[1])
            merge(first, entry)
            continue
        seen.add(key)
        result.append(entry)
    common = set(read("common_names.toml")["names"])
    for entry in result:
        if entry["name"].lower() in common:
            entry["common"] = True
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump({"entries": result}, file, separators=(",", ":"))
        file.write("\n")


def merge(first, other):
    """The rows of one generic name become one entry with all argument lists."""
    first["usage"] = first["usage"] + [line for line in other["usage"] if line not in first["usage"]]
    names = {argument["name"] for argument in first.get("arguments", [])}
    more = [argument for argument in other.get("arguments", []) if argument["name"] not in names]
    first["arguments"] = first.get("arguments", []) + more
    first["forms"] = first.get("forms", []) + other.get("forms", [])
    if other["summary"] != first["summary"]:
        first["description"] = (first.get("description", "") + " " + other["summary"]).strip()


if __name__ == "__main__":
    main()
