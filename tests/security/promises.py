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


def go_first() -> None:
    """Before those that run beside these tests: what a server does in the first seconds of a connection is looked at."""
    if os.geteuid() == 0:
        os.setpriority(os.PRIO_PROCESS, 0, -10)


class Listener:
    """A server on TCP."""

    def __init__(self, folder: Path):
        self.token = folder / "token"
        self.process = subprocess.Popen([str(CUFLS), "--listen=127.0.0.1:0", f"--token-file={self.token}"], stdout=subprocess.PIPE, text=True,
                                        preexec_fn=go_first)
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
        for connection in many[-4:]:
            connection.settimeout(8)  # which end long before those that say nothing do

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


KERNEL = """module m
contains
  attributes(global) subroutine k(a)
    real :: a(*)
    a(threadIdx%x) = 1
  end subroutine
end module
program p
  use m
  real, device :: a(32)
  call k<<<1, 32>>>(a)
end program
"""


def contents(folder: Path) -> "dict[str, bytes]":
    return {str(path.relative_to(folder)): b"" if path.is_dir() else path.read_bytes() for path in sorted(folder.rglob("*")) if not path.is_symlink()}


def nothing_is_written(folder: Path) -> None:
    """11: to be looked at, a workspace that is not trusted writes nothing, whatever folders and options its files name."""
    outside, project, cache, temporary = (folder / name for name in ("outside", "project", "cache", "tmp"))
    for each in (outside, project, cache, temporary, project / "deep"):
        each.mkdir()
    (project / "link").symlink_to(outside)
    (project / "build").symlink_to(outside)
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "TMPDIR": str(temporary), "HOME": str(folder / "home")}
    source = project / "p.cuf"
    for place in (str(outside), "../outside", "link"):
        flags = ["-module", place, "-J", place, "-o", f"{place}/o", "-MD", "-MF", f"{place}/rule.d", "-save-temps", "-Mlist", "-gpu=keep", "-S", "-v",
                 "-mllvm", f"-pass-remarks-output={place}/remarks", "-mllvm", f"-info-output-file={place}/info", "-mllvm", "-time-passes", "-mllvm",
                 f"-load={place}/evil.so", f"-Wl,-Map={place}/map", f"--diagnostics-to={place}/diagnostics", "--emit=ptx"]
        for form in ("cufls.json", "compile_commands.json", "Makefile"):
            for name in ("cufls.json", "compile_commands.json", "Makefile"):
                (project / name).unlink(missing_ok=True)
            if form == "cufls.json":
                text = json.dumps({"flags": flags, "include": [place], "buildDirectory": place, "targets": {"p": {"sources": ["p.cuf"], "flags": flags}}})
            elif form == "Makefile":
                text = "p.o: p.cuf\n\tcufc " + " ".join(flags) + " -c p.cuf\n"
            else:
                text = json.dumps([{"directory": place if place.startswith("/") else str(project / place), "file": str(source),
                                    "arguments": ["cufc", *flags, "-c", str(source)], "output": f"{place}/x.o"}])
            (project / form).write_text(text)
            source.write_text(KERNEL)
            before = contents(folder / "outside"), contents(project)
            for command in (["check", "."], ["check", "p.cuf"], ["check", "."], ["symbols", "p.cuf"], ["occupancy", "."], ["flags", "p.cuf"],
                            ["index", f"--scip={temporary}/x.scip"]):
                done = subprocess.run([str(CUFLS), *command], cwd=project, env=environment, capture_output=True, text=True, timeout=120)
                check(done.returncode >= 0, f"{command}: {done.stderr}")
            client = Client([str(CUFLS)], cwd=project, env=environment)
            client.initialize(project)
            client.open(source)
            uri = {"textDocument": {"uri": source.as_uri()}}
            client.request("textDocument/diagnostic", uri)
            client.request("textDocument/codeLens", uri)
            client.request("textDocument/hover", {**uri, "position": {"line": 2, "character": 34}})
            client.request("workspace/symbol", {"query": "k"})
            time.sleep(0.5)
            check(client.stop() == 0, "the server ends")
            after = contents(folder / "outside"), contents(project)
            check(before == after, f"{form}, {place}: {sorted(set(before[0]) ^ set(after[0]))} {sorted(set(before[1]) ^ set(after[1]))}")


