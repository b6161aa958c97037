"""Emits what follows from compiler/tables/device_intrinsics*.toml.

    device.py --cudadevice FLANG_CUDADEVICE.mod OUT.f90    flang's module and what cufc adds
    device.py --libm OUT.cuf                               module libm
    device.py --names OUT.inc                              functions of libm and their libdevice names
    device.py --tree [--check]             docs/reference/device-*.md and the errors that a test allows

A module file is Fortran text behind a header, so flang's module cudadevice is read from its
installation and extended; the added procedures are external. With --check nothing is written, and
the exit status is 1 if a file in the tree is stale.
"""

import argparse
import re
import sys
from pathlib import Path

from device_docs import pages
from device_table import NOTICE, SUFFIXES, TABLES, load, typed


# ------------------------------------------------------------------------------------- Fortran


def procedure(name, symbol, row, kind=None, left_out=(), attributes="device"):
    """An interface body; `kind` is what T stands for."""
    dummies = [d for d in row["dummies"] if d["name"] not in left_out]
    names = ", ".join(d["name"] for d in dummies)
    word = "subroutine" if row.get("subroutine") else "function"
    lines = [f"attributes({attributes}) {word} {name}({names}) bind(c, name='{symbol}')"]
    for dummy in dummies:
        passing = f", intent({dummy['intent']})" if "intent" in dummy else ", value"
        lines.append(f"  {typed(dummy['type'], kind)}{passing} :: {dummy['name']}")
        # Where the variable lies is not the interface's business, as in flang's module.
        if attributes == "device":
            ignored = "rd" if "intent" in dummy and "vectors" not in row else "d"
            lines.append(f"!dir$ ignore_tkr({ignored}) {dummy['name']}")
    if "result" in row:
        lines.append(f"  {typed(row['result'], kind)} :: {name}")
    return lines + [f"end {word}"]


def symbol_of(row, kind):
    stem = row.get("symbol") or f"cufc_{row['name'].removeprefix('__')}"
    return stem + (f"_{SUFFIXES[kind]}" if kind else "")


def vector_function(row, kind, extent):
    """A function of a short vector; its result is written to a hidden first argument."""
    name, (dummy,) = f"{row['symbol']}_{SUFFIXES[kind]}x{extent}", row["dummies"]
    return [f"attributes(device) function {name}({dummy['name']}) result(z)",
            f"  {kind}, device, intent(in) :: {dummy['name']}({extent})", f"!dir$ ignore_tkr(d) {dummy['name']}",
            f"  {kind} :: z({extent})", "end function"]


def bodies(row):
    """The specific procedures of a row: for each type, and without an optional last argument."""
    optional = [d["name"] for d in row["dummies"] if d.get("optional")]
    for kind in row.get("added", row.get("types", [None])):
        symbol = symbol_of(row, kind)
        name = f"cufc_{row['name'].removeprefix('__')}" + (f"_{SUFFIXES[kind]}" if kind else "")
        if optional:
            yield procedure(name, symbol, row, kind, optional)
            name, symbol = name + "_w", symbol + "_w"
        yield procedure(name, symbol, row, kind)
    for kind, extent in row.get("vectors", {}).items():
        yield vector_function(row, kind, extent)


def addition(row):
    if "alias" in row:
        inside = [f"procedure {row['alias']}"]
    else:
        inside = [line for body in bodies(row) for line in body]
    return [f"interface {row['name']}"] + inside + ["end interface", f"public :: {row['name']}"]


def is_declared(row, specification):
    """Whether flang's module has the procedure of a row: version 23 has some that 22 lacks."""
    return "added" not in row and "symbol" in row and f"function {row['name']}(" in specification \
        and f'name="{row["symbol"]}"' in specification


