#!/usr/bin/env python3
"""What kernels cost, in the editor: requests, hover, hints, lenses and diagnostics that come after the analysis, and that
unchanged kernels are not compiled again.

Usage: occupancy.py [--time N]      N edits of a file of 300 lines: how long until the costs are new; CUFC names the compiler
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from harness.lsp_client import Client  # noqa: E402
from harness.occupancy_sources import KERNELS, has_ptxas  # noqa: E402

CUFLS = Path(os.environ.get("CUFC", "build/bin/cufc")).resolve().parent / "cufls"
FOLDER = Path(tempfile.mkdtemp(prefix="cufls-occupancy-"))
os.environ["XDG_CACHE_HOME"] = str(FOLDER / "cache")

SOURCE = KERNELS + """program p
  use cudafor
  use kernels
  implicit none
  integer, parameter :: n = 1000000
  real, device :: a(n)
  call scale<<<(n + 255) / 256, 256>>>(a, n)
  call tile<<<8, 64>>>(a, n)
end program
"""


def started(path: Path, text: str, **settings):
    client = Client([str(CUFLS), "--stdio", f"--log-file={FOLDER / 'log'}"])
    client.initialize(FOLDER, {}, {"occupancy": {"enabled": True}, "gpu": "cc90", "codeLens": {"run": False, "references": False,
                      "launches": False}, **settings})
    client.open(path, text)
    return client


def ready(client):
    client.wait_notification("cufls/occupancyChanged", lambda params: True)


def at(path: Path, line: int, character: int, **more):
    return {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": character}, **more}


def panel() -> None:
    """The request: a kernel by its text, its name and its launch; other blocks, registers, GPUs."""
    path = FOLDER / "panel.cuf"
    client = started(path, SOURCE)
    ready(client)
    answer = client.request("cufls/occupancy", at(path, 11, 4))
    assert (answer["state"], answer["gpu"], answer["chip"]) == ("ready", "cc90", "H100"), (answer["state"], answer["message"])
    kernel = answer["kernel"]
    assert (kernel["name"], kernel["sharedBytes"], kernel["blockSize"]) == ("kernels::tile", 8192, 64), kernel
    assert kernel["limitedBy"] == ["sharedMemory"] and kernel["activeBlocksPerSM"] == 25, kernel
    assert kernel["launches"][0]["idleMultiprocessors"] == 124 and kernel["launches"][0]["line"] == 29, kernel["launches"]
    assert kernel["range"]["start"] == {"line": 10, "character": 32}, kernel["range"]
    by_launch = client.request("cufls/occupancy", at(path, 27, 8))["kernel"]
    assert by_launch["name"] == "kernels::scale" and by_launch["launches"][0]["idleThreadsInGrid"] == 192, by_launch
    other = client.request("cufls/occupancy", at(path, 11, 4, block=1024, registers=64, sharedBytes=0))["kernel"]
    assert (other["activeBlocksPerSM"], other["limitedBy"]) == (1, ["registers"]), other
    assert client.request("cufls/occupancy", at(path, 25, 4)) is None, "no kernel there"
    for wrong in ({"gpu": "cc13"}, {"block": 0}, {"registers": 256}, {"sharedBytes": -1}, {"block": "many"}, {"gpu": 90}):
        assert "error" in client.wait(client.send_request("cufls/occupancy", at(path, 11, 4, **wrong))), wrong
    computing = client.request("cufls/occupancy", at(path, 11, 4, gpu="cc80"))
    if computing["state"] == "computing":
        ready(client)
    ampere = client.request("cufls/occupancy", at(path, 11, 4, gpu="cc80"))
    assert (ampere["gpu"], ampere["chip"], ampere["state"]) == ("cc80", "A100", "ready"), ampere
    client.stop()


def in_the_text() -> None:
    """Hover, hints, lenses and diagnostics; they move with the text and go with what they are about."""
    path = FOLDER / "text.cuf"
    client = started(path, SOURCE)
    ready(client)
    hover = client.request("textDocument/hover", at(path, 3, 35))["contents"]["value"]
    assert "**cc90** (H100)" in hover and "occupancy 100 % with blocks of 256 threads" in hover, hover
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    hints = client.request("textDocument/inlayHint", {"textDocument": {"uri": path.as_uri()}, "range": everything})
    labels = [hint["label"] for hint in hints if "occupancy" in hint["label"]]
    assert labels == ["occupancy 100 %, 3.7 waves", "occupancy 78 %, 0.0 waves"], labels
    tooltips = [hint["tooltip"] for hint in hints if "occupancy" in hint["label"]]
    assert "192 threads of the last warps idle" in tooltips[0] and "124 multiprocessors of H100 without a block" in tooltips[1], tooltips
    lenses = client.request("textDocument/codeLens", {"textDocument": {"uri": path.as_uri()}})
    titles = [lens["command"]["title"] for lens in lenses if lens.get("command", {}).get("command") == "cufls.showOccupancy"]
    assert len(titles) == 2 and titles[1].endswith("8192 bytes shared, occupancy 78 % with 64 threads"), titles
    found = client.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}})["items"]
    assert [each["range"]["start"]["line"] for each in found if each.get("code") == "CUF0603"] == [28], found
    client.change(path, 2, [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "\n"}])
    ready(client)
    found = client.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}})["items"]
    assert [each["range"]["start"]["line"] for each in found if each.get("code") == "CUF0603"] == [29], found
    client.change(path, 3, [{"range": {"start": {"line": 5, "character": 0}, "end": {"line": 5, "character": 0}}, "text": "real ::\n"}])
    broken = client.request("cufls/occupancy", at(path, 13, 4))
    assert broken["stale"] and broken["kernel"]["name"] == "kernels::tile", broken
    client.stop()


def of_another_gpu() -> None:
    """Nobody has named a GPU and there is none: what only its size decides is not said, and its name is."""
    if shutil.which("nvidia-smi"):
        return
    path = FOLDER / "another.cuf"
    client = started(path, SOURCE, gpu="")
    ready(client)
    found = client.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}})["items"]
    assert not [each for each in found if each.get("code") in ("CUF0603", "CUF0604", "CUF0605")], found
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    hints = client.request("textDocument/inlayHint", {"textDocument": {"uri": path.as_uri()}, "range": everything})
    labels = [hint["label"] for hint in hints if "occupancy" in hint["label"]]
    assert labels == ["occupancy 100 % on H100", "occupancy 78 % on H100"], labels
    lenses = client.request("textDocument/codeLens", {"textDocument": {"uri": path.as_uri()}})
    titles = [lens["command"]["title"] for lens in lenses if lens.get("command", {}).get("command") == "cufls.showOccupancy"]
    assert titles[1].endswith("occupancy 78 % with 64 threads on H100"), titles
    client.stop()


def counted() -> None:
    """An edit compiles the kernel that it changes and no other."""
    path = FOLDER / "counted.cuf"
    client = started(path, SOURCE.replace("2048", "1024"))
    ready(client)
    log = FOLDER / "log"
    client.change(path, 2, [{"range": {"start": {"line": 8, "character": 23}, "end": {"line": 8, "character": 24}}, "text": "5"}])
    ready(client)
    counts = re.findall(r"costs of .*counted.cuf: (\d+) kernels compiled, (\d+) as before", log.read_text())
    assert counts[-1] == ("1", "1"), counts
    client.stop()


def code() -> None:
    """PTX beside its lines, for a file, a kernel and a selection; what is missing for machine code is said."""
    path = FOLDER / "code.cuf"
    client = started(path, SOURCE)
    ready(client)
    document = {"textDocument": {"uri": path.as_uri()}}
    whole = client.request("cufls/deviceCode", {**document, "kind": "ptx"})
    assert whole["state"] == "ready" and len(whole["kernels"]) == 2, whole["message"]
    text = whole["text"].split("\n")
    stores = [code for code, source in whole["lines"] if source == 9 and "st.global" in text[code]]
    assert len(stores) == 1, stores
    scale = whole["kernels"][0]
    verdicts = {each["operation"]: (each["sourceLine"], each["bytes"], each["verdict"].split(":")[0]) for each in scale["memory"]}
    assert verdicts == {"ld.global": (9, 4, "coalesced"), "st.global": (9, 4, "coalesced")}, verdicts
    one = client.request("cufls/deviceCode", at(path, 11, 4, kind="ptx"))
    assert [kernel["name"] for kernel in one["kernels"]] == ["kernels::tile"], one["kernels"]
    assert one["kernels"][0]["mix"]["shared memory"] == 2 and one["kernels"][0]["mix"]["barriers"] == 1, one["kernels"][0]["mix"]
    some = {"start": {"line": 8, "character": 0}, "end": {"line": 8, "character": 9}}
    part = client.request("cufls/deviceCode", {**document, "kind": "ptx", "range": some})
    assert {source for _, source in part["lines"]} == {9} and len(part["kernels"]) == 1, part["lines"]
    sass = client.request("cufls/deviceCode", {**document, "kind": "sass"})
    assert sass["state"] == "ready" if "text" in sass else "nvdisasm" in sass["message"], sass["message"]
    assert "error" in client.wait(client.send_request("cufls/deviceCode", {**document, "kind": "asm"}))
    client.stop()


# A driver that gives its first answer when a file is there.
SLOW_DRIVER = """#include <string.h>
#include <unistd.h>
int cuInit(unsigned flags) { while (access(GO, F_OK) != 0) usleep(1000); return 0; }
int cuDeviceGetName(char *name, int size, int device) { strncpy(name, "NVIDIA L4", (size_t)size); return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 16 ? 58 : attribute == 75 ? 8 : 9;
  return 0;
}
"""


def with_a_slow_driver() -> None:
    """Nothing waits for the driver's answer; costs come when it is there, for the GPU that it names."""
    folder = FOLDER / "driver"
    folder.mkdir()
    (folder / "driver.c").write_text(SLOW_DRIVER)
    subprocess.run(["cc", "-shared", "-fPIC", f'-DGO="{folder}/go"', "driver.c", "-o", "libcuda.so.1"], cwd=folder, check=True)
    path = FOLDER / "slow_driver.cuf"
    os.environ["LD_LIBRARY_PATH"] = str(folder)
    try:
        client = started(path, SOURCE, gpu="")
    finally:
        del os.environ["LD_LIBRARY_PATH"]
    client.wait_notification("textDocument/publishDiagnostics", lambda params: True)
    assert client.request("textDocument/hover", at(path, 10, 34)) is not None
    answer = client.request("cufls/occupancy", at(path, 11, 4))
    assert answer["state"] == "computing", answer
    (folder / "go").touch()
    client.wait_notification("cufls/occupancyChanged", lambda params: client.request("cufls/occupancy", at(path, 11, 4))["state"] == "ready", 60)
    answer = client.request("cufls/occupancy", at(path, 11, 4))
    assert (answer["chip"], answer["multiprocessors"], answer["kernel"]["name"]) == ("L4", 58, "kernels::tile"), answer
    client.stop()


