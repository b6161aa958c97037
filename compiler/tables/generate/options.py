"""Writes the C++ rows of cufc's option table: options.py FOLDER-OF-TABLES OUT.inc"""
import json
import sys
from pathlib import Path

from options_table import fate, load


def row(option: dict) -> str:
    name, value, values, group, help_text = (
        json.dumps(option[key]) for key in ("name", "value", "values", "group", "help"))
    kind, on, listed = option["kind"].capitalize(), str(option["on"]).lower(), str(option["listed"]).lower()
    return (f"CUF_OPTION({name}, {kind}, {option['id']}, {on}, {fate(option)}, {value}, {values}, {group}, "
            f"{help_text}, {listed})\n")


def main() -> None:
    tables, target = map(Path, sys.argv[1:3])
    table = load(tables)
    options = table["option"]
    ids = dict.fromkeys(option["id"] for option in options)
    text = "// Generated from options.toml and options_accepted.toml by options.py.\n#ifdef CUF_OPTION_ID\n"
    text += "".join(f"CUF_OPTION_ID({name})\n" for name in ids)
    text += "#endif\n#ifdef CUF_OPTION\n"
    text += "".join(map(row, options)) + "#endif\n#ifdef CUF_GPU_ITEM\n"
    for item in table["gpu"]:
        name, help_text = json.dumps(item["name"]), json.dumps(item["help"])
        text += f"CUF_GPU_ITEM({name}, {item['id']}, {str(item['on']).lower()}, {help_text})\n"
    text += "#endif\n#ifdef CUF_PROCESSOR\n"
    for processor in table["processor"]:
        for name in processor["names"]:
            text += f"CUF_PROCESSOR({json.dumps(name)}, {json.dumps(processor['llvm'])})\n"
    text += "#endif\n"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


main()
