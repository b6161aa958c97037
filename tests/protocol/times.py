#!/usr/bin/env python3
"""Times of runs in lenses: of kernels and transfers, by the server's own runs and by `cufls run --measure-to`, with GB/s and shares,
as those of an earlier text after an edit, for each device."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from harness.lsp_client import Client  # noqa: E402
from harness.occupancy_sources import has_ptxas  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
FOLDER = Path.cwd() / "files"
os.environ["XDG_CACHE_HOME"] = str(Path.cwd() / "cache")
SOURCE = """module kernels
  implicit none
contains
  attributes(global) subroutine scale(a, n)
    integer, value :: n
    real :: a(n)
    integer :: i
    i = (blockIdx%x - 1) * blockDim%x + threadIdx%x
    if (i <= n) a(i) = 2 * a(i) + 1
  end subroutine
  attributes(global) subroutine unused(a)
    real :: a(*)
    a(threadIdx%x) = 0
  end subroutine
end module
program heat
  use kernels
  implicit none
  integer, parameter :: n = 1000000
  real, device :: a(n)
  real :: b(n)
  integer :: i
  b = 1
  a = b
  do i = 1, 3
    call scale<<<(n + 255) / 256, 256>>>(a, n)
  end do
  !$cuf kernel do <<<*, *>>>
  do i = 1, n
    a(i) = a(i) + 1
  end do
  b = a
  print *, sum(b)
end program
"""
TIME = r"\d+(\.\d+)? (ns|us|ms|s)"


def started(path: Path, settings: "dict | None" = None) -> Client:
    FOLDER.mkdir(exist_ok=True)
    path.write_text(SOURCE)
    client = Client([str(CUFLS)])
    choice = {"run": False, "references": False, "launches": False, "occupancy": False, **(settings or {})}
    client.initialize(FOLDER, {}, {"trusted": True, "codeLens": choice, "gpu": "cc90", "occupancy": {"enabled": True}})
    client.open(path, SOURCE)
    client.diagnostics(path)
    return client


def lenses(client: Client, path: Path) -> "list[tuple[int, str]]":
    """Lines from 1 and titles."""
    found = client.request("textDocument/codeLens", {"textDocument": {"uri": path.as_uri()}})
    return [(lens["range"]["start"]["line"] + 1, lens["command"]["title"]) for lens in found]


def of_line(found: "list[tuple[int, str]]", line: int) -> "list[str]":
    return [title for at, title in found if at == line]


def shown(client: Client, path: Path) -> None:
    """Waits for what the kernels of the file cost, by which bytes are known."""
    if has_ptxas():
        client.wait_notification("cufls/occupancyChanged", lambda params: params["uri"] == path.as_uri())


def run(client: Client, path: Path, **more: object) -> None:
    answer = client.request("workspace/executeCommand", {"command": "cufls.run", "arguments": [{"uri": path.as_uri(), "device": "host", **more}]})
    assert answer == {"exitCode": 0}, answer


def own_runs() -> None:
    path = FOLDER / "heat.cuf"
    client = started(path)
    shown(client, path)
    assert lenses(client, path) == [], "nothing has run"
    run(client, path)
    found = lenses(client, path)
    threads = os.cpu_count()
    device = r" on CPU, \d+ threads?"
    kernel, = of_line(found, 4)
    share = r", \d+(\.\d+)? GB/s, \d+(\.\d+)? % of the memory's bandwidth" if has_ptxas() else ""
    assert re.fullmatch(f"{TIME}, 3 calls{share}{device}", kernel), (kernel, threads)
    if has_ptxas():
        seconds, rate = re.match(r"(\S+ \S+), .* (\S+) GB/s", kernel).groups()
        value, unit = seconds.split()
        taken = float(value) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[unit]
        wanted = 8 * 256 * ((1000000 + 255) // 256) / taken / 1e9
        assert abs(float(rate) - wanted) <= 0.01 * wanted + 0.5, (kernel, wanted)
    assert of_line(found, 11) == [], "a kernel that was not launched"
    transfers, = of_line(found, 16)
    assert re.fullmatch(r"to the device 4.00 MB in 1 call at \S+ GB/s, from the device 4.00 MB in 1 call at \S+ GB/s" + device, transfers), transfers
    if has_ptxas():
        directive, = of_line(found, 28)
        assert re.fullmatch(f"{TIME}, 1 call.*{device}", directive), directive
    client.change(path, 2, [{"range": {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 0}}, "text": "\n"}])
    moved = lenses(client, path)
    assert of_line(moved, 5) == [kernel + ", of an earlier text"] and of_line(moved, 17) == [transfers + ", of an earlier text"], moved
    client.change(path, 3, [{"range": {"start": {"line": 3, "character": 0}, "end": {"line": 4, "character": 0}}, "text": ""}])
    client.diagnostics(path, 3)
    assert of_line(lenses(client, path), 4) == [kernel], "the text that was measured is there again"
    run(client, path, check=True)
    assert of_line(lenses(client, path), 4) == [kernel], "checks are not measured"
    client.stop()


def off() -> None:
    path = FOLDER / "off.cuf"
    client = started(path, {"times": False})
    run(client, path)
    assert lenses(client, path) == [], "turned off"
    client.stop()


def given() -> None:
    """What a client has run itself; and what a GPU would have reported, beside it."""
    path = FOLDER / "given.cuf"
    client = started(path)
    shown(client, path)
    times = FOLDER / "times"
    subprocess.run([CUFLS, "run", "--device=host", f"--measure-to={times}", path], check=True, capture_output=True)
    assert client.request("cufls/timesMeasured", {"folder": str(times)}) == 1
    assert client.request("cufls/timesMeasured", {"folder": str(FOLDER / "nothing")}) == 0
    report = json.loads((times / "report.json").read_text())
    report["devices"] = [{"kind": "gpu", "number": 0, "name": "NVIDIA H100 80GB HBM3"}]
    for kernel in report["kernels"]:
        kernel["meanSeconds"], kernel["seconds"] = 4e-6, 4e-6 * kernel["timedCount"]
    (times / "report.json").write_text(json.dumps(report))
    assert client.request("cufls/timesMeasured", {"folder": str(times)}) == 1
    on_gpu, on_cpu = of_line(lenses(client, path), 4)
    # 8 bytes of 1,000,192 threads in 4 us; the chip's memory gives 3352 GB/s.
    wanted = "4.00 us, 3 calls, 2000 GB/s, 60 % of the roofline on H100 80GB HBM3" if has_ptxas() else "4.00 us, 3 calls on H100 80GB HBM3"
    assert on_gpu == wanted, on_gpu
    assert " on CPU, " in on_cpu, on_cpu
    path.write_text(SOURCE.replace("2 * a(i)", "3 * a(i)"))
    client.change(path, 2, [{"range": {"start": {"line": 8, "character": 23}, "end": {"line": 8, "character": 24}}, "text": "3"}])
    client.diagnostics(path, 2)
    assert all(title.endswith("of an earlier text") for title in of_line(lenses(client, path), 4)), "both"
    run(client, path)
    newer = of_line(lenses(client, path), 4)
    assert len(newer) == 2 and sum(title.endswith("of an earlier text") for title in newer) == 1, newer
    client.stop()


def main() -> None:
    try:
        for case in (own_runs, off, given):
            case()
            print(case.__name__, "passed", flush=True)
    finally:
        shutil.rmtree(FOLDER, ignore_errors=True)


if __name__ == "__main__":
    main()
