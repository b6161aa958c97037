#!/usr/bin/env python3
"""Conversations with `cufls mcp` by the Model Context Protocol, each message compared with the members that its schema asks for."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from harness import tested_commands  # noqa: E402
from harness.recorded_messages import record  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
FOLDER = Path.cwd()

SOURCE = """module kernels
contains
  attributes(global) subroutine scale(a, n)
    real, device :: a(n)
    integer, value :: n
    integer :: i
    i = threadIdx%x + (blockIdx%x - 1) * blockDim%x
    if (i <= n) a(i) = 2.0 * a(i)
  end subroutine
end module

program main
  use kernels
  implicit none
  real, device :: a(100)
  real :: b(100)
  a = 1.0
  call scale<<<4, 32>>>(a, 100)
  b = a
  print '(a,f0.1)', 'sum ', sum(b)
end program
"""
WRONG = SOURCE.replace("a = 1.0", "a = wrong")
ENDLESS = "program endless\n  print *, 'begun'\n  flush(6)\n  do\n    call sleep(1)\n  end do\nend program\n"

# Members of the schema, https://modelcontextprotocol.io/specification/2025-11-25/schema: name, type, whether it is required.
SCHEMA = {
    "InitializeResult": [("protocolVersion", str, True), ("capabilities", dict, True), ("serverInfo", dict, True), ("instructions", str, False)],
    "Implementation": [("name", str, True), ("title", str, False), ("version", str, True)],
    "Tool": [("name", str, True), ("title", str, False), ("description", str, False), ("inputSchema", dict, True), ("annotations", dict, False)],
    "ToolAnnotations": [("title", str, False), ("readOnlyHint", bool, False), ("destructiveHint", bool, False), ("idempotentHint", bool, False),
                        ("openWorldHint", bool, False)],
    "CallToolResult": [("content", list, True), ("structuredContent", dict, False), ("isError", bool, False)],
    "TextContent": [("type", str, True), ("text", str, True)],
    "Resource": [("uri", str, True), ("name", str, True), ("title", str, False), ("description", str, False), ("mimeType", str, False)],
    "ResourceTemplate": [("uriTemplate", str, True), ("name", str, True), ("title", str, False), ("description", str, False), ("mimeType", str, False)],
    "TextResourceContents": [("uri", str, True), ("mimeType", str, False), ("text", str, True)],
    "ProgressNotificationParams": [("progressToken", (str, int), True), ("progress", (int, float), True), ("total", (int, float), False),
                                   ("message", str, False)],
    "ElicitRequestParams": [("message", str, True), ("requestedSchema", dict, True)],
    "Error": [("code", int, True), ("message", str, True)],
}

failures: "list[str]" = []
current = ""  # the conversation
known: "list[str]" = ["initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read"]
seen: "dict[str, list[str]]" = {}  # what was answered well, and in which conversations


def answered(what: str) -> None:
    if current not in seen.setdefault(what, []):
        seen[what].append(current)


def check(condition: bool, what: str) -> None:
    if not condition:
        failures.append(what)
        print("FAILED:", what, flush=True)


def conforms(value: dict, kind: str) -> None:
    known = {name for name, _, _ in SCHEMA[kind]}
    check(set(value) <= known, f"{kind} has no members but the schema's: {sorted(set(value) - known)}")
    for name, types, required in SCHEMA[kind]:
        check(name in value or not required, f"{kind} has a member {name}")
        check(name not in value or isinstance(value[name], types), f"{kind}.{name} has its type")


class Assistant:
    """A client in lines; `agrees` is its answer to questions for the user, None if it cannot ask."""

    def __init__(self, folder: Path, *options: str, agrees: "bool | None" = None, version: str = "2025-11-25") -> None:
        self.process = subprocess.Popen([str(CUFLS), "mcp", f"--folder={folder}", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last, self.pending = 0, b""
        self.agrees = agrees
        self.answers: "dict" = {}
        self.methods: "dict[int, str]" = {}
        self.notifications: "list[dict]" = []
        self.questions: "list[dict]" = []
        capabilities = {} if agrees is None else {"elicitation": {}}
        self.hello = self.request("initialize", {"protocolVersion": version, "capabilities": capabilities,
                                                 "clientInfo": {"name": "test", "version": "1"}})
        self.send({"method": "notifications/initialized"})

    def send_text(self, text: str) -> None:
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def send(self, message: dict) -> None:
        self.send_text(json.dumps({"jsonrpc": "2.0", **message}))

    def step(self, seconds: float) -> bool:
        if b"\n" not in self.pending:
            if not select.select([self.process.stdout], [], [], seconds)[0]:
                return False
            read = os.read(self.process.stdout.fileno(), 1 << 16)
            if not read:
                raise EOFError("the server is gone")
            self.pending += read
            if b"\n" not in self.pending:
                return True
        line, self.pending = self.pending.split(b"\n", 1)
        message = json.loads(line)
        record("mcp", message, self.methods.get(message.get("id"), ""))
        check(message.get("jsonrpc") == "2.0", "every message is of JSON-RPC 2.0")
        if "method" not in message:
            check(("result" in message) != ("error" in message), "an answer is a result or an error")
            if "error" in message:
                conforms(message["error"], "Error")
            self.answers[message.get("id")] = message
        elif "id" in message:
            conforms(message["params"], "ElicitRequestParams")
            self.questions.append(message)
            if message["method"] == "elicitation/create" and self.agrees is not None:
                self.send({"id": message["id"], "result": {"action": "accept" if self.agrees else "decline"}})
        else:
            self.notifications.append(message)
        return True

    def start(self, method: str, params: "dict | None" = None) -> int:
        self.last += 1
        self.methods[self.last] = method
        self.send({"id": self.last, "method": method, **({} if params is None else {"params": params})})
        return self.last

    def wait(self, number, seconds: float = 120) -> dict:
        end = time.monotonic() + seconds
        while number not in self.answers:
            if not self.step(1) and time.monotonic() > end:
                raise TimeoutError(f"no answer to {number}")
        return self.answers.pop(number)

    def request(self, method: str, params: "dict | None" = None) -> dict:
        result = self.wait(self.start(method, params))["result"]
        answered(method)
        return result

    def error(self, method: str, params: "dict | None" = None) -> "int | None":
        return self.wait(self.start(method, params)).get("error", {}).get("code")

    def call(self, name: str, arguments: "dict | None" = None, meta: "dict | None" = None) -> dict:
        params: "dict" = {"name": name, "arguments": arguments or {}}
        if meta:
            params["_meta"] = meta
        result = self.request("tools/call", params)
        conforms(result, "CallToolResult")
        for content in result["content"]:
            conforms(content, "TextContent")
        if not result.get("isError"):
            answered(f"tool {name}")
        return result

    def stop(self) -> int:
        self.process.stdin.close()
        return self.process.wait(20)


def text(result: dict) -> str:
    return "".join(content["text"] for content in result["content"])


def workspace(name: str, **files: str) -> Path:
    folder = FOLDER / name
    folder.mkdir()
    for file, source in files.items():
        (folder / f"{file}.cuf").write_text(source)
    return folder


def lifecycle() -> None:
    folder = workspace("lifecycle")
    assistant = Assistant(folder)
    conforms(assistant.hello, "InitializeResult")
    conforms(assistant.hello["serverInfo"], "Implementation")
    check(assistant.hello["protocolVersion"] == "2025-11-25", "the version that was asked for")
    check(set(assistant.hello["capabilities"]) == {"tools", "resources"}, "tools and resources are there")
    check(assistant.request("ping") == {}, "ping is answered")
    check(assistant.error("no/such/method") == -32601, "an unknown method is named")
    check(assistant.error("initialize", {"protocolVersion": "2025-11-25"}) == -32600, "a second initialize is refused")
    check(assistant.error("tools/call", {"arguments": {}}) == -32602, "a call without a name is refused")
    check(assistant.error("tools/call", {"name": "rm"}) == -32602, "only tools of the table are called")
    check(assistant.error("resources/read", {"uri": "file:///etc/passwd"}) == -32002, "no file is a resource")
    for line, code in (("{ not json", -32700), ("[]", -32600), ('{"id":1,"method":"ping"}', -32600),
                       ('{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600), ('{"jsonrpc":"2.0","id":"x"}', -32600)):
        assistant.send_text(line)
        assistant.answers.clear()
        while not assistant.answers:
            assistant.step(10)
        check(list(assistant.answers.values())[0]["error"]["code"] == code, f"{line} is answered with {code}")
    assistant.send({"method": "no/such/notification"})
    assistant.send_text("\r")
    check(assistant.request("ping") == {}, "and the conversation goes on")
    check(assistant.stop() == 0, "the end of the input ends the server well")
    for asked, told in (("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25")):
        old = Assistant(folder, version=asked)
        check(old.hello["protocolVersion"] == told, f"{asked} becomes {told}")
        result = old.call("explain", {"code": "CUF0203"})
        check(("structuredContent" in result) == (told >= "2025-06-18"), f"data in results of {told}")
        old.stop()
    early = subprocess.run([str(CUFLS), "mcp"], input=b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n', capture_output=True, timeout=20)
    check(b"-32600" in early.stdout, "requests before initialize are refused")
    wrong = subprocess.run([str(CUFLS), "mcp", "--folder=/nowhere"], capture_output=True, text=True, timeout=20)
    check(wrong.returncode == 2 and "CUF0011" in wrong.stderr, f"a folder that is not there: {wrong.stderr}")


def tools_and_resources() -> None:
    assistant = Assistant(workspace("lists"))
    tools = assistant.request("tools/list")["tools"]
    known.extend(f"tool {tool['name']}" for tool in tools)
    check([t["name"] for t in tools] == ["check", "explain", "build", "run", "occupancy", "documentation"], "the tools")
    for tool in tools:
        conforms(tool, "Tool")
        conforms(tool["annotations"], "ToolAnnotations")
        check(tool["inputSchema"]["type"] == "object", f"{tool['name']} takes an object")
        check(tool["annotations"]["readOnlyHint"] == (tool["name"] not in ("build", "run")), f"whether {tool['name']} changes anything")
    resources = assistant.request("resources/list")["resources"]
    known.append("each resource of the list")
    for resource in resources:
        conforms(resource, "Resource")
        contents = assistant.request("resources/read", {"uri": resource["uri"]})["contents"]
        conforms(contents[0], "TextResourceContents")
        check(len(contents[0]["text"]) > 20, f"{resource['uri']} has a text")
        answered("each resource of the list")
    check(any(r["uri"] == "cufls://reference/cudafor" for r in resources), "cudafor is a resource")
    for template in assistant.request("resources/templates/list")["resourceTemplates"]:
        conforms(template, "ResourceTemplate")
        known.append(f"resource {template['uriTemplate']}")
    page = assistant.request("resources/read", {"uri": "cufls://reference/cudafor/cudaMemcpyAsync"})["contents"][0]["text"]
    answered("resource cufls://reference/{module}/{name}")
    check("kdir" in page and "cudaErrorInvalidValue" in page, "a page has arguments and errors")
    page = assistant.request("resources/read", {"uri": "cufls://diagnostics/CUF0203"})["contents"][0]["text"]
    answered("resource cufls://diagnostics/{code}")
    check("## Wrong" in page and "## Right" in page, "a diagnostic has its examples")
    check(assistant.error("resources/read", {"uri": "cufls://reference/cudafor/cudaNothing"}) == -32002, "an unknown name")
    assistant.stop()


def documentation() -> None:
    assistant = Assistant(workspace("documentation"))

    def first(query: str, **more) -> str:
        entries = assistant.call("documentation", {"query": query, **more})["structuredContent"]["entries"]
        return entries[0]["name"] if entries else ""

    for query, name in (("cudaMemcpyAsync", "cudaMemcpyAsync"), ("cudamemcpyasync", "cudaMemcpyAsync"), ("syncthreads", "syncthreads"), ("cudaMallocManaged", "cudaMallocManaged"),
                        ("threadIdx", "threadIdx"), ("atomicAdd", "atomicAdd"), ("cufftExecC2C", "cufftExecC2C"), ("CUF0203", "CUF0203"),
                        ("__shared__", "shared")):
        check(first(query).lower() == name.lower(), f"{query} finds {name}: {first(query)}")
    check("cudaMemcpy" in first("copies memory in a stream"), f"words find a routine: {first('copies memory in a stream')}")
    check(first("gemm", module="cublas_v2").startswith("cublas"), "one module alone")
    check("Nothing is known" in text(assistant.call("documentation", {"query": "xyzzyplugh"})), "nothing is found")
    check(assistant.call("documentation", {"query": "!"})["isError"], "a question without words")
    check(len(assistant.call("documentation", {"query": "cuda", "limit": 3})["structuredContent"]["entries"]) == 3, "at most as many as asked for")
    assistant.stop()


def checks() -> None:
    folder = workspace("checks", main=SOURCE, wrong=WRONG.replace("kernels", "others"))
    assistant = Assistant(folder)
    result = assistant.call("check", {"paths": ["main.cuf"]})
    check(not result["isError"] and result["structuredContent"]["diagnostics"] == [], f"a correct file: {text(result)}")
    result = assistant.call("check", {"paths": ["wrong.cuf"]})
    found = result["structuredContent"]
    check(found["exitStatus"] == 1 and found["errors"] == 1 and found["diagnostics"][0]["line"] == 17, f"a wrong file: {found}")
    check("wrong.cuf:17:" in text(result) and not result["isError"], "the text has the place")
    check(assistant.call("check")["structuredContent"]["errors"] == 1, "the whole workspace")
    check(assistant.call("check", {"paths": ["main.cuf"], "flags": ["-Dx=1", "-nonsense"]})["structuredContent"]["errors"] >= 1, "flags of cufc")
    for arguments, why in (({"paths": "main.cuf"}, "type array"), ({"oops": 1}, "no argument 'oops'"), ({"paths": ["../elsewhere.cuf"]}, "outside"),
                           ({"paths": ["/etc/passwd"]}, "outside"), ({"flagsFrom": "make"}, "not trusted"), ({"flagsFrom": "bash"}, "one of"),
                           ({"paths": ["a\0b"]}, "NUL")):
        result = assistant.call("check", arguments)
        check(result["isError"] and why in text(result), f"{arguments}: {text(result)}")
    os.symlink("/etc", folder / "link")
    check("outside" in text(assistant.call("check", {"paths": ["link/passwd"]})), "links do not lead out of the workspace")
    # What looks like an option is a path.
    result = assistant.call("check", {"paths": ["--fix"]})
    check(result["isError"] is True, f"no option comes from an assistant: {text(result)}")
    result = assistant.call("explain", {"code": "203"})
    check(result["structuredContent"]["diagnostics"][0]["code"] == "CUF0203" and "## Wrong" in text(result), "a code is explained")
    check(len(assistant.call("explain", {"code": "performance"})["structuredContent"]["diagnostics"]) > 3, "a group is listed")
    check(assistant.call("explain", {"code": "CUF9999"})["isError"], "an unknown code")
    check(assistant.call("explain", {"code": "--format=sarif"})["isError"], "no option as a code")
    check("code" in text(assistant.call("explain")), "a missing argument is named")
    result = assistant.call("occupancy", {"paths": ["main.cuf"], "gpu": "cc90", "block": 128})
    if "ptxas" not in text(result):
        kernel = result["structuredContent"]["kernels"][0]
        check(kernel["blockSize"] == 128 and "curves" not in kernel, f"occupancy: {kernel}")
    check(assistant.call("occupancy", {"gpu": "cc12"})["isError"], "an unknown GPU")
    assistant.stop()


def builds_and_runs() -> None:
    folder = workspace("runs", main=SOURCE)
    run = {"file": "main.cuf", "device": "host"}
    assistant = Assistant(folder)
    for name, arguments in (("run", run), ("build", {})):
        result = assistant.call(name, arguments)
        check(result["isError"] and "not trusted" in text(result), f"{name} without consent: {text(result)}")
    check(not (folder / "build").exists(), "nothing was built")
    assistant.stop()

    assistant = Assistant(folder, agrees=False)
    result = assistant.call("run", run)
    check(result["isError"] and "did not agree" in text(result) and len(assistant.questions) == 1, f"a user who declines: {text(result)}")
    assistant.call("run", run)
    check(len(assistant.questions) == 2, "is asked again")
    assistant.stop()

    assistant = Assistant(folder, agrees=True)
    result = assistant.call("run", run, {"progressToken": "p"})
    check(result["structuredContent"]["stdout"] == "sum 200.0\n", f"a user who agrees: {text(result)}")
    for note in assistant.notifications:
        conforms(note["params"], "ProgressNotificationParams")
    check(all(n["params"]["progressToken"] == "p" for n in assistant.notifications), "progress has its token")
    assistant.call("run", run)
    check(len(assistant.questions) == 1, "is asked once")
    assistant.stop()

    assistant = Assistant(folder, "--trusted")
    result = assistant.call("build")
    check(result["structuredContent"]["exitStatus"] == 0, f"a trusted workspace is built: {text(result)}")
    result = assistant.call("run", {**run, "report": True, "check": True, "arguments": ["--help", "a b"]})
    check(not result["isError"] and result["structuredContent"]["report"]["format"] == "cufrt-report", f"with a report: {text(result)}")
    (folder / "race.cuf").write_text(SOURCE.replace("integer :: i\n", "integer :: i\n    real, shared :: s(32)\n", 1).replace(
        "    if (i <= n)", "    s(threadIdx%x) = 1.0\n    if (i <= n) a(i) = s(33 - threadIdx%x)\n    if (i <= n)", 1))
    found = assistant.call("run", {"file": "race.cuf", "check": True})["structuredContent"]["findings"]
    check([(f["code"], f["related"][0]["line"] - f["line"]) for f in found] in ([("CUF0803", 1)], [("CUF0803", -1)]), f"what a run finds: {found}")
    check(assistant.call("run", {"file": "/usr/bin/true"})["isError"], "no program from elsewhere")
    check(assistant.call("run", {"target": "--clean"})["isError"], "no option as a target")
    (folder / "main.cuf").write_text(WRONG)
    result = assistant.call("build")
    check(result["structuredContent"]["errors"] == 1 and not result["isError"], f"errors of a build: {text(result)}")
    result = assistant.call("run", run)
    check(result["isError"] and "wrong" in result["structuredContent"]["stderr"], f"errors before a run: {text(result)}")

    (folder / "endless.cuf").write_text(ENDLESS)
    begin = time.monotonic()
    result = assistant.call("run", {"file": "endless.cuf", "timeoutSeconds": 8})
    check(result["structuredContent"]["timedOut"] and "begun" in text(result), f"a run is ended in time: {text(result)}")
    check(time.monotonic() - begin < 20, "soon")
    number = assistant.start("tools/call", {"name": "run", "arguments": {"file": "endless.cuf"}, "_meta": {"progressToken": 7}})
    while not any("begun" in n["params"]["message"] for n in assistant.notifications):
        check(assistant.step(60), "output comes while a program runs")
    check(assistant.request("ping") == {}, "other requests are answered meanwhile")
    assistant.send({"method": "notifications/cancelled", "params": {"requestId": number}})
    check(assistant.request("ping") == {}, "the server goes on")
    assistant.step(0.5)
    check(number not in assistant.answers, "what is cancelled is not answered")
    check(b"endless" not in subprocess.run(["ps", "-eo", "comm"], capture_output=True).stdout, "and ends")
    check(assistant.stop() == 0, "the server ends well")


def main() -> int:
    global current  # pylint: disable=global-statement
    for conversation in (lifecycle, tools_and_resources, documentation, checks, builds_and_runs):
        current = conversation.__name__
        conversation()
    if not failures:
        page = Path(__file__).resolve().parents[2] / "docs/assistants.md"
        failures.extend(tested_commands.problems(page, "tools", "request, tool or resource", known, seen, update="--update" in sys.argv))
    print(f"{len(failures)} failures", *failures, sep="\n")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
