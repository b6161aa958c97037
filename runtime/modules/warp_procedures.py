"""Procedures of today's device language that flang's cudadevice lacks: shuffles with a member mask,
reductions of the warp, the mask of active lanes, read-only loads.

Bodies are compiler/codegen/warp_intrinsics.cpp and cache_hints.cpp.
"""

TYPES = {
    "i4": "integer(4)", "i8": "integer(8)", "r2": "real(2)", "r4": "real(4)", "r8": "real(8)",
    "c4": "complex(4)", "c8": "complex(8)",
}
# Name after __shfl, what the argument before the width is called.
SHUFFLES = {"": "lane", "_up": "delta", "_down": "delta", "_xor": "lane_mask"}
REDUCTIONS = ("add", "min", "max", "and", "or", "xor")
VECTORS = {"i4": 4, "i8": 2, "r2": 2, "r4": 4, "r8": 2}


def generic(name: str, procedures: list[str]) -> str:
    return "\n".join([f"interface {name}", *procedures, "end interface", f"public :: {name}"])


def function(symbol: str, arguments: list[tuple[str, str]], result: str) -> str:
    names = ", ".join(name for name, _ in arguments)
    lines = [f"  attributes(device) function {symbol}({names}) bind(c, name='{symbol}')"]
    for name, kind in arguments:
        lines += [f"    {kind}, value :: {name}", f"    !dir$ ignore_tkr(d) {name}"]
    return "\n".join([*lines, f"    {result} :: {symbol}", "  end function"])


def shuffle(operation: str, third: str) -> str:
    procedures = []
    for suffix, kind in TYPES.items():
        symbol = f"cufc_warp_shfl{operation}_{suffix}"
        arguments = [("mask", "integer(4)"), ("var", kind), (third, "integer(4)")]
        procedures.append(function(symbol, arguments, kind))
        procedures.append(function(f"{symbol}_w", [*arguments, ("width", "integer(4)")], kind))
    return generic(f"__shfl{operation}_sync", procedures)


def reduction(operation: str) -> str:
    symbol = f"cufc_warp_reduce_{operation}_i4"
    arguments = [("mask", "integer(4)"), ("val", "integer(4)")]
    return generic(f"__reduce_{operation}_sync", [function(symbol, arguments, "integer(4)")])


def read_only_load(suffix: str, kind: str, extent: int) -> str:
    """A scalar is returned in a register, a vector through a hidden first argument."""
    symbol = f"cufc__ldg_{suffix}" + (f"x{extent}" if extent else "")
    shape = f"({extent})" if extent else ""
    binding = "" if extent else f" bind(c, name='{symbol}')"
    return "\n".join([
        f"  pure attributes(device) function {symbol}(x){binding} result(y)",
        f"    {kind}, device, intent(in) :: x{shape}", "    !dir$ ignore_tkr(d) x",
        f"    {kind} :: y{shape}", "  end function"])


def additions() -> str:
    blocks = [shuffle(operation, third) for operation, third in SHUFFLES.items()]
    blocks += [reduction(operation) for operation in REDUCTIONS]
    blocks.append(generic("__ldg", [read_only_load(suffix, kind, 0)
                                    for suffix, kind in TYPES.items()]
                          + [read_only_load(suffix, TYPES[suffix], extent)
                             for suffix, extent in VECTORS.items()]))
    blocks.append(generic("activemask", [function("cufc_warp_activemask", [], "integer(4)")]))
    blocks.append(generic("nanosleep", [
        "  attributes(device) subroutine cufc_warp_nanosleep(nanoseconds) "
        "bind(c, name='cufc_warp_nanosleep')\n    integer(4), value :: nanoseconds\n"
        "  end subroutine"]))
    return "\n".join(blocks)
