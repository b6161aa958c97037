"""Emits module cudafor from compiler/tables/cudafor*.toml.

    cudafor.py --module cudafor.cuf --wide-module cudafor_wide.cuf --entries entries.h --wrappers wrappers.cpp
    cudafor.py --docs docs/reference [--check]

The module holds interfaces alone, so that it loads quickly. An argument whose kind or type is free
is one assumed-rank dummy with `ignore_tkr`, which brings its descriptor to the C side. Where that is
to be the caller's own descriptor, cufc passes it (compiler/lower/allocatable_arguments.cpp).
Where a procedure or its address may be passed, there is a specific procedure for each.
The wide module is for sources that are compiled with -i8: routines with integer dummies have a second specific
procedure, for integers of kind 8. It calls the first.
With --check nothing is written, and the exit status is 1 if a page of the documentation is stale.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from cudafor_docs import pages
from cudafor_table import (ADDRESSES, DESCRIPTORS, NOTICE, PLAIN, PROCEDURES, STRUCTURES, TABLES,
                           array_kind, forms, load, takes_procedure)
from libraries_table import in_cudafor
from output import stale, write


# ---------------------------------------------------------------------------- the Fortran module


def by_value(dummy):
    """Integers that are always there are passed by value, as flang does most cheaply."""
    free = dummy.get("optional") or "extent" in dummy
    return dummy["type"] == "integer" and dummy["intent"] == "in" and not free


def declaration(dummy):
    """The declaration of a dummy inside an interface body."""
    attributes = ", optional" if dummy.get("optional") else ""
    name, intent = dummy["name"], f", intent({dummy['intent']})"
    if dummy["type"] in DESCRIPTORS:
        fortran, letters = DESCRIPTORS[dummy["type"]]
        # An assumed-type dummy may not have intent(out), and a copy may reach only a part of it.
        intent = "" if fortran == "type(*)" and dummy["intent"] != "in" else intent
        return [f"{fortran}{intent}, dimension(..){attributes} :: {name}",
                f"!dir$ ignore_tkr({letters}) {name}"]
    if dummy["type"] in PROCEDURES:
        return [f"external :: {name}"]
    value = ", value" if by_value(dummy) else ""
    extent = f"({dummy['extent']})" if "extent" in dummy else ""
    return [f"{PLAIN[dummy['type']][0]}{intent}{value}{attributes} :: {name}{extent}"]


def result_type(routine):
    result = routine.get("result")
    return "character(128)" if result == "text" else PLAIN[result or "integer"][0]


@dataclass
class Specific:
    """One procedure: its label for C, or none if it is called by its mangled name; the dummies that it
    has; and what replaces the declarations of those that vary between the specifics of a routine."""

    name: str
    binding: "str | None"
    dummies: "list[dict]"
    replaced: "dict[str, list[str]]"


def interface_body(routine, specific):
    bind = " &" if specific.binding else ""
    kind = "subroutine" if routine.get("result") == "none" else f"{result_type(routine)} function"
    pure = "pure " if routine.get("pure") else ""
    names = ", ".join(dummy["name"] for dummy in specific.dummies)
    lines = [f"{pure}{kind} {specific.name}({names}){bind}"]
    lines += [f'  bind(c, name="{specific.binding}")'] if specific.binding else []
    lines += ["  import"] if specific.dummies else []
    for dummy in specific.dummies:
        declared = specific.replaced.get(dummy["name"]) or declaration(dummy)
        lines += ["  " + line for line in declared]
    return lines + ["end " + kind.split()[-1]]


def array_binding(routine):
    """The label says whether other arrays than allocatables and pointers will do."""
    return f"cufrt_f_{routine['name']}_" + ("array" if routine.get("any_array") else "descriptor")


def array_specifics(routine):
    """For an array, and for what may stand there instead."""
    dummies = routine["dummies"]
    dummy = next(d for d in dummies if d["type"] in ADDRESSES)
    name, lower, label = dummy["name"], f"cufrt_f_{routine['name'].lower()}", f"cufrt_f_{routine['name']}"
    attribute, addresses = ADDRESSES[dummy["type"]]
    array = [f"type(*), {attribute}, dimension(..), intent({dummy['intent']}) :: {name}",
             f"!dir$ ignore_tkr(tkc) {name}"]
    # What releases memory leaves an address as it is.
    intent = "in" if routine.get("any_array") else "inout"
    return [Specific(f"{lower}_array", array_binding(routine), dummies, {name: array})] + [
        Specific(f"{lower}_{suffix}", f"{label}_{suffix}", dummies,
                 {name: [f"{fortran}, intent({intent}) :: {name}"]})
        for suffix, fortran in addresses.items()]


def procedure_specifics(routine):
    """For a procedure, and for its c_funptr."""
    dummies, lower, label = routine["dummies"], f"cufrt_f_{routine['name'].lower()}", f"cufrt_f_{routine['name']}"
    pointer = {d["name"]: [f"type(c_funptr), intent(in), value :: {d['name']}"]
               for d in dummies if d["type"] in PROCEDURES}
    return [Specific(lower, label, dummies, {}), Specific(f"{lower}_ptr", f"{label}_ptr", dummies, pointer)]


def is_by_name(routine):
    """Whether characters are passed, as flang does with their length, which C does not know."""
    return routine.get("result") == "text" or any(d["type"] == "text" for d in routine["dummies"])


def specifics(routine):
    name, dummies = routine["name"], routine["dummies"]
    lower, label = f"cufrt_f_{name.lower()}", f"cufrt_f_{name}"
    if array_kind(routine):
        return array_specifics(routine)
    if takes_procedure(routine):
        return procedure_specifics(routine)
    if "forms" in routine:
        return [Specific(f"{lower}_{suffix}", f"{label}_{suffix}", form, {}) for suffix, form in forms(routine)]
    if is_by_name(routine):
        return [Specific(lower, None, dummies, {})]
    return [Specific(lower if "generic" in routine else name, label, dummies, {})]


def interface(routine, wide=False):
    procedures = specifics(routine)
    bodies = [interface_body(routine, procedure) for procedure in procedures]
    generic = routine.get("hidden", routine.get("generic", routine["name"]))
    if wide and takes_wide_integers(routine):
        return wide_interface(generic, procedures[0].name, bodies[0], routine)
    opening = "interface" if procedures[0].name == generic else f"interface {generic}"
    return [opening] + ["  " + line for body in bodies for line in body] + ["end interface"]


# ------------------------------------------------------------------------- integers of kind 8, for -i8


def is_scalar_integer(dummy):
    return dummy["type"] == "integer" and "extent" not in dummy and not dummy.get("optional")


def takes_wide_integers(routine):
    """One procedure whose integers are scalars that are always there; the other dummies are passed on."""
    dummies = routine.get("dummies", [])
    special = array_kind(routine) or takes_procedure(routine) or "forms" in routine or is_by_name(routine)
    return not special and any(map(is_scalar_integer, dummies))


def wide_name(routine):
    return f"cufrt_i8_{routine['name'].lower()}"


def wide_interface(generic, name, body, routine):
    """The generic's own name cannot be that of a procedure beside another, so the first gets another one."""
    renamed = [line.replace(f" {name}(", f" cufrt_f_{name.lower()}(", 1) for line in body] if name == generic else body
    return [f"interface {generic}"] + ["  " + line for line in renamed] + [f"  procedure {wide_name(routine)}",
                                                                          "end interface"]


