#!/usr/bin/env python3
"""The promises of docs/security.md by their numbers. promises.py [NUMBER...]"""

from __future__ import annotations

import json
import os
import re
import socket
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import hardened  # noqa: E402
from harness.lsp_client import Client  # noqa: E402

CUFC = Path(os.environ["CUFC"]).resolve()
CUFLS = CUFC.with_name("cufls")
PROGRAM = "program p\n  print *, 1\nend program\n"
SECRET = "hunter2"


def check(condition, what: str) -> None:
    if not condition:
        raise AssertionError(what)


def no_shell(folder: Path) -> None:
    """1: no source calls a shell, and names that a shell would run are names."""
    call = re.compile(r"\b(?:std::)?(?:system|popen|execlp?|wordexp)\s*\(|\"(?:/bin/)?(?:ba)?sh\"\s*,\s*\"-c\"")
    for path in (*ROOT.glob("compiler/**/*.cpp"), *ROOT.glob("lsp/**/*.cpp")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = call.search(line.split("//")[0])
            check(not found or "cusolver" in line, f"{path}:{number}: {line.strip()}")
    name = folder / "$(touch made);touch made;`touch made`.cuf"
    name.write_text(PROGRAM)
    subprocess.run([CUFC, name.name, "-o", "a;touch made"], cwd=folder, check=True)
    subprocess.run([CUFLS, "build"], cwd=folder, check=True, capture_output=True)
    check(not list(folder.rglob("made")), "a name was run")


def target_names(folder: Path) -> None:
    """2: the name of a target leads to no other folder."""
    inside = folder / "project"
    inside.mkdir()
    (inside / "m.cuf").write_text(PROGRAM)
    for name in ("../evil", "/tmp/evil", "a/../../evil", "..", ""):
        (inside / "cufls.json").write_text(json.dumps({"targets": {name: {"sources": ["m.cuf"]}}}))
        done = subprocess.run([CUFLS, "build"], cwd=inside, capture_output=True, text=True)
        check(done.returncode != 0 and "CUF0125" in done.stderr + done.stdout, f"{name!r}: {done.stderr}")
    check(sorted(entry.name for entry in folder.iterdir()) == ["project"], "something was written outside")


def nothing_runs(folder: Path) -> None:
    """3: a workspace that is not trusted runs nothing: no makefile, no compiler of its own, no program."""
    made = folder / "made"
    for name in ("Makefile", "GNUmakefile"):
        (folder / name).write_text(f"X := $(shell touch {made})\nall:\n\ttouch {made}\n\tcc -DA -c p.cuf\n")
    for name in ("cc", "ptxas", "nvcc", "make", "cmake", "mpif90", "git"):
        (folder / name).write_text(f"#!/bin/sh\ntouch {made}\n")
        (folder / name).chmod(0o755)
    (folder / "compile_commands.json").write_text(json.dumps([{"directory": str(folder), "file": "p.cuf", "command": f"touch {made}; cufc -c p.cuf"}]))
    path = folder / "p.cuf"
    path.write_text(PROGRAM)
    client = Client([str(CUFLS)], cwd=folder)
    client.initialize(folder, {"window": {"workDoneProgress": True}})
    client.open(path)
    client.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}})
    for command in ("cufls.build", "cufls.run"):
        client.wait(client.send_request("workspace/executeCommand", {"command": command, "arguments": [path.as_uri()]}))
    time.sleep(1)
    check(client.stop() == 0 and not made.exists(), "something of the workspace was run")


def no_contents(folder: Path) -> None:
    """4: the server tells nothing of what an included file outside of the workspace holds."""
    (folder / "secret.txt").write_text(f"KEY {SECRET} = 'value of {SECRET}'\ncall {SECRET}(\n")
    inside = folder / "workspace"
    inside.mkdir()
    client = Client([str(CUFLS)])
    client.initialize(inside)
    for name, line in (("a.cuf", "  include '../secret.txt'"), ("b.CUF", '#include "../secret.txt"')):
        path = inside / name
        text = f"program p\n{line}\nend program\n"
        path.write_text(text)
        client.open(path, text)
        answer = client.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}})
        check(answer["items"], f"{name}: nothing is said")
        check(SECRET not in json.dumps(answer), f"{name}: {json.dumps(answer)}")
    said = [each for each in client.notifications if each["method"] == "textDocument/publishDiagnostics"]
    check(SECRET not in json.dumps(said), json.dumps(said))
    check(client.stop() == 0, "the server ends")


