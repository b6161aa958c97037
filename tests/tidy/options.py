"""An option that is said to do something is a case in the driver: none is accepted and forgotten."""

import re
import sys
from pathlib import Path

PARSER = "compiler/driver/options.cpp"


def check(root: Path) -> "list[str]":
    sys.path.insert(0, str(root / "compiler/tables/generate"))
    from options_table import fate, load  # pylint: disable=import-outside-toplevel,import-error

    used = set(re.findall(r"\bId::(\w+)", (root / PARSER).read_text()))
    wanted = {row["id"]: row["name"] for row in load(root / "compiler/tables")["option"] if fate(row) == "Applied"}
    return [f"compiler/tables/options.toml: {name} has the identifier {identifier}, which {PARSER} does not use"
            for identifier, name in wanted.items() if identifier not in used]
