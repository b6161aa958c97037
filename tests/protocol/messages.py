#!/usr/bin/env python3
"""Every message of compiler/tables/protocol_messages.toml is sent once; the client sees whether it is as the table has it
(harness/protocol_messages.py). Before that, that it would see what is not.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from harness import protocol_messages  # noqa: E402
from harness.lsp_client import Client  # noqa: E402
from harness.occupancy_sources import KERNELS  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
SOURCE = KERNELS + """program p
  use cudafor
  use kernels
  implicit none
  real, device :: a(1000)
#if 0
  a = 1
#endif
  call scale<<<4, 256>>>(a, 1000)
end program
"""


def check(right: bool, what: str) -> None:
    if not right:
        print(f"FAILED: {what}")
        sys.exit(1)


def differences() -> None:
    status = {"state": "idle", "openFiles": 1, "sources": 1, "indexed": 1, "restarts": 0, "memory": 0}
    cases = [
        ("cufls/status", status, False, ""),
        ("cufls/status", {**status, "state": "asleep"}, False, "cufls/status.state is no ServerState"),
        ("cufls/status", {**status, "state": "idle", "memory": "much"}, False, "cufls/status.memory is no integer"),
        ("cufls/status", {**status, "more": 1}, False, "cufls/status.more is not in the table"),
        ("cufls/status", {"state": "idle"}, False, "cufls/status.openFiles is missing"),
        ("cufls/nothing", {}, False, "cufls/nothing is not in the table"),
        ("cufls/occupancy", None, True, ""),
        ("cufls/occupancyChanged", {"uri": "file:///a", "version": None}, False, ""),
        ("cufls/deviceCode", {"state": "ready", "message": "", "kind": "ptx", "gpu": "cc90", "lines": [[1]]}, True,
         "cufls/deviceCode.lines[0] is no pair"),
        ("textDocument/hover", 1, True, ""),
    ]
    for method, content, answer, wanted in cases:
        found = protocol_messages.in_message(method, content, answer)
        check((found[0] if found else "") == wanted, f"{method}: {found}, expected {wanted}")


def main() -> int:
    differences()
    folder = Path.cwd() / "messages"
    folder.mkdir(exist_ok=True)
    path = folder / "p.CUF"
    path.write_text(SOURCE)
    client = Client([str(CUFLS)])
    client.initialize(folder, {"experimental": {"inactiveRegions": True}}, {"trusted": True, "occupancy": {"enabled": True}, "gpu": "cc90"})
    client.open(path)
    document = {"textDocument": {"uri": path.as_uri()}}
    client.wait_notification("cufls/occupancyChanged")
    line = next(number for number, text in enumerate(SOURCE.splitlines()) if "call scale" in text)
    place = {**document, "position": {"line": line, "character": 8}}
    answer = client.request("cufls/occupancy", place)
    check(answer is not None and ("kernel" in answer) == (answer["state"] == "ready"), f"a launch is asked for: {answer}")
    check(client.request("cufls/occupancy", {**document, "position": {"line": line + 1, "character": 0}}) is None or answer["state"] != "ready",
          "nothing is there")
    for kind in ("ptx", "sass"):
        client.request("cufls/deviceCode", {**place, "kind": kind})
    refused = client.wait(client.send_request("cufls/deviceCode", {**place, "kind": "hlfir"})).get("error", {})
    check("known are ptx, sass" in refused.get("message", ""), f"another kind is refused: {refused}")
    client.request("cufls/timesMeasured", {"folder": str(folder / "nowhere")})
    client.request("workspace/executeCommand", {"command": "cufls.run", "arguments": [path.as_uri(), {"device": "host"}]})
    client.request("workspace/executeCommand", {"command": "cufls.run", "arguments": [path.as_uri(), {"target": "nowhere"}]})
    seen = {message["method"] for message in client.notifications} | set(client.methods.values()) | {"cufls/occupancyChanged"}
    missing = [message.method for message in protocol_messages.table().messages if message.method not in seen]
    check(not missing, f"not sent: {missing}")
    return client.stop()


sys.exit(main())
