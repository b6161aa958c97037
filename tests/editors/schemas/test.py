#!/usr/bin/env python3
"""What `cufls debug` and `cufls mcp` say, compared with the public schemas of their protocols: see ../run.py for how this is run.

The schemas are the types that the protocols' authors publish: @vscode/debugprotocol, and spec.types of @modelcontextprotocol/sdk.
tests/debug/adapter.py and tests/protocol/mcp.py hold the conversations; each message becomes a constant of the type that its name
has there, and the TypeScript compiler says what does not fit: what is missing, what has another type, what the schema does not have.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = HERE.parents[1]
TOOLS = Path(os.environ["EDITOR_TOOLS"]) / "schemas"
OUTPUT = Path(os.environ["EDITOR_OUTPUT"])
PACKAGES = ["typescript@5.9.3", "@types/node@20", "@vscode/debugprotocol@1.68.0", "@modelcontextprotocol/sdk@1.32.2"]
CONVERSATIONS = {"dap": TESTS / "debug/adapter.py", "mcp": TESTS / "protocol/mcp.py"}
SKIPPED = 77
MCP_RESULTS = {"initialize": "InitializeResult", "ping": "EmptyResult", "tools/list": "ListToolsResult", "tools/call": "CallToolResult",
               "resources/list": "ListResourcesResult", "resources/read": "ReadResourceResult",
               "resources/templates/list": "ListResourceTemplatesResult", "prompts/list": "ListPromptsResult",
               "logging/setLevel": "EmptyResult"}
MCP_NOTIFICATIONS = {"notifications/progress": "ProgressNotification", "notifications/message": "LoggingMessageNotification",
                     "notifications/tools/list_changed": "ToolListChangedNotification"}
MCP_REQUESTS = {"elicitation/create": "ElicitRequest", "ping": "PingRequest", "roots/list": "ListRootsRequest"}


def skip(why: str) -> None:
    print(why)
    sys.exit(SKIPPED)


def install() -> None:
    if not shutil.which("npm"):
        skip("npm is not installed")
    TOOLS.mkdir(parents=True, exist_ok=True)
    mark = TOOLS / "installed"
    if mark.exists() and mark.read_text() == " ".join(PACKAGES):
        return
    (TOOLS / "package.json").write_text('{"name": "schemas", "private": true, "type": "module"}')
    done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", *PACKAGES], cwd=TOOLS,
                          capture_output=True, text=True, check=False)
    if done.returncode:
        skip(f"npm cannot install the schemas: {done.stderr[-400:]}")
    mark.write_text(" ".join(PACKAGES))


def recorded(protocol: str) -> "list[dict]":
    """The messages of conversations that `./dev test` has held with this server, else of new ones."""
    script = CONVERSATIONS[protocol]
    known = OUTPUT.parents[1] / script.parent.name / script.stem / "messages"
    if known.exists() and known.stat().st_mtime > Path(os.environ["CUFLS"]).stat().st_mtime:
        return [json.loads(line) for line in known.read_text().splitlines()]
    folder = OUTPUT / protocol
    folder.mkdir(parents=True)
    messages = folder / "messages"
    environment = {**os.environ, "RECORD_MESSAGES": str(messages)}
    done = subprocess.run([sys.executable, CONVERSATIONS[protocol]], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    (folder / "log").write_text(done.stdout + done.stderr)
    if done.returncode == SKIPPED:  # a part of them cannot be held here, which the last line says
        print(f"skipped {protocol}: {(done.stdout.strip().splitlines() or ['a part'])[-1]}")
    elif done.returncode:
        sys.exit(f"the conversations of {protocol} fail: {(done.stdout + done.stderr)[-2000:]}")
    return [json.loads(line) for line in messages.read_text().splitlines()]


def dap_type(message: dict) -> str:
    """The type's name, empty for what is our own."""
    name = message.get("event") or message["command"]
    if name.startswith("cufls/"):
        return ""
    kind = "Event" if message["type"] == "event" else "Response"
    if message["type"] == "request":
        kind = "Request"
    elif kind == "Response" and not message["success"]:
        return "DebugProtocol.ErrorResponse" if "error" in message.get("body", {}) else "DebugProtocol.Response"
    return f"DebugProtocol.{name[0].upper()}{name[1:]}{kind}"