def wide_procedure(routine):
    dummies, names = routine["dummies"], ", ".join(d["name"] for d in routine["dummies"])
    integers = [d["name"] for d in dummies if is_scalar_integer(d)]
    written = [d["name"] for d in dummies if is_scalar_integer(d) and d["intent"] != "in"]
    read = [d["name"] for d in dummies if is_scalar_integer(d) and d["intent"] != "out"]
    lines = [f"{result_type(routine)} function {wide_name(routine)}({names}) result(cufrt_result)"]
    for dummy in dummies:
        kind = f"integer(8), intent({dummy['intent']}) :: {dummy['name']}"
        lines += ["  " + line for line in ([kind] if is_scalar_integer(dummy) else declaration(dummy))]
    lines += [f"  integer(4) :: {name}_4" for name in integers]
    lines += [f"  {name}_4 = int({name}, 4)" for name in read]
    actual = ", ".join(f"{d['name']}_4" if d["name"] in integers else d["name"] for d in dummies)
    lines += [f"  cufrt_result = {routine.get('generic', routine['name'])}({actual})"]
    lines += [f"  {name} = {name}_4" for name in written]
    return ["  " + line for line in lines + ["end function"]]


def type_definition(row):
    lines = ["type, bind(c) :: " + row["name"] if row.get("bind_c") else "type :: " + row["name"]]
    for component in row["components"]:
        private = ", private" if component.get("private") else ""
        extent = f"({component['extent']})" if "extent" in component else ""
        initial = f" = {component['initial']}" if "initial" in component else ""
        lines.append(f"  {component['type']}{private} :: {component['name']}{extent}{initial}")
    return lines + ["end type"]


