#!/usr/bin/env python3
"""The configurations of docs/debugger.md for nvim-dap and dape, as a client that has read them: the adapter is started by the command and
arguments that stand there, the launch that stands there is sent, and a kernel stops. What the page says of each is read from the page.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent))
from harness.dap_client import DapClient  # noqa: E402
from sessions import PROGRAMS, expect  # noqa: E402

PAGE = (HERE.parents[1] / "docs/debugger.md").read_text(encoding="utf-8")
CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
PROGRAM = "blocks"


def block(language: str) -> str:
    return re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)[1]


def nvim_dap() -> "list[tuple[str, list[str], dict]]":
    """Name, command and launch of each configuration: Lua tables of strings, lists of strings and booleans."""
    text = block("lua")
    adapter = re.search(r"dap\.adapters\.(\w+) = \{ type = 'executable', command = '(\w+)', args = \{ (.*?) \}", text)
    launch = dict(re.findall(r"(\w+) = '([^']*)'", re.search(r"local launch = \{(.*?)\}\n", text)[1].replace("${file}", "FILE")))
    more = re.search(r"tbl_extend\('force', launch, \{(.*?)\}\)", text)[1]
    checks = {**launch, **dict(re.findall(r"(\w+) = '([^']*)'", more)), **{name: True for name in re.findall(r"(\w+) = true", more)}}
    expect("the adapter's name", launch["type"], adapter[1])
    command = [adapter[2], *re.findall(r"'([^']*)'", adapter[3])]
    return [("nvim-dap", command, launch), ("nvim-dap with checks", command, checks)]


def dape() -> "list[tuple[str, list[str], dict]]":
    text = block("elisp")
    command = [re.search(r'command "(\w+)"', text)[1], *re.findall(r'"([^"]+)"', re.search(r"command-args \((.*?)\)", text)[1])]
    launch = dict(re.findall(r':(\w+) "([^"]*)"', text))
    expect("the program of dape", re.search(r":program (\S+?)\)", text)[1], "dape-buffer-default")
    return [("dape", command, {**launch, "program": "FILE"})]


def converse(name: str, command: "list[str]", launch: dict) -> None:
    source = PROGRAMS / f"{PROGRAM}.cuf"
    expect(f"{name}: the command", command[0], "cufls")
    client = DapClient([str(CUFLS), *command[1:]], cwd=Path.cwd())
    expect(f"{name}: the request", launch.pop("request"), "launch")
    launch["program"] = str(source)
    line = next(number for number, text in enumerate(source.read_text().splitlines(), 1) if "syncthreads" in text)
    points = client.begin(launch, {source: [{"line": line}]}, knows_invalidated=False)
    expect(f"{name}: the breakpoint", points[0]["verified"], True)
    stop = client.stop("breakpoint")
    expect(f"{name}: the line", client.frames(stop["threadId"])[0]["line"], line)
    # Neither knows the event `invalidated`: to them another thread of the block is a stop.
    client.evaluate("thread 5")
    expect(f"{name}: another thread", client.stop("goto")["threadId"], stop["threadId"])
    expect(f"{name}: its variables", client.evaluate("pair", client.frames()[0]), "(5, -5)")
    client.end()
    print(name, "stops in a kernel", flush=True)


def main() -> int:
    if not shutil.which("gdb"):
        print("gdb is not installed")
        return 77
    for configuration in [*nvim_dap(), *dape()]:
        converse(*configuration)
    return 0


if __name__ == "__main__":
    sys.exit(main())
