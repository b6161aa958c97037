"""The BLAS without handles, made of the rows with `blas = true` of the module with handles.

A row there becomes a procedure with letters for the enumerations, factors by value and a result for what was
written to `result`: cublasDgemm and, for device arrays, dgemm. The same name with host arrays is the program's BLAS.
The layer's function makes of its arguments those of the one with a handle, and calls it with the handle of this
thread (runtime/libraries/cublas/older.h)."""

import copy

ENUMERATIONS = {"transa": "operation", "transb": "operation", "trans": "operation", "uplo": "fill", "side": "side", "diag": "diagonal"}
WORDS = {
    "operation": "operation on the matrix: `n` for none, `t` for transposed, `c` for conjugated and transposed",
    "fill": "which triangle holds the data: `l` or `u`",
    "side": "side of the special matrix: `l` or `r`",
    "diagonal": "whether the diagonal is taken as ones: `u` or `n`",
}
BY_VALUE = {"alpha", "beta"}


def plain_name(generic):
    """dgemm for cublasDgemm."""
    return generic.removeprefix("cublas").lower()


def rows(handled, library):
    return [older(row, library) for row in handled["routine"] if row.get("blas")]


def older(row, library):
    made = {"name": row["generic"], "generic": row["generic"], "group": row["group"], "summary": row["summary"],
            "over": row["name"], "of": library["older_form_of"], "plain": plain_name(row["generic"]),
            "dummies": [], "result": "none", "arguments": []}
    by_value = BY_VALUE | ({"c", "s"} if is_rotation(row) else set())
    for dummy in copy.deepcopy(row["dummies"]):
        name = dummy["name"]
        if dummy["type"] == "cublasHandle":
            made["arguments"].append("handle")
        elif name in ENUMERATIONS:
            kind = ENUMERATIONS[name]
            made["arguments"].append(f"{kind}Of({name})")
            made["dummies"].append({"name": name, "type": "letter", "about": WORDS[kind]})
        elif name == "result":
            made["result"] = dummy["type"]
            made["arguments"].append("&result")
        elif is_product_in_place(row) and name in ("c", "ldc"):
            made["arguments"].append("b" if name == "c" else "ldb")
        else:
            if name in by_value and dummy.get("memory") == "any":
                dummy.pop("memory")
                dummy.pop("intent", None)
                made["arguments"].append(f"&{name}")
            else:
                made["arguments"].append(name)
            if is_product_in_place(row) and name == "b":
                dummy["intent"] = "inout"
            made["dummies"].append(dummy)
    return made


def is_rotation(row):
    return plain_name(row["generic"]) in ("srot", "drot", "crot", "zrot", "csrot", "zdrot")


def is_product_in_place(row):
    """BLAS's TRMM overwrites B."""
    return plain_name(row["generic"]).endswith("trmm")


def layer_function(table, row, prototype):
    name, result = row["name"], row["result"] != "none"
    lines = [f'extern "C" {prototype(table, row, "cufrt_lib_")} {{', "  void *handle = olderHandle();"]
    kind = prototype(table, row).split(name)[0]
    lines += [f"  {kind}result{{}};"] if result else []
    letters = [a for a in row["arguments"] if a.split("Of(")[0] in WORDS]
    refused = f"std::min({{{', '.join(letters)}}}) < 0 ? invalidValue : " if letters else ""
    lines += [f"  keepStatus({refused}cufrt_lib_{row['over']}({', '.join(row['arguments'])}));"]
    lines += ["  return result;"] if result else []
    return lines + ["}"]


def host_declaration(dummy, fortran_type):
    """As BLAS has it: all by address, arrays in host memory."""
    name = dummy["name"]
    if "memory" in dummy:
        return [f"{fortran_type(dummy)}, dimension(*) :: {name}", f"!dir$ ignore_tkr (r) {name}"]
    return [f"{fortran_type(dummy)} :: {name}"]


def host_body(row, fortran_type):
    name, dummies = row["plain"], ", ".join(dummy["name"] for dummy in row["dummies"])
    kind = "subroutine" if row["result"] == "none" else f"{fortran_type({'type': row['result']})} function"
    lines = [f"{kind} {name}_host({dummies}) &", f'  bind(c, name="{name}_")', "  import"]
    lines += ["  " + line for dummy in row["dummies"] for line in host_declaration(dummy, fortran_type)]
    return lines + ["end " + kind.split()[-1]]


def plain_interfaces(table, fortran_type):
    """The plain names: for device arrays the layer's procedure, for host arrays the BLAS that the program links."""
    lines = []
    for row in table["routine"]:
        if "plain" not in row:
            continue
        lines += [f"interface {row['plain']}", f"  procedure {row['name']}_cufrt_00"]
        # Scalars alone do not tell host from device; the layer's procedure takes both.
        if any(dummy.get("memory") == "device" for dummy in row["dummies"]):
            lines += ["  " + line for line in host_body(row, fortran_type)]
        lines.append("end interface")
    return lines