def stream_argument(kind):
    """What the front end puts into the mask of a reduction that names a stream (frontend/lenient/stream_arguments.cpp)."""
    name = f"cufrt_on_stream_{kind}"
    return ["interface", f"  logical(1) function {name}(stream) bind(c, name='{name}')",
            f"    integer({kind}), value :: stream", "  end function", "end interface"]


def module_source(tables, flang, wide=False):
    """For a version of flang."""
    renames = ", ".join(f"{t['name']} => {t['builtin']}" for t in tables["type"] if "builtin" in t)
    lines = [
        "! The CUDA runtime API for host code.",
        f"! {NOTICE}",
        "module cudafor",
        "use, intrinsic :: iso_c_binding",
        f"use, intrinsic :: __fortran_builtins, only: {renames}, c_devloc => __builtin_c_devloc",
        *(f"use {module}, only: operator(==), operator(/=), {', '.join(names)}" for module, names in in_cudafor().items()),
        "implicit none",
        "type(c_devptr), parameter :: c_null_devptr = c_devptr(c_null_ptr)",
        "integer, parameter :: cuda_stream_kind = c_intptr_t, cuda_count_kind = c_size_t",
    ]
    for block in tables["constants"]:
        kind = 8 if wide else 4  # with -i8 they are arguments beside default integers
        lines += [f"integer({kind}), parameter :: {v['name']} = {v['value']}" for v in block["values"]]
    for row in tables["type"]:
        lines += [] if "builtin" in row else type_definition(row)
    for routine in tables["routine"]:
        lines += interface(routine, wide) if flang < routine.get("until_flang", sys.maxsize) else []
    lines += stream_argument(4) + stream_argument(8)
    if wide:
        lines.append("contains")
        for routine in filter(takes_wide_integers, tables["routine"]):
            lines += wide_procedure(routine)
    return "\n".join(lines + ["end module cudafor", ""])


def wide_module_source(tables, flang):
    return module_source(tables, flang, wide=True)


# ---------------------------------------------------------------------------------- the C wrappers


def pointer_to(plain):
    return plain + ("*" if plain.endswith("*") else " *")


def c_type(dummy):
    if dummy["type"] in DESCRIPTORS:
        return "const CFI_cdesc_t *"
    if by_value(dummy):
        return "int "
    if dummy["type"] in PROCEDURES:
        return "void *"
    const = "const " if dummy["intent"] == "in" and dummy["type"] in ("integer", "text") else ""
    return const + pointer_to(PLAIN[dummy["type"]][1])


def c_parameters(dummies, array="CFI_cdesc_t *"):
    """C's parameter list; `array` is the type of an allocatable dummy or the address instead of it."""
    return [(array if d["type"] in ADDRESSES else c_type(d)) + d["name"] for d in dummies]


def c_result(routine):
    result = routine.get("result", "integer")
    return "void" if result == "none" else PLAIN[result][1]


def signature(name, parameters, result="int"):
    return f"{result} {name}({', '.join(parameters)})"


def entry_points(routine):
    name, dummies = f"cufrt_f_{routine['name']}", routine["dummies"]
    if kind := array_kind(routine):
        yield signature(name + "_allocatable", c_parameters(dummies), c_result(routine))
        if routine.get("any_array"):
            yield signature(name + "_array", c_parameters(dummies))
        for suffix, fortran in ADDRESSES[kind][1].items():
            c = next(c for plain, c in PLAIN.values() if plain == fortran)
            yield signature(f"{name}_{suffix}", c_parameters(dummies, pointer_to(c)))
    elif routine.get("result") == "text":
        parameters = ["char *result", "size_t length"] + c_parameters(dummies)
        yield signature(name.lower() + "_", parameters, "cufrt::TextResult")
    elif is_by_name(routine):
        lengths = [f"size_t {d['name']}Length" for d in routine["dummies"] if d["type"] == "text"]
        yield signature(name.lower() + "_", c_parameters(dummies) + lengths, c_result(routine))
    elif "forms" in routine:
        for suffix, form in forms(routine):
            yield signature(f"{name}_{suffix}", c_parameters(form), c_result(routine))
    else:
        yield signature(name, c_parameters(dummies), c_result(routine))
    if takes_procedure(routine):
        yield signature(name + "_ptr", c_parameters(dummies))


