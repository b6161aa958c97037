#!/usr/bin/env python3
"""Emits module wmma and the header cuf_macros.CUF: matrices whose numbers a warp's lanes hold, for tensor cores.

    wmma.py --module wmma.f90 --macros cuf_macros.CUF

The bodies of the procedures are made while compiling, by compiler/codegen/matrix_operations.cpp, from their names. Names of
types and procedures are those of nvfortran's module.
"""

import argparse
from pathlib import Path

HALF_SHAPES = [(16, 16, 16), (32, 8, 16), (8, 32, 16)]
DOUBLE_SHAPE = (8, 8, 4)
LAYOUTS = {"Cmajor": "col", "Rmajor": "row"}
COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "/="}
NUMBERS = ["i4", "r2", "r4", "r8"]


def shape_name(shape):
    return "m{}n{}k{}".format(*shape)


def shapes():
    """Shapes with the kind of A and B, those of C and D, and the elements of a lane's share of C."""
    return [(shape, 2, [2, 4], 8) for shape in HALF_SHAPES] + [(DOUBLE_SHAPE, 8, [8], 2)]


def declaration(word):
    return {"i4": "integer(4)"}.get(word, f"real({word[1:]})")


def factor(part, shape, kind, layout):
    return f"subMatrix{part}_{shape_name(shape)}_Real{kind}_{layout}"


def sum_type(shape, kind):
    return f"subMatrixC_{shape_name(shape)}_Real{kind}"


def mask_type(shape):
    return f"subMatrixC_{shape_name(shape)}_Logical1"


class Module:
    """Interfaces by their generic names."""

    def __init__(self):
        self.generics = {}

    def add(self, generic, name, dummies, result=None):
        """A procedure with dummies of (name, declaration); of a function also (name, type)."""
        kind = "function" if result else "subroutine"
        lines = [f"    attributes(device) {kind} {name}({', '.join(dummy for dummy, _ in dummies)})" +
                 (f" result({result[0]})" if result else ""), "      import"]
        lines += [f"      {text}" for _, text in dummies]
        if result:
            lines.append(f"      {result[1]} :: {result[0]}")
        lines.append(f"    end {kind}")
        self.generics.setdefault(generic, []).append("\n".join(lines))

    def text(self):
        blocks = []
        for generic, procedures in self.generics.items():
            blocks.append(f"  interface {generic}\n" + "\n".join(procedures) + "\n  end interface")
        return "\n".join(blocks)


def fragment(name, type_name, intent="in"):
    return name, f"type({type_name}), intent({intent}) :: {name}"


def memory(kind, intent):
    """Of any rank, since programs give the first element or the array."""
    return "memory", f"!dir$ ignore_tkr(r) memory\n      real({kind}), intent({intent}) :: memory(*)"


STRIDE = ("stride", "integer, intent(in) :: stride")
LAYOUT = ("layout", "integer, intent(in) :: layout")


def add_moves(module):
    for shape, kind, sums, _ in shapes():
        name = shape_name(shape)
        for part in "AB":
            for layout, word in LAYOUTS.items():
                module.add("wmmaLoadMatrix", f"cufc_matrix_load_{part.lower()}_{name}_r{kind}_{word}",
                           [fragment("matrix", factor(part, shape, kind, layout), "out"), memory(kind, "in"), STRIDE])
        for c in sums:
            for word, further in (("col", []), ("any", [LAYOUT])):
                module.add("wmmaLoadMatrix", f"cufc_matrix_load_c_{name}_r{c}_{word}",
                           [fragment("matrix", sum_type(shape, c), "out"), memory(c, "in"), STRIDE] + further)
                module.add("wmmaStoreMatrix", f"cufc_matrix_store_{name}_r{c}_{word}",
                           [memory(c, "inout"), fragment("matrix", sum_type(shape, c)), STRIDE] + further)


def add_products(module):
    for shape, kind, sums, _ in shapes():
        for (layout_a, word_a), (layout_b, word_b) in [(a, b) for a in LAYOUTS.items() for b in LAYOUTS.items()]:
            start = f"{shape_name(shape)}_r{kind}_{word_a}_{word_b}"
            factors = [fragment("a", factor("A", shape, kind, layout_a)), fragment("b", factor("B", shape, kind, layout_b))]
            for d in sums:
                target = fragment("d", sum_type(shape, d), "inout") # may be C
                module.add("wmmaMatmul", f"cufc_matrix_product_{start}_r{d}", [target] + factors)
                for c in sums:
                    module.add("wmmaMatmul", f"cufc_matrix_multiply_{start}_r{d}_r{c}",
                               [target] + factors + [fragment("c", sum_type(shape, c))])


