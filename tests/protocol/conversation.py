#!/usr/bin/env python3
"""The rules of the protocol, by conversations with the server: lifecycle, errors, cancelling, TCP, what
happens when processes die.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client, ServerGone  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
FOLDER = Path.cwd()

KERNELS = """module kernels
contains
  attributes(global) subroutine scale(a, n)
    real, device :: a(n)
    integer, value :: n
    integer :: i
    i = threadIdx%x + (blockIdx%x - 1) * blockDim%x
    if (i <= n) a(i) = 2.0 * a(i)
  end subroutine
end module
"""
MAIN = """program main
  use kernels
  implicit none
  real, device :: a(100)
  a = 1.0
  call scale<<<4, 32>>>(a, 100)
end program
"""

failures: "list[str]" = []


def check(condition: bool, what: str) -> None:
    if not condition:
        failures.append(what)
        print("FAILED:", what, flush=True)


def project(name: str, **files: str) -> Path:
    folder = FOLDER / name
    folder.mkdir()
    for file, text in files.items():
        (folder / f"{file}.cuf").write_text(text)
    return folder


def error_code(client: Client, method: str, params=None) -> "int | None":
    return client.wait(client.send_request(method, params)).get("error", {}).get("code")


def codes(diagnostics: list) -> "list[str]":
    return sorted(d["code"] for d in diagnostics)


def text_document(path: Path) -> dict:
    return {"textDocument": {"uri": path.as_uri()}}


def at(path: Path, line: int, character: int) -> dict:
    return {**text_document(path), "position": {"line": line, "character": character}}


def lifecycle() -> None:
    client = Client([str(CUFLS), "--stdio"])
    check(error_code(client, "textDocument/hover", {}) == -32002, "a request before initialize is refused")
    result = client.initialize()
    check(result["serverInfo"]["name"] == "cufls", "the server says its name")
    check(result["capabilities"]["positionEncoding"] == "utf-16", "UTF-16 unless the client says otherwise")
    check(error_code(client, "initialize", {"capabilities": {}}) == -32600, "a second initialize is refused")
    check(error_code(client, "no/such/method") == -32601, "an unknown method is named")
    check(error_code(client, "textDocument/hover", {"textDocument": 3}) == -32602, "wrong parameters are refused")
    check(error_code(client, "textDocument/hover", [1]) == -32602, "parameters that are a list are refused")
    check(error_code(client, "textDocument/hover", at(FOLDER / "closed.cuf", 0, 0)) == -32602, "a file that is not open")
    client.notify("no/such/notification", {})
    client.notify("$/setTrace", {"value": "verbose"})
    client.notify("textDocument/didChange", {"oops": 1})
    client.send_bytes(b"{ not json")
    client.send_bytes(b"[]")
    client.send_bytes(b'{"jsonrpc":"2.0","id":{"a":1},"method":"shutdown"}')
    seen = []
    while len(seen) < 3:
        client.step(20)
        if None in client.answers:
            seen.append(client.answers.pop(None)["error"]["code"])
    check(seen == [-32700, -32600, -32600], f"what is no message is answered: {seen}")
    check(client.request("shutdown") is None, "shutdown is answered with null")
    check(error_code(client, "textDocument/hover", {}) == -32600, "a request after shutdown is refused")
    client.notify("exit")
    check(client.process.wait(10) == 0, "exit after shutdown ends with 0")


def exits() -> None:
    client = Client([str(CUFLS)])
    client.initialize()
    client.notify("exit")
    check(client.process.wait(10) == 1, "exit without shutdown ends with 1")
    client = Client([str(CUFLS)])
    client.initialize()
    client.process.stdin.close()
    check(client.process.wait(10) == 1, "the end of the input without shutdown ends with 1")
    client = Client([str(CUFLS)])
    client.out.write(b"GET / HTTP/1.1\r\n\r\n")
    client.out.flush()
    check(client.process.wait(10) == 1, "a stream without messages is given up")


def encodings() -> None:
    folder = project("encodings", p="program p\n  character(9) :: c\n  c = 'é😀'; x = 1\n  print *, c, x\nend\n")
    for encoding, column in (("utf-8", 16), ("utf-16", 13), ("utf-32", 12)):
        client = Client([str(CUFLS)])
        result = client.initialize(None, {"general": {"positionEncodings": [encoding, "utf-16"]}})
        check(result["capabilities"]["positionEncoding"] == encoding, f"{encoding} is agreed on")
        client.open(folder / "p.cuf")
        places = client.request("textDocument/definition", at(folder / "p.cuf", 3, 14))
        check(bool(places) and places[0]["range"]["start"] == {"line": 2, "character": column}, f"{encoding}: {places}")
        client.stop()


def diagnostics_of_dependants() -> None:
    folder = project("dependants", kernels=KERNELS, main=MAIN)
    client = Client([str(CUFLS)])
    client.initialize(folder)
    client.open(folder / "main.cuf")
    check(client.diagnostics(folder / "main.cuf", 1) == [], "a correct file has no diagnostics")
    client.open(folder / "kernels.cuf")
    check(client.diagnostics(folder / "kernels.cuf", 1) == [], "nor has its module")
    # The dummy becomes double precision: main is wrong now, though nothing is saved.
    line = {"start": {"line": 3, "character": 4}, "end": {"line": 3, "character": 8}}
    client.change(folder / "kernels.cuf", 2, [{"range": line, "text": "double precision"}])
    found = client.diagnostics(folder / "main.cuf")
    check(any(d["severity"] == 1 for d in found), f"an edit of an interface reaches its users: {found}")
    client.change(folder / "kernels.cuf", 3, [{"text": KERNELS}])
    end = time.monotonic() + 20
    while found and time.monotonic() < end:
        found = client.diagnostics(folder / "main.cuf")
    check(found == [], "and when it is taken back")
    client.notify("textDocument/didClose", text_document(folder / "main.cuf"))
    client.change(folder / "kernels.cuf", 4, [{"range": line, "text": "double precision"}])
    found = client.wait_notification("textDocument/publishDiagnostics", lambda p: p["uri"].endswith("main.cuf") and p["diagnostics"])
    check(bool(found), "a file that is not open is checked too")
    check(client.stop() == 0, "the server ends well")


def opened_with_another_text() -> None:
    """While nothing is known of a module's new text, its users are still answered."""
    folder = project("another", kernels=KERNELS, main=MAIN)
    client = Client([str(CUFLS)])
    client.initialize(folder)
    client.open(folder / "main.cuf")
    client.diagnostics(folder / "main.cuf", 1)
    client.open(folder / "kernels.cuf", "! Not saved.\n" + KERNELS)
    # 'other' has no occurrence, so that it is looked for in the modules.
    client.change(folder / "main.cuf", 2, [{"range": {"start": {"line": 4, "character": 2}, "end": {"line": 4, "character": 2}}, "text": "other = 1; "}])
    for method in ("documentHighlight", "definition", "hover", "completion", "implementation"):
        answer = client.wait(client.send_request("textDocument/" + method, at(folder / "main.cuf", 4, 4)))
        check("result" in answer, f"{method} while a module is not analysed: {answer}")
    check(client.stop() == 0, "the server lives")