def entries_header(tables):
    """Declarations of the entry points that are written by hand, so that the two cannot differ."""
    lines = [f"// Entry points of module cudafor. {NOTICE}",
             "#ifndef CUFRT_CUDAFOR_ENTRIES_H", "#define CUFRT_CUDAFOR_ENTRIES_H", "",
             '#include "cufrt/device.h"', '#include "cufrt/device_properties.h"', "",
             "#include <flang/ISO_Fortran_binding.h>", "",
             "namespace cufrt {",
             "// How a function of type character comes back: address and length of the result.",
             "struct TextResult {", "  char *text;", "  size_t length;", "};", "} // namespace cufrt",
             "", 'extern "C" {']
    for routine in tables["routine"]:
        lines += [declared + ";" for declared in entry_points(routine)]
    return "\n".join(lines + ["}", "", "#endif // CUFRT_CUDAFOR_ENTRIES_H", ""])


def backend_argument(dummy):
    """The argument of the CUDA function for a dummy, and what has to hold for it."""
    name, kind = dummy["name"], dummy["type"]
    if kind == "stream":
        return f"{name}Value", f"streamHandle({name}, {name}Value)"
    if kind == "any_integer":
        return f"{name}Value", f"sizeValue({name}, {name}Value)"
    if dummy.get("optional"):
        return f"{name} ? *{name} : 0", None
    if by_value(dummy):
        return name, None
    if kind in STRUCTURES or kind in PROCEDURES or "extent" in dummy:
        return name, name
    return (name if dummy["intent"] == "out" else f"*{name}"), name


def mechanical_wrapper(routine):
    arguments, conditions, lines = [], [], []
    for dummy in routine["dummies"]:
        argument, condition = backend_argument(dummy)
        if dummy["type"] == "stream":
            lines.append(f"  void *{dummy['name']}Value = nullptr;")
        if dummy["type"] == "any_integer":
            lines.append(f"  size_t {dummy['name']}Value = 0;")
        arguments.append(argument)
        conditions += [condition] if condition else []
    if conditions:
        refused = " || ".join("!" + condition for condition in conditions)
        lines += [f"  if ({refused})", "    return invalidValue();"]
    backend = routine.get("backend", routine["name"])
    lines.append(f"  return cufrt::api().{backend}({', '.join(arguments)});")
    parameters = c_parameters(routine["dummies"])
    return [signature(f"cufrt_f_{routine['name']}", parameters) + " {"] + lines + ["}", ""]


def pointer_wrapper(routine):
    """The specific for a c_funptr, which is the address that the other one gets."""
    name, names = f"cufrt_f_{routine['name']}", ", ".join(d["name"] for d in routine["dummies"])
    return [signature(name + "_ptr", c_parameters(routine["dummies"])) + " {", f"  return {name}({names});",
            "}", ""]


def wrappers_source(tables):
    lines = [f"// Entry points of module cudafor that only pass their arguments on. {NOTICE}",
             '#include "cudafor/arguments.h"', '#include "cudafor/entries.h"', "",
             '#include "cufrt/device.h"', "",
             "using cufrt::cudafor::invalidValue;", "using cufrt::cudafor::sizeValue;",
             "using cufrt::cudafor::streamHandle;", ""]
    for routine in tables["routine"]:
        if routine.get("wrapper") != "hand":
            lines += mechanical_wrapper(routine)
        lines += pointer_wrapper(routine) if takes_procedure(routine) else []
    return "\n".join(lines)


# -------------------------------------------------------------------------------------------- main


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for output in ("module", "wide-module", "entries", "wrappers", "docs"):
        parser.add_argument(f"--{output}", type=Path)
    parser.add_argument("--flang", type=int, default=22, help="the version that compiles the modules")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    tables = load()
    if options.check:
        old = stale(options.docs or TABLES.parents[1] / "docs/reference", pages(tables))
        sys.exit("stale: " + ", ".join(old) if old else 0)
    for output, emit in {"module": module_source, "wide_module": wide_module_source}.items():
        if path := getattr(options, output):
            write(path, emit(tables, options.flang))
    for output, emit in {"entries": entries_header, "wrappers": wrappers_source}.items():
        if path := getattr(options, output):
            write(path, emit(tables))
    for name, text in pages(tables).items() if options.docs else ():
        write(options.docs / name, text)


if __name__ == "__main__":
    main()
