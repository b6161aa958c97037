"""Includes go one way. BELOW says what each layer may include; everything may include itself.

A layer is a folder. Which libraries' headers a layer may include is kept in FORBIDDEN.
"""

from __future__ import annotations

from pathlib import Path

from . import common, includes

# Anyone may include these: rows of tables, and the interface between generated code and runtime.
OPEN = {"compiler/tables", "runtime/include"}

BASE = {"compiler/base"}
SOURCE = BASE | {"compiler/source"}
FOREIGN = BASE | {"compiler/foreign"}
FRONTEND = SOURCE | FOREIGN | {"compiler/frontend"}
LOWER = FRONTEND | {"compiler/lower"}
CODEGEN = LOWER | {"compiler/codegen"}
INDEX = BASE | {"compiler/analysis"} | {"lsp/index"}
IDE = INDEX | {"compiler/source", "compiler/occupancy", "lsp/ide"}
ANALYSIS = BASE | {"compiler/analysis"}
DRIVER = CODEGEN | {"compiler/mpi", "compiler/checks", "compiler/occupancy", "compiler/project", "compiler/driver"}
SERVICE = DRIVER | {"compiler/analysis", "compiler/service"}

BELOW = {
    "compiler/base": set(),
    "compiler/source": BASE,
    "compiler/foreign": BASE,
    "compiler/frontend": SOURCE | FOREIGN | {"compiler/analysis"},
    "compiler/analysis": BASE,
    "compiler/checks": FRONTEND | {"compiler/mpi"},
    "compiler/lower": FRONTEND,
    "compiler/mpi": SOURCE | {"compiler/project"},
    "compiler/codegen": LOWER,
    "compiler/occupancy": ANALYSIS | {"compiler/project"},
    "compiler/project": SOURCE,
    "compiler/driver": DRIVER,
    "compiler/service": SERVICE,
    "compiler/tables": set(),
    "compiler/packages": set(),
    "lsp/index": ANALYSIS,
    "lsp/commands": SERVICE | IDE | {"lsp/host", "lsp/server", "lsp/debug", "lsp/mcp", "lsp/scip"},
    "lsp/debug": SOURCE | {"lsp/server"},
    "lsp/host": IDE | SERVICE,
    "lsp/mcp": BASE | {"compiler/project", "lsp/ide", "lsp/host", "lsp/server"},
    "lsp/scip": IDE,
    "lsp/ide": IDE,
    "lsp/server": IDE | SERVICE | {"lsp/host"},
    "runtime": set(),
    "runtime/include": set(),
}

FRONT_END_HEADERS = ("flang/Parser/", "flang/Semantics/", "flang/Lower/", "flang/Evaluate/")
FRONT_END_USERS = {"compiler/frontend", "compiler/checks", "compiler/lower"}
LLVM = ("llvm/", "llvm-c/", "mlir/", "flang/", "clang/")
FORBIDDEN = {
    "compiler/base": LLVM,
    "compiler/foreign": LLVM,
    "compiler/source": ("mlir/", "flang/", "clang/"),
    "lsp/index": LLVM,
    "lsp/ide": LLVM,
    "lsp/debug": LLVM,
    "lsp/host": LLVM + ("nlohmann/",),
    "lsp/server": LLVM,
    "lsp/mcp": LLVM,
    "lsp/scip": LLVM,
    "runtime": ("llvm/", "llvm-c/", "mlir/", "clang/"),
    "runtime/include": LLVM,
}


def layer_of(root: Path, file: Path) -> "str | None":
    """The layer's folder, or None for files outside compiler/, lsp/ and runtime/."""
    parts = file.relative_to(root).parts
    if parts[0] == "runtime":
        return "runtime/include" if parts[1] == "include" else "runtime"
    if parts[0] in ("compiler", "lsp") and len(parts) > 2:
        return "/".join(parts[:2])
    return None


def check(root: Path) -> "list[str]":
    problems = []
    for file in common.files(root, common.CPP + (".def",)):
        layer = layer_of(root, file)
        if layer is None:
            continue
        if layer not in BELOW:
            problems.append(f"{file.relative_to(root)}: {layer} has no row in tests/tidy/layering.py")
            continue
        for name in includes.of(file):
            reason = why_not(root, file, layer, name)
            if reason:
                problems.append(f'{file.relative_to(root)}: includes "{name}": {reason}')
    return problems


def why_not(root: Path, file: Path, layer: str, name: str) -> str:
    target = includes.resolve(root, file, name)
    if target is not None:
        other = layer_of(root, target)
        if other in (None, layer) or other in OPEN or other in BELOW[layer]:
            return ""
        return f"{layer} stands below {other} or beside it"
    if name.startswith(FRONT_END_HEADERS) and layer not in FRONT_END_USERS:
        return "flang's front end is for compiler/frontend, compiler/checks and compiler/lower alone"
    if name.startswith(FORBIDDEN.get(layer, ())):
        return f"{layer} does not use this library"
    return ""