def versions_and_pull() -> None:
    folder = project("versions", k=KERNELS)
    path = folder / "k.cuf"
    client = Client([str(CUFLS)])
    client.initialize(folder)
    client.open(path)
    for version in range(2, 12):
        client.change(path, version, [{"range": {"start": {"line": 7, "character": 4}, "end": {"line": 7, "character": 4}}, "text": "iii"}])
    report = client.request("textDocument/diagnostic", text_document(path))
    check(report["kind"] == "full" and any(d["severity"] == 1 for d in report["items"]), f"pulled of the newest text: {report}")
    again = client.request("textDocument/diagnostic", {**text_document(path), "previousResultId": report["resultId"]})
    check(again == {"kind": "unchanged", "resultId": report["resultId"]}, "unchanged diagnostics are not sent again")
    pushed = [n["params"]["version"] for n in client.notifications if n["method"] == "textDocument/publishDiagnostics"]
    check(pushed == sorted(pushed), f"versions only rise: {pushed}")
    item = next(d for d in report["items"] if d["severity"] == 1)
    check(item["source"] == "cufls" and item["code"].startswith("CUF"), "a diagnostic has source and code")
    check(Path(item["codeDescription"]["href"].removeprefix("file://")).exists(), "its page is there")
    client.stop()


def several_ranges() -> None:
    """What a client formats that has more than one selection; ranges may share a line, and nothing between them changes."""
    folder = project("ranges", k="program p\nx=1\ny=2\nz=3\nv=4\nend program\n")
    client = Client([str(CUFLS)])
    client.initialize(folder)
    client.open(folder / "k.cuf")
    lines = [(3, 3), (1, 1), (3, 4)]
    ranges = [{"start": {"line": a, "character": 0}, "end": {"line": b, "character": 2}} for a, b in lines]
    edits = client.request("textDocument/rangesFormatting", {**text_document(folder / "k.cuf"), "ranges": ranges,
                                                             "options": {"tabSize": 2, "insertSpaces": True}})
    touched = [edit["range"]["start"]["line"] for edit in edits]
    check(sorted(set(touched)) == [1, 3, 4], f"lines that are formatted: {touched}")
    places = sorted((e["range"]["start"]["line"], e["range"]["start"]["character"], e["range"]["end"]["character"]) for e in edits)
    check(all(a[0] < b[0] or a[2] <= b[1] for a, b in zip(places, places[1:])), f"edits do not overlap: {places}")
    client.stop()


