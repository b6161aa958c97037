#!/usr/bin/env python3
"""`cufls debug` over the kernels of programs: at the end of each kernel the adapter's values of dummies and local variables are compared
with what the program prints of them (tests/debug/count.py puts the statements in), and a step (on a GPU, of a warp) ends in another line.

Usage: adapter_kernels.py [--device gpu|host] [--debugger PATH] [--cufc PATH] FILE...     without FILE, twenty programs of tests/run
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/debug")]
import gdb_values  # noqa: E402  pylint: disable=wrong-import-position
from count import instrumented  # noqa: E402  pylint: disable=wrong-import-position
from harness.dap_client import Broken, DapClient  # noqa: E402  pylint: disable=wrong-import-position

MOST_STOPS = 400
WANTED_KERNELS = 20


def compiled(file: Path, folder: Path, cufc: str, device: str) -> "tuple[Path, Path] | None":
    """The source with statements that print, and its program."""
    text, kernels = instrumented(file.read_text(encoding="utf-8"))
    if not kernels:
        return None
    source, program = folder / file.name, folder / "program"
    source.write_text(text, encoding="utf-8")
    own = re.search(r"^! FLAGS: (.*)$", text, re.MULTILINE)
    flags = [flag for flag in (own[1].split() if own else []) if not flag.startswith("-O")]
    host = ["-gpu=host"] if device == "host" else []
    done = subprocess.run([cufc, "-g", "-O0", *host, *flags, source.name, "-o", program], cwd=folder, capture_output=True, check=False)
    return (source, program) if done.returncode == 0 else None


def read(client: DapClient, source: Path, groups: list) -> "tuple[dict[int, dict[str, str]], int]":
    """The adapter's values by line, of the last stop there; and how many steps ended in another line."""
    values: "dict[int, dict[str, str]]" = {}
    steps = 0
    names = {group.line: [item.name for item in group.items] for group in groups}
    for _ in range(MOST_STOPS):
        event = client.wait("stopped", "exited", "terminated", timeout=120)
        if event["event"] != "stopped":
            break
        thread = event["threadId"]
        frame = client.frames(thread)[0]
        line = frame["line"]
        if line in names and Path(frame.get("source", {}).get("path", "")).name == source.name:
            first = line not in values
            values[line] = {}
            for name in names[line]:
                answer = client.answer(client.send("evaluate", {"expression": name, "frameId": frame["id"], "context": "watch"}))
                values[line][name] = answer["body"]["result"] if answer["success"] else f"({answer['message']})"
            if first:
                client.request("next", {"threadId": thread})
                stop = client.wait("stopped", "exited", timeout=120)
                if stop["event"] == "exited":
                    break
                steps += client.frames(stop["threadId"])[0]["line"] != line
                thread = stop["threadId"]
        client.request("continue", {"threadId": thread})
    return values, steps


def compare(file: Path, arguments: argparse.Namespace) -> "tuple[int, int, int, list[str]]":
    """Kernels that were stopped in, variables that are right, steps, and what is wrong."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = compiled(file, folder, arguments.cufc, arguments.device)
        if not made:
            return 0, 0, 0, []
        source, program = made
        groups = gdb_values.groups_of(source.read_text(encoding="utf-8"))
        environment = {**os.environ, "CUF_DEVICE": arguments.device, "CUF_HOST_THREADS": "1"}
        printed = subprocess.run([program], cwd=folder, env=environment, capture_output=True, text=True, errors="replace", timeout=120, check=False)
        shown = gdb_values.printed_values(printed.stdout)
        cufls = Path(shutil.which(arguments.cufc) or arguments.cufc).resolve().parent / "cufls"
        client = DapClient([str(cufls), "debug"], cwd=folder)
        launch = {"program": str(program), "device": arguments.device, **({"debugger": arguments.debugger} if arguments.debugger else {})}
        try:
            client.begin(launch, {source: [{"line": group.line} for group in groups]}, filters=[])
            values, steps = read(client, source, groups)
        except Broken as error:
            return 0, 0, 0, [str(error)[:300]]
        finally:
            client.end()
        right, wrong = 0, []
        for group in groups:
            wanted = gdb_values.last_printed(group, shown)
            for item in group.items if group.line in values else []:
                said = values[group.line][item.name]
                if item.shown in wanted and gdb_values.same_values(said, wanted[item.shown]):
                    right += 1
                else:
                    wrong.append(f"{item.name}: {said}, printed {wanted.get(item.shown, 'nothing').strip()}")
        return len(values), right, steps, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cufc", default=os.environ.get("CUFC", "cufc"))
    parser.add_argument("--device", choices=["gpu", "host"], default="gpu")
    parser.add_argument("--debugger")
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    kernels = right = steps = bad = 0
    # What atomic operations return depends on the order of the threads, which is another in each run.
    files = [file for file in sorted((ROOT / "tests/run").glob("*.cuf")) if not file.name.startswith("atomics")]
    for file in arguments.files or files:
        if not arguments.files and kernels >= WANTED_KERNELS:
            break
        start = time.monotonic()
        stopped, good, stepped, wrong = compare(file, arguments)
        if not stopped and not wrong:
            continue
        kernels, right, steps, bad = kernels + stopped, right + good, steps + stepped, bad + len(wrong)
        print(f"{file.name}: {stopped} kernels, {good} right, {len(wrong)} wrong, {stepped} steps, {time.monotonic() - start:.1f} s",
              *wrong[:6], sep="\n  ", flush=True)
    print(f"{kernels} kernels on the {arguments.device}: {right} variables right, {bad} wrong, {steps} steps to another line")
    return 1 if bad or not kernels else 0


if __name__ == "__main__":
    sys.exit(main())
