"""Which programs of tests/run call which routines of the CUDA libraries' modules."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from .macros import expanded
from .programs import source_files

GENERATE = Path(__file__).resolve().parents[2] / "compiler/tables/generate"


def names() -> "dict[str, set[str]]":
    """By module: the names of its routines, as programs call them."""
    sys.path.insert(0, str(GENERATE))
    import curand_device
    import libraries_table

    modules = {}
    for module in libraries_table.names():
        table = libraries_table.load(module)
        modules[module] = {libraries_table.shown_name(row) for row in table["routine"]}
    modules["curand_device"] = {row["name"] for row in curand_device.load()["routine"]}
    return modules


def programs(root: Path) -> "dict[str, str]":
    """As api_coverage's, with what macros stand for; the ranks' programs of tests/mpi too."""
    texts = {}
    for folder in ("run", "mpi"):
        for path in sorted((root / "tests" / folder).glob("*")):
            if files := source_files(path):
                text = "\n".join(expanded(file) for file in files)
                texts[f"{folder}/{path.name}"] = re.sub(r"![^\n]*", "", text).lower()
    return texts


def callers(root: Path) -> "dict[tuple[str, str], list[str]]":
    """By module and name: the programs that call the routine. Of a module without handles that has the names of one with
    handles, calls are those whose first argument is none."""
    texts = programs(root)
    words = {test: set(re.findall(r"\w+", text)) for test, text in texts.items()}
    found = {}
    for module, routines in names().items():
        rest = r"\b *(?:\( *(?!handle\b)|$)" if module == "cublas" else r"\b *(?:\(|$)"
        for name in routines:
            pattern = re.compile(rf"\b{name.lower()}{rest}", re.MULTILINE)
            found[module, name] = [test for test, text in texts.items()
                                   if name.lower() in words[test] and pattern.search(text)]
    return found
