"""Writes our module cudadevice: flang's own, with the procedures added that flang 22 lacks.

    cudadevice.py FLANG_CUDADEVICE.mod OUT.f90

A module file is Fortran text behind a header, so flang's module is read from its installation and
extended. The added procedures are external; their bodies are compiler/codegen/device_intrinsics.cpp.
"""
import sys
from pathlib import Path

import warp_procedures

TYPES = {"i4": "integer(4)", "r4": "real(4)", "i8": "integer(8)", "r8": "real(8)"}
# Generic name, what the second argument is called.
SHUFFLES = {"__shfl": "lane", "__shfl_up": "delta", "__shfl_down": "delta", "__shfl_xor": "lane_mask"}
VOTES = [
    ("allthreads", "l4", "logical(4)", "logical(4)"),
    ("anythread", "l4", "logical(4)", "logical(4)"),
    ("ballot", "i4", "integer(4)", "integer(4)"),
    ("ballot", "l4", "logical(4)", "integer(4)"),
]


def function(symbol: str, arguments: list[tuple[str, str]], result: str) -> str:
    names = ", ".join(name for name, _ in arguments)
    lines = [f"  attributes(device) function {symbol}({names}) bind(c, name='{symbol}')"]
    lines += [f"    {kind}, value :: {name}" for name, kind in arguments]
    return "\n".join([*lines, f"    {result} :: {symbol}", "  end function"])


def generic(name: str, procedures: list[str]) -> str:
    return "\n".join([f"interface {name}", *procedures, "end interface", f"public :: {name}"])


def shuffle(name: str, second: str) -> str:
    procedures = []
    for suffix, kind in TYPES.items():
        symbol = f"cufc{name.replace('__', '_')}_{suffix}"
        arguments = [("var", kind), (second, "integer(4)")]
        procedures.append(function(symbol, arguments, kind))
        procedures.append(function(symbol + "_w", [*arguments, ("width", "integer(4)")], kind))
    return generic(name, procedures)


def additions() -> str:
    blocks = [shuffle(name, second) for name, second in SHUFFLES.items()]
    for name in dict.fromkeys(vote[0] for vote in VOTES):
        blocks.append(generic(name, [
            function(f"cufc_{name}_{suffix}", [("test", argument)], result)
            for vote, suffix, argument, result in VOTES if vote == name]))
    blocks.append(generic("gpu_time", [
        "  attributes(device) subroutine cufc_gpu_time(clock) bind(c, name='cufc_gpu_time')\n"
        "    integer(8) :: clock\n  end subroutine"]))
    return "\n".join(blocks)


def main() -> None:
    source, target = map(Path, sys.argv[1:3])
    text = source.read_text(encoding="utf-8-sig")
    specification, contained = text[text.index("module cudadevice"):].split("\ncontains\n")
    target.write_text(f"{specification}\n{additions()}\n{warp_procedures.additions()}\ncontains\n{contained}")


main()