def cancelling() -> None:
    body = "".join(f"subroutine s{i}\n  real :: a\n  a = {i}\n  print *, a\nend subroutine\n" for i in range(1500))
    folder = project("cancelling", big=f"module big\ncontains\n{body}end module\n")
    client = Client([str(CUFLS)])
    client.initialize(folder)
    client.open(folder / "big.cuf")
    numbers = [client.send_request("textDocument/hover", at(folder / "big.cuf", 3, 9)) for _ in range(3)]
    client.notify("$/cancelRequest", {"id": numbers[1]})
    client.notify("$/cancelRequest", {"id": 4711})
    begin = time.monotonic()
    check(client.wait(numbers[1])["error"]["code"] == -32800, "a request that is cancelled says so")
    check(time.monotonic() - begin < 1, "and at once")
    check("result" in client.wait(numbers[0]) and "result" in client.wait(numbers[2]), "the others are answered")
    number = client.send_request("textDocument/diagnostic", text_document(folder / "big.cuf"))
    client.change(folder / "big.cuf", 2, [{"text": "module big\nend module\n"}])
    check(client.wait(number)["result"]["items"] == [], "an answer is of the newest text")
    number = client.send_request("textDocument/hover", at(folder / "big.cuf", 0, 8))
    client.notify("textDocument/didClose", text_document(folder / "big.cuf"))
    answer = client.wait(number)
    check("result" in answer or "error" in answer, "closing leaves no request unanswered")
    client.stop()


def children(pid: int) -> "set[int]":
    """All processes that the server has started, the worker too, which belongs to nobody."""
    return {int(p.name) for p in Path("/proc").glob("[0-9]*") if session_of(p) == os.getsid(pid) and int(p.name) not in (pid, os.getpid())
            and command_of(p) == command_of(Path(f"/proc/{pid}"))}


def session_of(process: Path) -> int:
    try:
        return int((process / "stat").read_text().rsplit(")", 1)[1].split()[3])
    except (OSError, ValueError, IndexError):
        return -1


def command_of(process: Path) -> str:
    try:
        return (process / "cmdline").read_text()
    except OSError:
        return ""


def workers_killed() -> None:
    folder = project("killed", k=KERNELS, main=MAIN)
    client = Client([str(CUFLS), "--log-file=" + str(folder / "log")])
    before = children(client.process.pid)
    client.initialize(folder)
    client.open(folder / "k.cuf")
    client.open(folder / "main.cuf")
    client.diagnostics(folder / "k.cuf", 1)
    version, worst = 1, 0.0
    for round in range(4):
        for pid in children(client.process.pid) | before:
            if (folder / "log").read_text().count("\n") and command_of(Path(f"/proc/{pid}")).find(str(folder / "log")) >= 0:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        version += 1
        begin = time.monotonic()
        text = KERNELS if round % 2 else KERNELS.replace("2.0", "2.0 *")
        client.change(folder / "k.cuf", version, [{"text": text}])
        found = client.diagnostics(folder / "k.cuf", version)
        worst = max(worst, time.monotonic() - begin)
        check(bool(found) == (round % 2 == 0) and "CUF0901" not in codes(found), f"right after workers were killed: {found}")
    check(worst < 5, f"soon after workers were killed: {worst:.2f} s")
    print(f"recovered from killed workers within {worst:.2f} s")
    check(client.stop() == 0, "the server itself lives")


