"""A client of the language server for tests: messages over the pipes of a process, or a socket.

Notifications are kept in the order in which they came. Requests are answered by `request`, or later
by `wait` for those that were sent with `send_request`. Requests of the server are answered with null. Messages that are
cufls's own must be as the table of messages has them.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
import time
from pathlib import Path

from . import protocol_messages


def processes(pid: int) -> "list[int]":
    """A server and all processes that run the same command: its workers. Where they are ended, an argument such as
    --log-file has to tell the server from those of other tests."""
    return processes_of(Path(f"/proc/{pid}/cmdline").read_bytes())


def processes_of(command: bytes) -> "list[int]":
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cmdline").read_bytes() == command:
                found.append(int(process.name))
        except OSError:
            pass
    return found


def memory(pid: int) -> float:
    """Resident megabytes of a server and its workers."""
    total = 0.0
    for process in processes(pid):
        try:
            pages = int(Path(f"/proc/{process}/smaps_rollup").read_text().split("Pss:")[1].split()[0])
            total += pages / 1024
        except (OSError, IndexError):
            pass
    return total


class ServerGone(Exception):
    pass


class Client:
    def __init__(self, command: "list[str]", env: "dict | None" = None, cwd: "Path | None" = None):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, cwd=cwd)
        self.start(self.process.stdin, self.process.stdout)

    def start(self, out, source) -> None:
        self.out, self.source = out, source
        self.incoming: "queue.Queue[dict | None]" = queue.Queue()
        self.answers: "dict[int, dict]" = {}
        self.notifications: "list[dict]" = []
        self.requests: "list[dict]" = []  # of the server
        self.settings: object = None  # what workspace/configuration answers
        self.last = 0
        self.methods: "dict[int, str]" = {}  # of requests, by their numbers
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        try:
            while True:
                length = 0
                while line := self.source.readline().strip():
                    name, _, value = line.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                if not length:
                    break
                content = self.source.read(length)
                received = time.perf_counter()  # what Python takes for reading it is not the server's time
                message = json.loads(content)
                message["received"] = received
                self.incoming.put(message)
        except (OSError, ValueError):
            pass
        self.incoming.put(None)

    def send_bytes(self, content: bytes) -> None:
        self.out.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.out.flush()

    def send(self, message: dict) -> None:
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method: str, params: object = None) -> None:
        self.send({"method": method, "params": params})

    def send_request(self, method: str, params: object = None) -> int:
        self.last += 1
        self.methods[self.last] = method
        self.send({"id": self.last, "method": method, "params": params})
        return self.last

    def step(self, seconds: float) -> bool:
        """Takes one message; False if none came in time."""
        try:
            message = self.incoming.get(timeout=max(0.0, seconds))
        except queue.Empty:
            return False
        if message is None:
            raise ServerGone(f"the server has ended, status {self.process.poll()}")
        if "method" in message and "id" in message:
            self.requests.append(message)
            answer = None
            if message["method"] == "workspace/configuration":
                answer = [self.settings for _ in message["params"]["items"]]
            elif message["method"] == "workspace/applyEdit":
                answer = {"applied": True}
            self.send({"id": message["id"], "result": answer})
        elif "method" in message:
            self.notifications.append(message)
            self.check(message["method"], message["params"], False)
        else:
            if "result" in message:
                self.check(self.methods.get(message["id"], ""), message["result"], True)
            self.answers[message["id"]] = message
        return True

    def check(self, method: str, content: object, answer: bool) -> None:
        if problems := protocol_messages.in_message(method, content, answer):
            raise AssertionError(f"compiler/tables/protocol_messages.toml and the server differ: {'; '.join(problems[:5])}")

    def wait(self, number: int, seconds: float = 60) -> dict:
        """The whole answer to a request: with "result" or "error"."""
        end = time.monotonic() + seconds
        while number not in self.answers:
            if not self.step(end - time.monotonic()) and time.monotonic() > end:
                raise TimeoutError(f"no answer to request {number}")
        return self.answers.pop(number)

    def request(self, method: str, params: object = None, seconds: float = 60):
        answer = self.wait(self.send_request(method, params), seconds)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def wait_notification(self, method: str, accept=lambda params: True, seconds: float = 60) -> dict:
        """The first notification that is accepted, of those not taken so far."""
        end = time.monotonic() + seconds
        seen = 0
        while True:
            for index in range(seen, len(self.notifications)):
                message = self.notifications[index]
                if message["method"] == method and accept(message["params"]):
                    return self.notifications.pop(index)
            seen = len(self.notifications)
            if not self.step(end - time.monotonic()) and time.monotonic() > end:
                raise TimeoutError(f"no notification {method}")

    def initialize(self, folder: "Path | None" = None, capabilities: "dict | None" = None, options: object = None) -> dict:
        params = {"processId": os.getpid(), "capabilities": capabilities or {}, "rootUri": None}
        if folder:
            params |= {"rootUri": folder.as_uri(), "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name}]}
        # Costs of kernels come later than other answers, so tests that are not about them are without.
        if options is None or isinstance(options, dict):
            options = {"occupancy": {"enabled": False}, **(options or {})}
        params["initializationOptions"] = options
        result = self.request("initialize", params)
        self.capabilities = result["capabilities"]
        self.notify("initialized", {})
        return result

    def open(self, path: Path, text: "str | None" = None, version: int = 1) -> None:
        text = path.read_text() if text is None else text
        item = {"uri": path.as_uri(), "languageId": "cuda-fortran", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, path: Path, version: int, changes: "list[dict]") -> None:
        self.notify("textDocument/didChange",
                    {"textDocument": {"uri": path.as_uri(), "version": version}, "contentChanges": changes})

    def diagnostics(self, path: Path, version: "int | None" = None, seconds: float = 60) -> "list[dict]":
        def accept(params):
            return params["uri"] == path.as_uri() and (version is None or params.get("version") == version)
        return self.wait_notification("textDocument/publishDiagnostics", accept, seconds)["params"]["diagnostics"]

    def stop(self) -> int:
        """Ends the server as the protocol has it; its exit status."""
        self.request("shutdown")
        self.notify("exit")
        status = self.process.wait(20)
        self.process.stdin.close()
        return status