def with_libdevice_names(specification, rows):
    """flang 23 gives some of libdevice's functions the names that programs use, which nothing defines."""
    symbols = {row["name"]: row["symbol"] for row in rows if row["by"] == "libdevice"}
    return re.sub(r"( function (\w+)\([\w,]*\) bind\(c)\)",
                  lambda match: f'{match[1]},name="{symbols[match[2]]}")' if match[2] in symbols else match[0], specification)


def cudadevice_source(tables, flang):
    text = flang.read_text(encoding="utf-8-sig")
    text = text.replace("atomicadd_r4x", "cufc_atomicadd_r4x")  # flang's lowering of these fails
    text = re.sub(r"(function __ld\w+_cd\(x\)) bind\(c\)", r"\1", text)  # and of types returned in C's way
    specification, contained = text[text.index("module cudadevice"):].split("\ncontains\n")
    added = [line for row in tables["routine"]
             if (row["by"] == "cufc" or "added" in row) and row["module"] == "cudadevice"
             and not is_declared(row, specification) for line in addition(row)]
    return "\n".join([with_libdevice_names(specification, tables["routine"]), *added, "contains", contained])


def libm_source(tables):
    rows = [row for row in tables["routine"] if row["by"] == "libm"]
    lines = ["! C's mathematical functions.", f"! {NOTICE}", "module libm", "implicit none"]
    for row in rows:
        name, double = row["name"], not row["name"].endswith("f") or row["words"].get("f") == ""
        if double and row.get("also_intrinsic"):
            lines.append(f"intrinsic :: {name}")
            continue
        specific = f"libm_{name}" if double else name
        lines += ["interface"] + procedure(specific, name, row, attributes="host, device") + ["end interface"]
        if double:
            lines += [f"interface {name}", f"procedure {specific}, {name}f", "end interface"]
    return "\n".join(lines + ["end module libm", ""])


def names_source(tables):
    lines = [f"// Functions of libm and their names in libdevice, if it has them. {NOTICE}"]
    for row in tables["routine"]:
        if row["by"] == "libm":
            stem = row["name"].removesuffix(row["words"]["f"])
            device = row.get("device", stem)
            libdevice = f"__nv_{device}{row['words']['f']}" if device else ""
            lines.append(f'CUF_LIBM({row["name"]}, "{libdevice}")')
    return "\n".join(lines + [""])


def ulp_source(tables):
    limits = {}
    for row in tables["routine"]:
        if "ulp" in row and not row["name"].startswith("__"):
            limits[row["name"]] = max(row["ulp"], limits.get(row["name"], 0))
    lines = [f"integer, parameter :: ulp_{name} = {limit}" for name, limit in limits.items()]
    return "\n".join(["! The largest errors of functions in device code.", f"! {NOTICE}", *lines, ""])


def files_in_tree(tables):
    files = {f"docs/reference/{name}": text for name, text in pages(tables).items()}
    return files | {"tests/run/device_table_ulp/ulp.inc": ulp_source(tables)}


# ---------------------------------------------------------------------------------------- main


def write(path, text):
    """Leaves a file that is the same untouched, so that nothing is rebuilt for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cudadevice", type=Path, nargs=2)
    for output in ("libm", "names"):
        parser.add_argument(f"--{output}", type=Path)
    for switch in ("tree", "check"):
        parser.add_argument(f"--{switch}", action="store_true")
    options = parser.parse_args()
    tables = load()
    root = TABLES.parents[1]
    if options.check:
        stale = [name for name, text in files_in_tree(tables).items()
                 if not (root / name).exists() or (root / name).read_text() != text]
        sys.exit("stale: " + ", ".join(stale) if stale else 0)
    if options.cudadevice:
        flang, target = options.cudadevice
        write(target, cudadevice_source(tables, flang))
    if options.libm:
        write(options.libm, libm_source(tables))
    if options.names:
        write(options.names, names_source(tables))
    for name, text in files_in_tree(tables).items() if options.tree else ():
        write(root / name, text)


if __name__ == "__main__":
    main()
