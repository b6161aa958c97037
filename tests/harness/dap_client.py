"""A client of the Debug Adapter Protocol for tests: messages over the pipes of `cufls debug`.

Every message that comes is compared with a table of what the protocol demands (DAP 1.68, microsoft.github.io/debug-adapter-protocol):
the fields that must be there, and their types.
"""

from __future__ import annotations

import json
import queue
import subprocess
import threading
import time
from pathlib import Path

from .recorded_messages import record

NUMBER, TEXT, FLAG, LIST, OBJECT = (int,), (str,), (bool,), (list,), (dict,)

# Of the bodies of responses and events the required fields; of lists, those of their members under "field[]".
REQUIRED: "dict[str, dict]" = {
    "setBreakpoints": {"breakpoints": LIST, "breakpoints[]": {"verified": FLAG}},
    "setFunctionBreakpoints": {"breakpoints": LIST, "breakpoints[]": {"verified": FLAG}},
    "setDataBreakpoints": {"breakpoints": LIST, "breakpoints[]": {"verified": FLAG}},
    "dataBreakpointInfo": {"dataId": (str, type(None)), "description": TEXT},
    "threads": {"threads": LIST, "threads[]": {"id": NUMBER, "name": TEXT}},
    "stackTrace": {"stackFrames": LIST, "stackFrames[]": {"id": NUMBER, "name": TEXT, "line": NUMBER, "column": NUMBER}},
    "scopes": {"scopes": LIST, "scopes[]": {"name": TEXT, "variablesReference": NUMBER, "expensive": FLAG}},
    "variables": {"variables": LIST, "variables[]": {"name": TEXT, "value": TEXT, "variablesReference": NUMBER}},
    "evaluate": {"result": TEXT, "variablesReference": NUMBER},
    "setVariable": {"value": TEXT},
    "setExpression": {"value": TEXT},
    "exceptionInfo": {"exceptionId": TEXT, "breakMode": TEXT},
    "continue": {},
    "event stopped": {"reason": TEXT},
    "event continued": {"threadId": NUMBER},
    "event exited": {"exitCode": NUMBER},
    "event output": {"output": TEXT},
    "event thread": {"reason": TEXT, "threadId": NUMBER},
    "event process": {"name": TEXT},
}
OPTIONAL = {"category": TEXT, "threadId": NUMBER, "allThreadsStopped": FLAG, "text": TEXT, "type": TEXT, "evaluateName": TEXT,
            "indexedVariables": NUMBER, "namedVariables": NUMBER, "presentationHint": TEXT, "hitBreakpointIds": LIST, "totalFrames": NUMBER,
            "source": OBJECT, "accessTypes": LIST}


class Broken(Exception):
    """The adapter said something that is not of the protocol, or nothing."""


def _typed(value: object, kinds: tuple) -> bool:
    return isinstance(value, kinds) and not (kinds == NUMBER and isinstance(value, bool))


def check_fields(what: str, body: dict, required: dict) -> None:
    for name, kinds in required.items():
        if name.endswith("[]"):
            for member in body[name[:-2]]:
                check_fields(f"{what}: {name}", member, kinds)
        elif name not in body or not _typed(body[name], kinds):
            raise Broken(f"{what}: {name} is {body.get(name)!r}")
    for name, kinds in OPTIONAL.items():
        if name in body and name not in required and not _typed(body[name], kinds):
            raise Broken(f"{what}: {name} is {body[name]!r}")


