"""Pages of docs/reference: one for each group of module cudafor's routines, types and constants."""

from cudafor_table import NOTICE, PLAIN, forms
from examples import example

FORTRAN_IN_DOCS = {
    "any_integer": "integer(any kind)",
    "stream": "integer(cuda_stream_kind)",
    "data": "any type, kind and rank",
    "value": "scalar of the data's type",
    "device_array": "device, allocatable or pointer array, or type(c_devptr)",
    "device_target": "device or managed, allocatable, scalar or array",
    "managed_array": "managed, allocatable or pointer array, type(c_devptr) or type(c_ptr)",
    "device_block": "type(cudaPitchedPtr), or device, allocatable or pointer array of rank 3",
    "extents": "integer(any kind), scalar or array",
    "symbol": "type(cudaSymbol), its name, or the variable itself",
    "kernel": "kernel or type(c_funptr)",
    "host_procedure": "subroutine or type(c_funptr)",
}


def dummy_row(dummy):
    kind = FORTRAN_IN_DOCS.get(dummy["type"]) or PLAIN[dummy["type"]][0]
    passing = dummy["intent"] + (", optional" if dummy.get("optional") else "")
    unit = f" ({dummy['unit']})" if "unit" in dummy else ""
    kind += f", dimension({dummy['extent']})" if "extent" in dummy else ""
    return f"| `{dummy['name']}` | {kind} | {passing} | {dummy['about']}{unit} |"


def call(routine, dummies):
    """The call with its optional arguments in brackets."""
    text = ""
    for dummy in dummies:
        comma = ", " if text else ""
        text += f" [{comma}{dummy['name']}]" if dummy.get("optional") else comma + dummy["name"]
    return f"{routine['name']}({text.strip()})"


def routine_section(routine):
    result = routine.get("result", "istat")
    lists = [form for _, form in forms(routine)] if "forms" in routine else [routine["dummies"]]
    calls = [f"{result} = {call(routine, dummies)}" for dummies in lists]
    lines = [f"## {routine.get('generic', routine['name'])}", "", routine["summary"], "", "```fortran"]
    lines += ([routine["usage"]] if "usage" in routine else calls) + ["```", ""]
    if routine["dummies"]:
        lines += ["| argument | type | intent | |", "|---|---|---|---|"]
        lines += [dummy_row(dummy) for dummy in routine["dummies"]] + [""]
    if "description" in routine:
        lines += [routine["description"], ""]
    if routine["errors"]:
        lines += ["Errors: " + ", ".join(f"`{error}`" for error in routine["errors"]) + ".", ""]
    if "c" in routine:
        lines += [f"CUDA C: `{routine['c']}`, since CUDA {routine['since']}.", ""]
    return lines


def type_section(row):
    lines = [f"## type({row['name']})", "", row["summary"], "", row["description"], ""]
    visible = [c for c in row["components"] if not c.get("private")]
    if visible:
        lines += ["| component | type | |", "|---|---|---|"]
    for component in visible:
        extent = f"({component['extent']})" if "extent" in component else ""
        lines.append(f"| `{component['name']}{extent}` | {component['type']} | {component.get('about', '')} |")
    return lines + ([""] if visible else []) + [f"CUDA C: `{row['c']}`.", ""]


def constants_section(block):
    lines = [f"### {block['name']}", "", block["about"], "", "| constant | value | |", "|---|---|---|"]
    lines += [f"| `{v['name']}` | {v['value']} | {v.get('about', '')} |" for v in block["values"]]
    return lines + [""]


def page(tables, group):
    def rows(key):
        return [row for row in tables[key] if row["group"] == group["name"]]

    lines = [f"<!-- {NOTICE} -->", f"# cudafor: {group['title']}", "", group["about"].strip(), "", *example(f"cudafor-{group['name']}")]
    for routine in rows("routine"):
        lines += routine_section(routine)
    for row in rows("type"):
        lines += type_section(row)
    lines += ["## Constants", ""] if rows("constants") else []
    for block in rows("constants"):
        lines += constants_section(block)
    return "\n".join(lines).rstrip() + "\n"


def pages(tables):
    return {f"cudafor-{group['name']}.md": page(tables, group) for group in tables["group"]}
