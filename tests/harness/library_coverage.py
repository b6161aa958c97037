"""Which programs of tests/run call which routines of the CUDA libraries' modules."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from . import api_coverage

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


def partly_called() -> "set[str]":
    """The modules of whose routines programs call a choice."""
    sys.path.insert(0, str(GENERATE))
    import libraries_table

    return {name for name in libraries_table.names() if libraries_table.load(name)["library"].get("partly_called")}


def callers(root: Path) -> "dict[tuple[str, str], list[str]]":
    """By module and name: the programs that use the module, itself or through another, and call the routine."""
    texts = {test: text for test, text in api_coverage.programs(root).items() if test.startswith("run/")}
    found = {}
    for module, routines in names().items():
        for name in routines:
            pattern = re.compile(rf"\b{name.lower()}\b *(\(|$)", re.MULTILINE)
            found[module, name] = [test for test, text in texts.items() if pattern.search(text)]
    return found