def without_toolkit() -> None:
    os.environ["CUDA_HOME"], before = "/nonexistent", os.environ.get("CUDA_HOME")
    path = FOLDER / "without.cuf"
    client = started(path, SOURCE)
    ready(client)
    answer = client.request("cufls/occupancy", at(path, 11, 4))
    assert answer["state"] == "unavailable" and "ptxas" in answer["message"], answer
    lenses = client.request("textDocument/codeLens", {"textDocument": {"uri": path.as_uri()}})
    titles = [lens["command"]["title"] for lens in lenses if lens.get("command", {}).get("command") == "cufls.showOccupancy"]
    assert titles == ["registers not known: ptxas was not found"] * 2, titles
    client.stop()
    del os.environ["CUDA_HOME"]
    if before:
        os.environ["CUDA_HOME"] = before


def timing(edits: int) -> None:
    """How long from an edit of a file of 300 lines until its costs are new, in ms."""
    kernel = SOURCE[SOURCE.index("  attributes"):SOURCE.index("  attributes(global) subroutine tile")]
    body = "".join(kernel.replace("scale", f"scale{i}").replace("2 *", f"{i + 2} *") for i in range(38))
    text = "module many\n  implicit none\ncontains\n" + body + "end module\n"
    text += "! filled\n" * (300 - text.count("\n"))
    path = FOLDER / "many.cuf"
    client = started(path, text)
    ready(client)
    times, shown = [], []
    for edit in range(edits):
        line = 3 + 7 * (edit % 38) + 5
        start = text.split("\n")[line].index("= ") + 2
        begin = time.monotonic()
        client.change(path, edit + 2, [{"range": {"start": {"line": line, "character": start}, "end": {"line": line, "character": start}},
                                        "text": f"{edit}.25 + "}])
        client.diagnostics(path, edit + 2)
        shown.append(1000 * (time.monotonic() - begin))
        client.wait_notification("cufls/occupancyChanged", lambda params, version=edit + 2: params["version"] == version)
        times.append(1000 * (time.monotonic() - begin))
    client.stop()
    for name, values in (("diagnostics", shown), ("costs", times)):
        values.sort()
        print(f"{name}: median {values[len(values) // 2]:.0f} ms, p95 {values[int(0.95 * (len(values) - 1))]:.0f} ms of {len(values)} edits")
    counts = re.findall(r"costs of .*many.cuf: (\d+) kernels compiled, (\d+) as before", (FOLDER / "log").read_text())
    print("kernels compiled by each edit:", sorted({int(compiled) for compiled, _ in counts[1:]}), "of", sum(map(int, counts[0])))


def main() -> None:
    try:
        if "--time" in sys.argv:
            return timing(int(sys.argv[sys.argv.index("--time") + 1]))
        for case in [panel, in_the_text, of_another_gpu, counted, code, with_a_slow_driver, without_toolkit] if has_ptxas() else [without_toolkit]:
            case()
    finally:
        shutil.rmtree(FOLDER, ignore_errors=True)


if __name__ == "__main__":
    main()
