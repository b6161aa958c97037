"""Writes the C++ rows of cufc's option table: options.py OPTIONS.toml OUT.inc"""
import json
import sys
import tomllib
from pathlib import Path

KINDS = {"flag", "joined", "separate", "equals", "optional"}


def row(option: dict) -> str:
    if option["kind"] not in KINDS:
        raise SystemExit(f"option {option['name']}: unknown kind {option['kind']}")
    text = [json.dumps(option.get(key, "")) for key in ("name", "value", "group", "help")]
    name, value, group, help_text = text
    kind = option["kind"].capitalize()
    return f"CUF_OPTION({name}, {kind}, {option['id']}, {value}, {group}, {help_text})\n"


def main() -> None:
    source, target = map(Path, sys.argv[1:3])
    table = tomllib.loads(source.read_text())
    options = table["option"]
    ids = dict.fromkeys(option["id"] for option in options)
    text = "// Generated from options.toml by options.py.\n#ifdef CUF_OPTION_ID\n"
    text += "".join(f"CUF_OPTION_ID({name})\n" for name in ids)
    text += "#endif\n#ifdef CUF_OPTION\n"
    text += "".join(map(row, options)) + "#endif\n#ifdef CUF_GPU_ITEM\n"
    for item in table["gpu"]:
        name, help_text = json.dumps(item["name"]), json.dumps(item["help"])
        text += f"CUF_GPU_ITEM({name}, {item['id']}, {help_text})\n"
    text += "#endif\n"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


main()