def builds_keep_what_is_there(folder: Path) -> None:
    """12: a build and `--clean` remove what a build has made, and nothing else, wherever the build folder is and whatever its records say."""
    project, precious = folder / "project", folder / "precious"
    for each in (project, precious, project / "src"):
        each.mkdir()
    (precious / "letter").write_text("dear")
    (project / "src/p.cuf").write_text(PROGRAM)
    (project / "notes").write_text("mine")
    for place in (".", "../precious", "src", "../project/src", str(precious)):
        (project / "cufls.json").write_text(json.dumps({"buildDirectory": place, "targets": {"made": {"sources": ["src/p.cuf"]}}}))
        before = contents(folder)
        for command in ("build", "build --clean"):
            done = subprocess.run([str(CUFLS), *command.split()], cwd=project, capture_output=True, text=True, timeout=120)
            check(done.returncode == 0, f"{place}, {command}: {done.stderr}")
        left = {name: data for name, data in contents(folder).items() if ".cufls" not in name and not name.endswith(".gitignore")}
        check({name: data for name, data in before.items() if ".cufls" not in name and not name.endswith(".gitignore")} == left,
              f"{place}: {sorted(set(before) ^ set(left))}")
    # Records that name a file elsewhere, and a folder of records that is elsewhere.
    (project / "cufls.json").write_text(json.dumps({"targets": {"x" * 40: {"sources": ["src/p.cuf"]}}}))
    subprocess.run([str(CUFLS), "build"], cwd=project, check=True, capture_output=True, timeout=120)
    state = project / "build/cufls/.cufls/state"
    own = str(project / "build/cufls" / ("x" * 40)).encode()
    victim = (str(precious) + "/" * (len(own) - len(str(precious / "letter")) + 1) + "letter").encode()
    check(own in state.read_bytes() and len(own) == len(victim), "the records have another form")
    state.write_bytes(state.read_bytes().replace(own, victim))
    subprocess.run([str(CUFLS), "build", "--clean"], cwd=project, capture_output=True, timeout=120)
    check((precious / "letter").exists(), "a file outside was removed by a record")
    records = project / "build/cufls/.cufls"
    records.rename(folder / "moved")
    records.symlink_to(precious)
    done = subprocess.run([str(CUFLS), "build", "--clean"], cwd=project, capture_output=True, text=True, timeout=120)
    check((precious / "letter").exists() and "CUF0141" in done.stderr, f"a link was followed: {done.stderr}")


def terminal(folder: Path) -> None:
    """13: what sources, names of files and tools say reaches a terminal without control characters; JSON has them escaped."""
    evil = "\x1b]0;owned\x07\x1b[2J\x9b\u202e"
    name = folder / "a\x1b[31m\nb.cuf:1:1: error.cuf"
    name.write_text(f"program p\n  print *, '{evil}' +\n  call {evil}\nend program\n")
    link = folder / "l.cuf"
    link.write_text(PROGRAM)
    tools = folder / "tools"
    tools.mkdir()
    (tools / "cc").write_text(f"#!/bin/sh\nprintf '%s\\n' '{evil}' >&2; exit 1\n")
    (tools / "cc").chmod(0o755)
    (folder / "c.c").write_text("int c;\n")
    path = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    own = re.compile(r"\x1b\[[0-9;]*[mK]|\r\x1b\[K")
    bad = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
    project = folder / "project"
    project.mkdir()
    (project / "l.cuf").write_text(PROGRAM)
    for arguments, where in (([CUFC, "-c", name], folder), ([CUFC, "-c", name, "-fdiagnostics-color=always"], folder), ([CUFLS, "check", name], folder),
                             ([CUFLS, "check", name, "--format=github"], folder), ([CUFC, link, "-o", "x"], folder), ([CUFC, "-c", "c.c"], folder),
                             ([CUFC, "-print-file-name=libc.so"], folder), ([CUFLS, "build"], project), ([CUFC, "-v", link, "-o", "x"], folder),
                             ([CUFC, "-c", name, "-fdiagnostics-format=json"], folder), ([CUFLS, "check", name, "--format=json"], folder),
                             ([CUFLS, "check", name, "--format=sarif"], folder)):
        done = subprocess.run([str(word) for word in arguments], cwd=where, env=path, capture_output=True, timeout=120)
        text = own.sub("", (done.stdout + done.stderr).decode("utf-8"))
        check(done.returncode != 0, f"{arguments} works")
        escaped = any("json" in str(word) or "sarif" in str(word) for word in arguments)  # what DEL and what is above it are in JSON is no control
        found = re.search("[\x00-\x08\x0b-\x1f]", text) if escaped else bad.search(text)
        check(not found, f"{arguments}: {text!r}")
        check(not re.search(r"^b\.cuf:1:1: error", text, re.MULTILINE), f"{arguments}: a name makes a message: {text!r}")


def any_user(folder: Path) -> None:
    """14: the server and the commands need no more than a user's rights, and leave nothing at the root of the file system."""
    source = folder / "p.cuf"
    source.write_text("program p\n  rial :: x\nend program\n")
    before = set(os.listdir("/"))
    for path in (folder, source):
        path.chmod(0o777)
    as_other = [] if os.geteuid() != 0 else ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    for command in ([], as_other):
        environment = {**os.environ, "HOME": "/nonexistent", "XDG_CACHE_HOME": str(folder / f"cache{len(command)}"), "TMPDIR": str(folder)}
        client = Client([*command, str(CUFLS)], cwd=folder, env=environment)
        client.initialize(folder)
        client.open(source)
        items = client.request("textDocument/diagnostic", {"textDocument": {"uri": source.as_uri()}})["items"]
        check([item["code"] for item in items] == ["CUF1001"], f"{command}: {items}")
        check(client.stop() == 0, "the server ends")
        done = subprocess.run([*command, str(CUFLS), "check", "p.cuf"], cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
        check("CUF1001" in done.stdout and "CUF0012" not in done.stderr + done.stdout, f"{command}: {done.stdout}{done.stderr}")
    check(set(os.listdir("/")) == before, f"left at /: {set(os.listdir('/')) - before}")


PROMISES = [no_shell, target_names, nothing_runs, no_contents, private_files, token, browser, connections, loopback, binary,
            nothing_is_written, builds_keep_what_is_there, terminal, any_user]


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