def add_elements(module):
    """What each lane does with its share, and questions to the warp. The names hold what the generated code depends on, and
    the shape, which only makes them differ."""
    for shape, _, sums, count in shapes():
        name = shape_name(shape)
        mask = fragment("mask", mask_type(shape))
        for c in sums:
            matrix = sum_type(shape, c)
            for number in NUMBERS:
                module.add("assignment(=)", f"cufc_matrix_fill_r{c}_{count}_{number}_{name}",
                           [fragment("matrix", matrix, "out"), ("number", f"{declaration(number)}, intent(in) :: number")])
            for comparison, operator in COMPARISONS.items():
                result = "holds", f"type({mask_type(shape)})"
                module.add(f"operator({operator})", f"cufc_matrix_compare_{comparison}_r{c}_{count}_{name}",
                           [fragment("left", matrix), fragment("right", matrix)], result)
                for number in NUMBERS:
                    module.add(f"operator({operator})", f"cufc_matrix_comparenumber_{comparison}_r{c}_{count}_{number}_{name}",
                               [fragment("left", matrix), ("right", f"{declaration(number)}, intent(in) :: right")], result)
            target = fragment("matrix", matrix, "inout")
            other = fragment("fsource", matrix)
            module.add("wmmaMerge", f"cufc_matrix_merge_r{c}_{count}_{name}",
                       [target, fragment("tsource", matrix), other, mask])
            for number in NUMBERS:
                module.add("wmmaMerge", f"cufc_matrix_mergenumber_r{c}_{count}_{number}_{name}",
                           [target, ("tsource", f"{declaration(number)}, intent(in) :: tsource"), other, mask])
        module.add("wmmaAll", f"cufc_matrix_all_{count}_{name}", [mask], ("holds", "logical"))
        module.add("wmmaAny", f"cufc_matrix_any_{count}_{name}", [mask], ("holds", "logical"))
        module.add("wmmaCount", f"cufc_matrix_count_{count}_{name}", [mask], ("number", "integer"))


def types():
    lines = []
    for shape, kind, sums, count in shapes():
        for part in "AB":
            for layout in LAYOUTS:
                lines.append((factor(part, shape, kind, layout), f"real({kind}) :: x({1 if kind == 8 else 16})"))
        for c in sums:
            lines.append((sum_type(shape, c), f"real({c}) :: x({count})"))
        lines.append((mask_type(shape), f"logical(1) :: x({count})"))
    return lines


def renames():
    """Names that the macro makes, of the types."""
    result = []
    for shape, kind, sums, _ in shapes():
        name = shape_name(shape)
        suffix = "Kind8" if kind == 8 else ""
        for part in "AB":
            for layout in LAYOUTS:
                long = {"Cmajor": "ColMajor", "Rmajor": "RowMajor"}[layout]
                result.append((f"WMMAMatrix{part}_{name}_Real_WMMA{long}{suffix}", factor(part, shape, kind, layout)))
        for c in sums:
            result.append((f"WMMAMatrixC_{name}_Real_WMMAKind{c}", sum_type(shape, c)))
        result.append((f"WMMAMatrixC_{name}_Logical_WMMAKind1", mask_type(shape)))
    return result


def module_text():
    module = Module()
    add_moves(module)
    add_products(module)
    add_elements(module)
    text = "! Matrices for tensor cores. Generated by compiler/tables/generate/wmma.py.\n"
    text += "module __wmma_matrices\n  implicit none\n  integer, parameter :: WMMARowMajor = 0, WMMAColMajor = 1\n"
    for name, component in types():
        text += f"  type :: {name}\n    {component}\n  end type\n"
    text += module.text() + "\nend module\n"
    text += "! The types also by the names that the macro WMMASubMatrix makes, and the copies from global to shared memory that\n"
    text += "! device code knows without the module.\nmodule wmma\n"
    text += "  use, intrinsic :: cudadevice, only: pipelineMemcpyAsync, pipelineCommit, pipelineWaitPrior\n"
    text += "  use __wmma_matrices, only: WMMAColMajor, WMMARowMajor\n"
    for generic in module.generics:
        text += f"  use __wmma_matrices, only: {generic}\n"
    for new, old in renames():
        text += f"  use __wmma_matrices, only: {new} => {old}, {old}\n"
    return text + "end module\n"


MACROS = """! Declarations of matrices for tensor cores, after USE WMMA:
!
!   WMMASubMatrix(WMMAMatrixA, 16, 16, 16, Real, WMMAColMajor) :: a
!   WMMASubMatrix(WMMAMatrixC, 16, 16, 16, Real, WMMAKind4)    :: c
!
! and the names of 16-bit numbers from before REAL(2) was there.
#define WMMASubMatrix(use, rows, columns, inner, base, form) WMMASubMatrix_(use, rows, columns, inner, base, form)
#define WMMASubMatrix_(use, rows, columns, inner, base, form) type(use##_m##rows##n##columns##k##inner##_##base##_##form)
#define CUFReal2 real(2)
#define CUFreal real
#define CUFReal real
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--module", type=Path, required=True)
    parser.add_argument("--macros", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.module.write_text(module_text())
    arguments.macros.write_text(MACROS)


if __name__ == "__main__":
    main()