def mcp_type(entry: dict) -> "tuple[str, object]":
    """The type's name and the part of the message that has it."""
    message = entry["message"]
    if "error" in message:
        return "spec.JSONRPCErrorResponse", message
    if "result" in message:
        return f"spec.{MCP_RESULTS[entry['method']]}", with_open_schemas(message["result"])
    if "id" in message:
        return f"spec.{MCP_REQUESTS[message['method']]}", message
    return f"spec.{MCP_NOTIFICATIONS[message['method']]}", message


def with_open_schemas(result: dict) -> dict:
    """tools/list without the words of JSON Schema that the type leaves out, though the protocol recommends them: additionalProperties."""
    for tool in result.get("tools", []):
        for schema in ("inputSchema", "outputSchema"):
            tool.get(schema, {}).pop("additionalProperties", None)
    return result


def typed(protocol: str, entries: "list[dict]") -> "list[tuple[str, object]]":
    """Each message once, whatever its number is."""
    found: "dict[str, tuple[str, object]]" = {}
    for entry in entries:
        kind, value = (dap_type(entry["message"]), entry["message"]) if protocol == "dap" else mcp_type(entry)
        if kind:
            known = {key: part for key, part in value.items() if key not in ("seq", "request_seq", "id")}
            found.setdefault(kind + json.dumps(known, sort_keys=True), (kind, value))
    return list(found.values())


def compare(protocol: str, values: "list[tuple[str, object]]") -> "list[str]":
    if protocol == "dap":
        head = "import type { DebugProtocol } from '@vscode/debugprotocol';\n"
    else:
        head = "import type * as spec from './node_modules/@modelcontextprotocol/sdk/dist/esm/spec.types.js';\n"
    lines = [f"export const m{number}: {kind} = {json.dumps(value)};" for number, (kind, value) in enumerate(values)]
    source = TOOLS / f"{protocol}.ts"
    source.write_text(head + "\n".join(lines) + "\n")
    done = subprocess.run(["npx", "tsc", "--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022", source.name],
                          cwd=TOOLS, capture_output=True, text=True, check=False)
    wrong = []
    for line in done.stdout.splitlines():
        place = re.match(rf"{protocol}\.ts\((\d+),\d+\): (.*)", line)
        wrong.append(f"{values[int(place[1]) - 2][0]}: {place[2]}: {json.dumps(values[int(place[1]) - 2][1])[:300]}" if place else line)
    if done.returncode and not wrong:
        wrong.append(done.stderr or "tsc failed")
    return wrong


def would_notice() -> None:
    """A message that lacks something, has another type or more than the schema is found."""
    right = {"seq": 1, "type": "event", "event": "stopped", "body": {"reason": "step", "threadId": 1}}
    kind = "DebugProtocol.StoppedEvent"
    spoilt = [{**right, "body": {"threadId": 1}}, {**right, "body": {"reason": "step", "threadId": "1"}},
              {**right, "body": {"reason": "step", "thread": 1}}]
    if compare("dap", [(kind, right)]) or any(not compare("dap", [(kind, value)]) for value in spoilt):
        sys.exit("the comparison with the schema does not work")
    print("ok messages that the schema does not allow are noticed")


def main() -> int:
    if not shutil.which("gdb"):
        skip("gdb is not installed")
    install()
    would_notice()
    failed = False
    for protocol in CONVERSATIONS:
        entries = recorded(protocol)
        values = typed(protocol, entries)
        wrong = compare(protocol, values)
        print("\n".join(wrong[:40]))
        kinds = Counter(kind.split(".")[-1] for kind, _ in values)
        print(f"{'not ok' if wrong else 'ok'} {protocol}: {len(entries)} messages, {len(values)} of them different, of {len(kinds)} types: "
              f"{len(wrong)} do not fit the public schema")
        failed |= bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
