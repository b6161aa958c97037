#!/usr/bin/env python3
"""Documents that exist in the server alone: workspace/textDocumentContent (LSP 3.18) and its refreshes."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from harness.lsp_client import Client  # noqa: E402
from harness.occupancy_sources import KERNELS, has_ptxas  # noqa: E402

CUFLS = Path(os.environ.get("CUFC", "build/bin/cufc")).resolve().parent / "cufls"
FOLDER = Path(tempfile.mkdtemp(prefix="cufls-content-"))
os.environ["XDG_CACHE_HOME"] = str(FOLDER / "cache")
PATH = FOLDER / "two words.cuf"


def uri(kind: str, suffix: str, query: str = "", path: Path = PATH) -> str:
    return f"cufls://{kind}" + path.as_uri().removeprefix("file://") + suffix + query


def content(client: Client, name: str) -> str:
    answer = client.request("workspace/textDocumentContent", {"uri": name})
    assert set(answer) == {"text"}, answer
    return answer["text"]


def started(**settings) -> Client:
    client = Client([str(CUFLS)])
    client.initialize(FOLDER, {"workspace": {"textDocumentContent": {}}}, {"occupancy": {"enabled": True}, "gpu": "cc90", **settings})
    return client


def costs_known(client: Client) -> None:
    client.wait_notification("cufls/occupancyChanged")


def documents() -> None:
    client = started()
    assert client.capabilities["workspace"]["textDocumentContent"] == {"schemes": ["cufls"]}, client.capabilities["workspace"]
    client.open(PATH, KERNELS)
    costs_known(client)
    text = content(client, uri("occupancy", ".txt"))
    assert "cc90, H100" in text and "kernels::tile" in text, text
    assert "cc80" in content(client, uri("occupancy", ".txt", "?gpu=cc80")) or "measured" in content(client, uri("occupancy", ".txt", "?gpu=cc80"))
    ptx = content(client, uri("ptx", ".ptx"))
    assert "st.global" in ptx and "a(i)" in ptx, ptx[:400]
    assert "st.global" in content(client, uri("ptx", ".ptx", "?gpu=H200")), "a chip by its name"
    sass = content(client, uri("sass", ".sass"))
    assert "STG" in sass or "nvdisasm" in sass, sass[:400]

    # A file that is not open is read; one that is not there is an error.
    other = FOLDER / "other.cuf"
    other.write_text(KERNELS.replace("module kernels", "module others"))
    assert "st.global" in content(client, uri("ptx", ".ptx", path=other))
    for wrong in (uri("ptx", ".ptx", path=FOLDER / "nowhere.cuf"), uri("ptx", ".txt"), uri("passwd", ".txt"), uri("ptx", ".ptx", "?gpu=cc12"),
                  "cufls:ptx", "cufls://ptx", PATH.as_uri(), "cufls://ptx?/x.ptx"):
        assert "error" in client.wait(client.send_request("workspace/textDocumentContent", {"uri": wrong})), wrong
    assert client.stop() == 0


def refreshes() -> None:
    client = started()
    client.open(PATH, KERNELS)
    costs_known(client)
    client.requests.clear()
    name = uri("ptx", ".ptx")
    content(client, name)
    line = KERNELS.split("\n").index("    if (i <= n) a(i) = 2.0 * a(i)") if "    if (i <= n) a(i) = 2.0 * a(i)" in KERNELS else 8
    place = {"line": line, "character": 0}
    client.change(PATH, 2, [{"range": {"start": place, "end": place}, "text": "    if (i == 4711) a(i) = 0\n"}])
    costs_known(client)
    while not (asked := [r["params"] for r in client.requests if r["method"] == "workspace/textDocumentContent/refresh"]):
        assert client.step(30), "the client is told that the text has changed"
    assert asked == [{"uri": name}], asked
    assert "4711" in content(client, name), "and gets the new one"
    client.requests.clear()
    assert client.stop() == 0


def without_toolkit() -> None:
    os.environ["CUDA_HOME"], before = "/nonexistent", os.environ.get("CUDA_HOME")
    client = started()
    client.open(PATH, KERNELS)
    costs_known(client)
    text = content(client, uri("occupancy", ".txt"))
    assert "was not found" in text, text
    client.stop()
    os.environ.pop("CUDA_HOME") if before is None else os.environ.update(CUDA_HOME=before)


def main() -> None:
    try:
        for case in [documents, refreshes, without_toolkit] if has_ptxas() else [without_toolkit]:
            case()
    finally:
        shutil.rmtree(FOLDER, ignore_errors=True)


if __name__ == "__main__":
    main()