class DapClient:
    def __init__(self, command: "list[str]", env: "dict | None" = None, cwd: "Path | None" = None):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, cwd=cwd)
        self.incoming: "queue.Queue[dict | None]" = queue.Queue()
        self.events: "list[dict]" = []
        self.output: "dict[str, str]" = {"stdout": "", "stderr": "", "console": ""}
        self.answered: "set[str]" = set()
        self.last = 0
        self.heard = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        source = self.process.stdout
        try:
            while True:
                length = 0
                while line := source.readline().strip():
                    name, _, value = line.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                if not length:
                    break
                message = json.loads(source.read(length))
                record("dap", message)
                self.incoming.put(message)
        except (OSError, ValueError):
            pass
        self.incoming.put(None)

    def _take(self, timeout: float) -> dict:
        try:
            message = self.incoming.get(timeout=timeout)
        except queue.Empty:
            raise Broken(f"nothing came; output so far: {self.output}") from None
        if message is None:
            raise Broken(f"the adapter has ended; output so far: {self.output}")
        if message.get("seq") != self.heard + 1:
            raise Broken(f"number {message.get('seq')} behind {self.heard}")
        self.heard += 1
        if message["type"] == "event":
            body = message.get("body", {})
            check_fields(message["event"], body, REQUIRED.get(f"event {message['event']}", {}))
            if message["event"] == "output":
                self.output[body.get("category", "console")] += body["output"]
            self.events.append(message)
        return message

    def send(self, command: str, arguments: "dict | None" = None) -> int:
        self.last += 1
        message = {"seq": self.last, "type": "request", "command": command}
        if arguments is not None:
            message["arguments"] = arguments
        content = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.process.stdin.flush()
        return self.last

    def answer(self, number: int, timeout: float = 60) -> dict:
        while True:
            message = self._take(timeout)
            if message["type"] == "response":
                if message.get("request_seq") != number or not isinstance(message.get("success"), bool) or "command" not in message:
                    raise Broken(f"a response to something else: {message}")
                if message["success"]:
                    check_fields(message["command"], message.get("body") or {}, REQUIRED.get(message["command"], {}))
                elif not isinstance(message.get("message"), str):
                    raise Broken(f"a failure without a message: {message}")
                return message

    def request(self, command: str, arguments: "dict | None" = None, timeout: float = 60) -> dict:
        """The body of the response; Broken if it is a failure."""
        message = self.answer(self.send(command, arguments), timeout)
        if not message["success"]:
            raise Broken(f"{command} {arguments}: {message['message']}")
        self.answered.add(command)
        return message.get("body") or {}

    def failure(self, command: str, arguments: "dict | None" = None) -> str:
        message = self.answer(self.send(command, arguments))
        if message["success"]:
            raise Broken(f"{command} {arguments} succeeded: {message}")
        return message["message"]

    def wait(self, *names: str, timeout: float = 60) -> dict:
        """The body of the next event of one of these names; those before it are forgotten."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            while self.events:
                event = self.events.pop(0)
                if event["event"] in names:
                    return {"event": event["event"], **event.get("body", {})}
            self._take(max(0.1, end - time.monotonic()))
        raise Broken(f"none of {names} came")

    def stop(self, reason: "str | None" = None) -> dict:
        """The next stop, which must have this reason."""
        event = self.wait("stopped", "terminated")
        if event["event"] != "stopped" or (reason and event["reason"] != reason):
            raise Broken(f"{event} instead of a stop ({reason}); output {self.output}")
        return event

    def begin(self, launch: dict, lines: "dict[Path, list[dict]]", functions: "list[dict] | None" = None,
              filters: "list[str] | None" = None, knows_invalidated: bool = True) -> "list[dict]":
        """Up to the running program; what became of the breakpoints at lines."""
        self.capabilities = self.request("initialize", {"adapterID": "cufls", "linesStartAt1": True, "columnsStartAt1": True,
                                                        "pathFormat": "path", "supportsInvalidatedEvent": knows_invalidated})
        number = self.send("launch", launch)
        launched = self.answer(number, 240)
        if not launched["success"]:
            raise Broken(f"launch: {launched['message']}; output {self.output}")
        self.answered.add("launch")
        self.wait("initialized")
        set_lines = []
        for path, breakpoints in lines.items():
            body = self.request("setBreakpoints", {"source": {"path": str(path)}, "breakpoints": breakpoints})
            set_lines += body["breakpoints"]
        self.request("setFunctionBreakpoints", {"breakpoints": functions or []})
        self.request("setExceptionBreakpoints", {"filters": filters if filters is not None else ["fault", "check", "error"]})
        self.request("configurationDone")
        return set_lines

    def frames(self, thread: int = 1) -> "list[dict]":
        return self.request("stackTrace", {"threadId": thread})["stackFrames"]

    def scope(self, name: str, frame: "dict | None" = None) -> "dict[str, dict]":
        """The variables of a scope by name."""
        frame = frame or self.frames()[0]
        scopes = self.request("scopes", {"frameId": frame["id"]})["scopes"]
        found = next(scope for scope in scopes if scope["name"] == name)
        return self.variables(found["variablesReference"])

    def variables(self, reference: int, **page: object) -> "dict[str, dict]":
        body = self.request("variables", {"variablesReference": reference, **page})
        return {variable["name"]: variable for variable in body["variables"]}

    def evaluate(self, expression: str, frame: "dict | None" = None, context: str = "repl") -> str:
        arguments = {"expression": expression, "context": context}
        if frame:
            arguments["frameId"] = frame["id"]
        return self.request("evaluate", arguments)["result"]

    def end(self) -> int:
        """Leaves; the adapter's exit status."""
        self.request("disconnect", {"terminateDebuggee": True})
        self.process.stdin.close()
        return self.process.wait(timeout=20)
