"""The tables of the CUDA libraries' modules as their generators see them: kinds of dummies, reading, checking."""

import copy
import itertools
import sys
import tomllib
from pathlib import Path

import libraries_blas

FOLDER = Path(__file__).resolve().parent.parent / "libraries"

# Fortran and C type of a dummy.
PLAIN = {
    "integer": ("integer(4)", "int"),
    "unsigned": ("integer(4)", "unsigned"),
    "long": ("integer(8)", "long long"),
    "size": ("integer(8)", "size_t"),
    "real2": ("real(2)", "unsigned short"),
    "real4": ("real(4)", "float"),
    "real8": ("real(8)", "double"),
    "complex4": ("complex(4)", "cufrt_complex4"),
    "complex8": ("complex(8)", "cufrt_complex8"),
    "c_ptr": ("type(c_ptr)", "void *"),
    "c_devptr": ("type(c_devptr)", "void *"),
    "stream_handle": ("integer(cuda_stream_kind)", "void *"),
    "raw": ("type(*)", "void"),
    "words": ("character(128)", "const char *"),  # of results: text that C returns, padded with blanks
    "letter": ("character(1)", "char"),
}

# Dummies that arrive as a CFI descriptor: Fortran type, letters of ignore_tkr, C type, and what makes the one of the other.
DESCRIPTORS = {
    "stream": ("integer", "k", "void *", "streamOf"),
    "any_size": ("integer", "k", "size_t", "sizeOf"),
    "any_integer": ("integer", "k", "int", "intOf"),
    "any_long": ("integer", "k", "unsigned long long", "longOf"),
    # Null for null(), a disassociated pointer and c_null_ptr, which C code writes as NULL.
    "layout": ("integer(4)", "tk", "int *", "addressOf"),
    "layout64": ("integer(8)", "tk", "long long *", "addressOf64"),
    "text": ("character(*)", "", "const char *", "textOf"),
}

LETTERS = {"H": ("real2", "real2"), "S": ("real4", "real4"), "D": ("real8", "real8"), "C": ("complex4", "real4"), "Z": ("complex8", "real8")}
MEMORY = {"device": ("device", ""), "host": ("", ""), "any": ("", "dm")}


def names():
    """The modules, each behind those that it uses."""
    tables = {path.stem: tomllib.loads(path.read_text())["library"] for path in sorted(FOLDER.glob("*.toml"))}
    ordered = []

    def add(name):
        for used in tables[name].get("uses", []):
            add(used)
        if name not in ordered:
            ordered.append(name)

    for name in tables:
        add(name)
    return ordered


def handed_on():
    """For each module: those that hand its names on, modules for programs before those that only others use."""
    uses = {name: tomllib.loads((FOLDER / f"{name}.toml").read_text())["library"].get("uses", []) for name in names()}

    def reaches(name, wanted):
        return any(used == wanted or reaches(used, wanted) for used in uses[name])

    return {wanted: sorted((name for name in uses if reaches(name, wanted)), key=lambda name: name.endswith("_types"))
            for wanted in uses}


def in_cudafor():
    """By module: the names that cudafor hands on, in order; those of its operators are left out."""
    found = {}
    for table in map(load, names()):
        rows = [row["name"] for row in table["type"] if row.get("in_cudafor")]
        rows += [value["name"] for block in table["constants"] if block.get("in_cudafor") for value in block["values"]]
        if rows:
            found[table["library"]["name"]] = rows
    return found


def load(name):
    with open(FOLDER / f"{name}.toml", "rb") as file:
        table = tomllib.load(file)
    for key in ("group", "routine", "type", "constants"):
        table.setdefault(key, [])
    table["routine"] = [each for row in table["routine"] for each in expanded(row, table.get("dummy", {}))]
    if "older_form_of" in table["library"]:
        handled = load(table["library"]["older_form_of"])
        table["routine"] += libraries_blas.rows(handled, table["library"])
    validate(table)
    return table


def expanded(row, shared):
    """The rows of one with `each`, with the dummies that are named by keys."""
    for number, letter in enumerate(row.get("each", [None])):
        made = copy.deepcopy(row)
        made["dummies"] = [copy.deepcopy(shared[d]) if isinstance(d, str) else d for d in made["dummies"]]
        for key, several in (("name", "names"), ("generic", "generics")):
            if several in row:
                made[key] = row[several][number]
        if letter:
            letters(made, letter)
        yield made


def letters(row, letter):
    types = dict(zip("TR", LETTERS[letter]))
    for key in ("name", "generic", "symbol", "summary", "description"):
        if key in row:
            row[key] = row[key].replace("{T}", letter).replace("{t}", letter.lower())
    if "joins" in row:
        joined = [row["joins"]] if isinstance(row["joins"], str) else row["joins"]
        row["joins"] = [name.replace("{T}", letter) for name in joined]
    for dummy in row["dummies"]:
        dummy["type"] = types.get(dummy["type"], dummy["type"])
    if "result" in row:
        row["result"] = types.get(row["result"], row["result"])


def validate(table):
    """Ends the program if a row names what is not there, or a name is used twice."""
    name, seen = table["library"]["name"], set()
    groups = {group["name"] for group in table["group"]}
    types = {row["name"] for row in table["type"]} | set(table["library"].get("types", []))
    values = [value["name"] for block in table["constants"] for value in block["values"]]
    for each in [row["name"] for row in table["routine"] + table["type"]] + values:
        if each.lower() in seen:
            sys.exit(f"{name}.toml: {each} is defined twice")
        seen.add(each.lower())
    for row in table["routine"] + table["type"] + table["constants"]:
        if row["group"] not in groups:
            sys.exit(f"{name}.toml: {row['name']}: no group {row['group']}")
    for row in table["routine"]:
        for dummy in row["dummies"]:
            known = dummy["type"] in PLAIN or dummy["type"] in DESCRIPTORS or dummy["type"] in types
            if not known or dummy.get("memory", "host") not in MEMORY or not dummy.get("about"):
                sys.exit(f"{name}.toml: {row['name']}: dummy {dummy['name']}")


def shown_name(row):
    return row.get("generic", row["name"])


def fortran_type(dummy):
    if dummy["type"] in DESCRIPTORS:
        return DESCRIPTORS[dummy["type"]][0]
    return PLAIN[dummy["type"]][0] if dummy["type"] in PLAIN else f"type({dummy['type']})"


def by_value(dummy):
    return dummy.get("intent", "in") == "in" and "memory" not in dummy and not dummy.get("optional")


def alternatives(row):
    """For each dummy that an address may stand for: the Fortran types of the combinations, by name.

    Three dummies or less in all combinations, more of them all alike."""
    free = {d["name"]: "c_ptr" if d["address"] == "c_ptr" else "c_devptr" for d in row["dummies"] if d.get("address")}
    if len(free) <= 3:
        chosen = [list(c) for n in range(len(free) + 1) for c in itertools.combinations(free, n)]
    else:
        chosen = [[], list(free)]
    return [{name: free[name] for name in names} for names in chosen]