def private_files(folder: Path) -> None:
    """5: folders for temporary files, and the token, are their owner's alone and have names that nobody knows before."""
    temporary = folder / "tmp"
    temporary.mkdir()
    path = folder / "p.cuf"
    path.write_text("program p\n" + "  i = i + 1\n" * 3000 + "end program\n")
    seen = {}
    old = os.umask(0)
    try:
        for _ in range(2):
            process = subprocess.Popen([CUFC, "-c", path, "-o", folder / "p.o"], env={**os.environ, "TMPDIR": str(temporary)}, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            while process.poll() is None:
                for entry in temporary.iterdir():
                    try:
                        seen[entry.name] = stat.S_IMODE(entry.stat().st_mode)
                    except FileNotFoundError:
                        pass
    finally:
        os.umask(old)
    check(len(seen) >= 2 and set(seen.values()) == {0o700}, f"{seen}")
    check(not list(temporary.iterdir()), "temporary folders are left")


class Listener:
    """A server on TCP."""

    def __init__(self, folder: Path):
        self.token = folder / "token"
        self.process = subprocess.Popen([str(CUFLS), "--listen=127.0.0.1:0", f"--token-file={self.token}"], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    def __enter__(self) -> "Listener":
        return self

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait(10)

    def exchange(self, data: bytes, seconds: float = 8) -> bytes:
        """What comes back until the server closes; TimeoutError if it does not."""
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.settimeout(seconds)
            connection.sendall(data)
            answer = b""
            try:
                while piece := connection.recv(65536):
                    answer += piece
            except ConnectionResetError:
                pass
            return answer


def message(token: str, **more) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize",
                       "params": {"capabilities": {}, "processId": None, "rootUri": None, "initializationOptions": {"token": token}}, **more}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def token(folder: Path) -> None:
    """6: on TCP nothing is done without the token: a wrong one, one cut short, none, a number, a large message, silence."""
    with Listener(folder) as server:
        right = server.token.read_text().strip()
        check(len(right) >= 32 and stat.S_IMODE(server.token.stat().st_mode) == 0o600, "the token is long and its owner's")
        for wrong in ("", "x", right[:-1], right + "0", "0" * len(right), right[:-1] + ("0" if right[-1] != "0" else "1")):
            answer = server.exchange(message(wrong))
            check(b"token is missing or wrong" in answer and b"capabilities" not in answer, f"{wrong}: {answer!r}")
        check(b"capabilities" not in server.exchange(message(right).replace(b'"token": "', b'"tokex": "')), "another key")
        check(server.exchange(b"Content-Length: 200000000\r\n\r\n") == b"", "a large first message ends the connection")
        begin = time.monotonic()
        check(server.exchange(b"Content-Length: 100\r\n\r\n", 20) == b"" and time.monotonic() - begin < 15, "silence ends the connection")


def browser(folder: Path) -> None:
    """7: what a page in a browser can send is no message, also with the right token."""
    with Listener(folder) as server:
        body = message(server.token.read_text().strip())
        for first in (b"POST / HTTP/1.1", b"POST /a:b HTTP/1.1", b"OPTIONS /x:y HTTP/1.1", b"GET /:/ HTTP/1.1"):
            answer = server.exchange(first + b"\r\nHost: 127.0.0.1\r\nOrigin: http://evil.example\r\nContent-Type: text/plain\r\n" + body)
            check(answer == b"", f"{first!r}: {answer!r}")


def connections(folder: Path) -> None:
    """8: there are at most 100 connections, those beyond are closed, and later ones are served again."""
    with Listener(folder) as server:
        many = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(104)]
        for connection in many:
            connection.settimeout(0.5)
        time.sleep(1)

        def is_closed(connection) -> bool:
            try:
                return connection.recv(1) == b""
            except TimeoutError:
                return False
            except ConnectionResetError:
                return True
        closed = [is_closed(connection) for connection in many[-4:]]
        check(all(closed), f"{closed}")
        for connection in many:
            connection.close()
        end = time.monotonic() + 60
        while b"wrong" not in (answer := server.exchange(message("x"), 60)):  # those before it are still ending
            check(time.monotonic() < end, f"later connections are served: {answer!r}")


def loopback(folder: Path) -> None:
    """9: other machines reach it only with --allow-remote, and never without a token."""
    for options, code in ((["--listen=0.0.0.0:0", f"--token-file={folder}/t"], "CUF0161"), (["--listen=[::]:0", f"--token-file={folder}/t"], "CUF0161"),
                          (["--listen=127.0.0.1:0"], "CUF0163"), (["--listen=0.0.0.0:0", "--allow-remote"], "CUF0163")):
        refused = subprocess.run([str(CUFLS), *options], capture_output=True, text=True, timeout=20)
        check(refused.returncode != 0 and code in refused.stderr, f"{options}: {refused.stderr}")


def binary(folder: Path) -> None:
    """10: the executable is a PIE with full RELRO, no executable stack and no path of libraries."""
    check(not hardened.missing(str(CUFC)), "; ".join(hardened.missing(str(CUFC))))


PROMISES = [no_shell, target_names, nothing_runs, no_contents, private_files, token, browser, connections, loopback, binary]


def main() -> int:
    failed = 0
    page = (ROOT / "docs/security.md").read_text()
    for number, promise in enumerate(PROMISES, 1):
        if sys.argv[1:] and str(number) not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(promise.__doc__.startswith(f"{number}: ") and f"| {number} |" in page, "docs/security.md has another number")
                promise(Path(folder).resolve())
                print(f"ok {promise.__doc__}", flush=True)
            except Exception as error:
                failed += 1
                print(f"FAILED {promise.__doc__}\n  {type(error).__name__}: {error}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