def tcp() -> None:
    token = FOLDER / "token"
    server = subprocess.Popen([str(CUFLS), "--listen=127.0.0.1:0", f"--token-file={token}"], stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline().rsplit(":", 1)[1])
        check(token.stat().st_mode & 0o077 == 0, "the token is for its owner alone")
        folder = project("tcp", k=KERNELS)

        def connect(secret: str) -> Client:
            stream = socket.create_connection(("127.0.0.1", port))
            client = Client.__new__(Client)
            client.process = server
            client.start(stream.makefile("wb"), stream.makefile("rb"))
            client.send({"id": "first", "method": "initialize",
                         "params": {"capabilities": {}, "processId": None, "rootUri": None, "initializationOptions": {"token": secret}}})
            return client

        wrong = connect("guess")
        try:
            while None not in wrong.answers:
                wrong.step(10)
            check("error" in wrong.answers[None], "a wrong token is refused")
            wrong.step(10)
            check(False, "and the connection closed")
        except ServerGone:
            pass
        clients = [connect(token.read_text().strip()) for _ in range(3)]
        for client in clients:
            check("result" in client.wait("first"), "the right token is taken")
            client.open(folder / "k.cuf")
        for client in clients:
            check(client.diagnostics(folder / "k.cuf") == [], "each client is served")
    finally:
        server.terminate()
        server.wait(10)
    for options, code in ((["--listen=127.0.0.1:0"], "CUF0163"), (["--listen=0.0.0.0:0", f"--token-file={token}"], "CUF0161"),
                          (["--listen=nowhere", f"--token-file={token}"], "CUF0160")):
        refused = subprocess.run([str(CUFLS), *options], capture_output=True, text=True, timeout=20)
        check(refused.returncode == 2 and code in refused.stderr, f"{options}: {refused.stderr}")
    token.chmod(0o644)
    refused = subprocess.run([str(CUFLS), "--listen=127.0.0.1:0", f"--token-file={token}"], capture_output=True, text=True, timeout=20)
    check(refused.returncode == 2 and "CUF0162" in refused.stderr, refused.stderr)


def settings_and_files() -> None:
    folder = project("settings", p="program p\n  integer :: unused\nend program\n")
    path = folder / "p.cuf"
    client = Client([str(CUFLS)])
    client.settings = {"diagnostics": {"CUF0501": "error"}}
    client.initialize(folder, {"workspace": {"configuration": True, "didChangeWatchedFiles": {"dynamicRegistration": True}}})
    client.open(path)
    client.wait_notification("textDocument/publishDiagnostics", lambda p: any(d["severity"] == 1 for d in p["diagnostics"]))
    check(any(r["method"] == "client/registerCapability" for r in client.requests), "files are watched")
    client.settings = {"diagnostics": {"unused": "off"}}
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.wait_notification("textDocument/publishDiagnostics", lambda p: p["diagnostics"] == [])
    (folder / "cufls.json").write_text(json.dumps({"targets": {"app": {"sources": ["p.cuf"]}}, "oops": 1}))
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": (folder / "cufls.json").as_uri(), "type": 1}]})
    found = client.wait_notification("textDocument/publishDiagnostics", lambda p: p["uri"].endswith("cufls.json"))
    check(bool(found["params"]["diagnostics"]), "a mistake in the project file is shown there")
    client.stop()


def output(client: Client) -> str:
    return "".join(n["params"]["text"] for n in client.notifications if n["method"] == "cufls/output")


