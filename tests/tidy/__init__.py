"""Lint: rules about the source text itself. Each check is a function of the checkout's root that
returns one line for each problem, or raises Unavailable where its tool is missing.
"""

from functools import partial
from pathlib import Path

from .common import Unavailable
from . import (api_coverage, clang_tidy, device_coverage, formatting, generated, layering, library_coverage, options, tables,
               tested_codes, texts)


def checks(build: Path) -> list:
    """The checks, in the order in which they run: name and function."""
    return [
        ("layering", layering.check),
        ("top-level", texts.check_top_level),
        ("file-size", texts.check_size),
        ("file-opening", texts.check_opening),
        ("machine-paths", texts.check_machine_paths),
        ("tree-walks", texts.check_tree_walks),
        ("llvm-versions", texts.check_versions),
        ("listed-scripts", texts.check_scripts),
        ("generated", generated.check),
        ("tested-codes", tested_codes.check),
        ("options", options.check),
        ("tables", tables.check),
        ("api-coverage", api_coverage.check),
        ("device-coverage", device_coverage.check),
        ("library-coverage", library_coverage.check),
        ("clang-format", formatting.check),
        ("clang-tidy", partial(clang_tidy.check, build)),
    ]
