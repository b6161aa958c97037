#!/usr/bin/env python3
"""`cufls debug` with cuda-gdb: a stop in a kernel of tests/debug/kernels.cuf that runs on the GPU, its variables, a step, the end.

Usage: adapter.py [--cufc PATH] [--debugger PATH]
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from harness.dap_client import Broken, DapClient  # noqa: E402  pylint: disable=wrong-import-position

SOURCE = ROOT / "tests/debug/kernels.cuf"
VALUES = {"n": "16", "m": "8", "k": "(1, 2, 3)", "word": "'abcde'", "counter": "3", "z": "((1, 1), (1, 1))", "z(2,1)": "1", "pool": "(1, 2, 3)",
          "whole": "((1, 2), (3, 4), (5, 6))", "whole(2,1)": "4", "whole(:,2)": "(5, 6)", "whole(m - 7, 2)": "5"}


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(SOURCE.read_text().splitlines(), 1) if text in line)


def converse(client: DapClient, program: Path, debugger: str) -> "list[str]":
    wrong = []
    point = {"line": line_of("if (i == 11) then")}
    set_points = client.begin({"program": str(program), "device": "gpu", "debugger": debugger}, {SOURCE: [point]})
    print("the breakpoint:", set_points[0])
    stop = client.stop("breakpoint")
    frame = client.frames(stop["threadId"])[0]
    if (frame["line"], frame["name"]) != (point["line"], "kernels::loops"):
        wrong.append(f"stopped at {frame}")
    local = client.scope("Locals", frame)
    print("locals:", {name: variable["value"] for name, variable in local.items()})
    for name, value in VALUES.items():
        said = client.evaluate(name, frame)
        if said != value:
            wrong.append(f"{name} is {said}, not {value}")
    print(client.evaluate("gdb info cuda threads"))
    client.request("setBreakpoints", {"source": {"path": str(SOURCE)}, "breakpoints": []})
    client.request("next", {"threadId": stop["threadId"]})
    step = client.stop("step")
    print("a step to line", client.frames(step["threadId"])[0]["line"])
    client.request("continue", {"threadId": step["threadId"]})
    end = client.wait("exited", "stopped", timeout=120)
    if end.get("exitCode") != 0:
        wrong.append(f"the end: {end}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cufc", default=os.environ.get("CUFC", "cufc"))
    parser.add_argument("--debugger", default="cuda-gdb")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program, log = Path(folder) / "program", Path(folder) / "log"
        subprocess.run([arguments.cufc, "-g", "-O0", str(SOURCE), "-o", str(program)], cwd=folder, check=True)
        cufls = Path(shutil.which(arguments.cufc) or arguments.cufc).resolve().parent / "cufls"
        client = DapClient([str(cufls), "debug", f"--log-file={log}"])
        try:
            wrong = converse(client, program, arguments.debugger)
        except Broken as error:
            wrong = [str(error), log.read_text()[-6000:]]
        client.end()
    print("\n".join(wrong) or "cuda-gdb: as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