def build_and_run() -> None:
    folder = project("building", kernels=KERNELS, main=MAIN.replace("end program", "  print *, 'sum', sum(a)\nend program"))
    command = {"command": "cufls.run", "arguments": [(folder / "main.cuf").as_uri(), {"device": "host"}]}
    client = Client([str(CUFLS)])
    client.initialize(folder)
    answer = client.wait(client.send_request("workspace/executeCommand", command))
    asked = [r["params"] for r in client.requests if r["method"] == "window/showMessageRequest"]
    check("error" in answer and len(asked) == 1 and output(client) == "", f"nothing runs without consent: {answer}")
    check(error_code(client, "workspace/executeCommand", {"command": "rm"}) == -32602, "only commands of the table are run")
    client.stop()

    client = Client([str(CUFLS)])
    client.initialize(folder, {"window": {"workDoneProgress": True}}, {"trusted": True})
    client.open(folder / "main.cuf")
    answer = client.request("workspace/executeCommand", command)
    check(answer == {"exitCode": 0} and "sum" in output(client), f"a program is built and run: {answer} {output(client)}")
    kinds = [n["params"]["value"]["kind"] for n in client.notifications
             if n["method"] == "$/progress" and "task" in n["params"]["token"]]
    check(kinds == ["begin", "end"], f"with progress: {kinds}")
    answer = client.request("workspace/executeCommand", {"command": "cufls.build", "arguments": [folder.as_uri()]})
    check(answer == {"exitCode": 0}, f"a folder is built: {answer} {output(client)}")

    # The text of the editor is right, that on disk is not.
    (folder / "main.cuf").write_text(MAIN.replace("a = 1.0", "a = wrong"))
    client.notifications.clear()
    answer = client.request("workspace/executeCommand", {"command": "cufls.build", "arguments": [folder.as_uri()]})
    found = client.wait_notification("textDocument/publishDiagnostics", lambda p: any(d["source"] == "cufls build" for d in p["diagnostics"]))
    problem = next(d for d in found["params"]["diagnostics"] if d["source"] == "cufls build")
    check(answer["exitCode"] == 1 and "wrong" in problem["message"], f"problems of a build are shown: {problem}")
    place = {"start": {"line": 4, "character": 6}, "end": {"line": 4, "character": 9}}  # the editor's line ends there
    check(problem["range"] == place, f"at their places: {problem}")
    (folder / "main.cuf").write_text(MAIN + "subroutine nowhere()\n  call missing_procedure()\nend subroutine\n")
    client.request("workspace/executeCommand", {"command": "cufls.build", "arguments": [folder.as_uri()]})
    message = client.wait_notification("window/showMessage")["params"]["message"]
    check("missing_procedure" in message, f"what has no place is shown as a message: {message}")

    (folder / "main.cuf").write_text("program endless\n  do\n    call sleep(1)\n  end do\nend program\n")
    number = client.send_request("workspace/executeCommand", command)
    client.wait_notification("$/progress", lambda p: p["value"].get("kind") == "begin" and "task" in p["token"])
    time.sleep(1.0)
    client.notify("$/cancelRequest", {"id": number})
    begin = time.monotonic()
    check(client.wait(number).get("error", {}).get("code") == -32800, "a running program is cancelled")
    check(time.monotonic() - begin < 2, "at once")
    check(client.stop() == 0, "and the server goes on")


def progress_of_the_index() -> None:
    """Settings that change while the index runs: what was shown of each run ends, and no token serves twice."""
    folder = project("progress", kernels=KERNELS, main=MAIN)
    client = Client([str(CUFLS)])
    client.initialize(folder, {"window": {"workDoneProgress": True}})
    client.open(folder / "main.cuf")
    for pause in (0.0, 0.15, 0.3, 0.25, 0.3):
        client.step(pause)
        time.sleep(pause)
        client.notify("workspace/didChangeConfiguration", {"settings": {"cufls": {}}})
    client.diagnostics(folder / "main.cuf")

    def running() -> "tuple[list, list]":
        shown = [n["params"] for n in client.notifications if n["method"] == "$/progress"]
        return tuple([p["token"] for p in shown if p["value"]["kind"] == kind] for kind in ("begin", "end"))
    end = time.monotonic() + 60
    while time.monotonic() < end and (not running()[0] or len(running()[0]) != len(running()[1]) or client.step(1.0)):
        client.step(0.1)
    begun, ended = running()
    check(begun == ended and len(set(begun)) == len(begun) > 1, f"what was shown of the index ends: {begun} {ended}")
    client.stop()


def main() -> int:
    for part in (build_and_run, progress_of_the_index, lifecycle, exits, encodings, diagnostics_of_dependants, opened_with_another_text, versions_and_pull, several_ranges, cancelling, workers_killed, tcp, settings_and_files):
        begin = time.monotonic()
        try:
            part()
        except Exception as error:  # one conversation that breaks off does not hide the others
            check(False, f"{part.__name__}: {type(error).__name__}: {error}")
        print(f"{part.__name__}: {time.monotonic() - begin:.1f} s", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
