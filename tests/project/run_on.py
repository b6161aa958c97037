#!/usr/bin/env python3
"""`cufls run --on`: with a stand-in for ssh and one for srun, and with a server of ssh on a port of this machine where there is one
(sshd on PATH, in /usr/sbin, or as SSHD in the environment)."""

from __future__ import annotations

import getpass
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
FOLDER = Path.cwd()
THERE = FOLDER / "there"  # what the other machine has for temporary files

# Says its arguments, reads a file, uses a device array, and ends with a status.
PROGRAM = """program job
  implicit none
  integer :: i, length
  character(200) :: text
  real, device :: a(10)
  a = 1.0
  do i = 1, command_argument_count()
    call get_command_argument(i, text, length)
    print '(3a)', '[', text(1:length), ']'
  end do
  open (10, file='data/in.txt', action='read')
  read (10, '(a)') text
  print '(2a)', 'read ', trim(text)
  stop 3
end program
"""
SLOW = """program slow
  implicit none
  integer :: i
  do i = 1, 60
    print '(a,i0)', 'line ', i
    flush (6)
    call sleep(1)
  end do
end program
"""
# Like ssh: what follows the host goes to a shell as one text.
SSH = """#!/bin/bash
printf '%s\\n' "$@" >> "{log}"
while [ "$1" != -- ]; do shift; done
if [ "$2" = nowhere ]; then echo 'ssh: no such host' >&2; exit 255; fi
cd / && export TMPDIR="{there}" && exec sh -c "$3"
"""
SRUN = """#!/bin/bash
printf '%s\\n' "$@" >> "{log}"
for argument; do
  case "$argument" in --chdir=*) cd "${{argument#--chdir=}}" ;; --*) ;; *) break ;; esac
  shift
done
exec "$@"
"""
NASTY = ["a b", "it's", "$HOME `id` $(id)", "*", "; touch broken", "", "--on=x", 'say "hi"', "back\\slash", "é", "two\nlines"]


def prepare() -> None:
    tools = FOLDER / "tools"
    for folder in (tools, THERE, FOLDER / "data"):
        folder.mkdir()
    for name, text in (("ssh", SSH), ("srun", SRUN)):
        (tools / name).write_text(text.format(log=FOLDER / f"{name}.log", there=THERE))
        (tools / name).chmod(0o755)
    (FOLDER / "data/in.txt").write_text("from a file\n")
    (FOLDER / "job.cuf").write_text(PROGRAM)
    (FOLDER / "slow.f90").write_text(SLOW)
    os.environ["PATH"] = f"{tools}:{os.environ['PATH']}"


def log(name: str) -> "list[str]":
    return (FOLDER / f"{name}.log").read_text().splitlines()


def run(*arguments: str, cwd: Path = FOLDER) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([str(CUFLS), "run", *arguments], capture_output=True, text=True, timeout=240, cwd=cwd)


def left() -> "list[str]":
    return [path.name for path in THERE.iterdir()] + [path.name for path in FOLDER.glob("cufls-job*")]


def judge(done: "subprocess.CompletedProcess[str]", machine: str) -> None:
    wanted = "".join(f"[{argument}]\n" for argument in NASTY) + "read from a file\n"
    assert done.stdout == wanted, done.stdout + done.stderr
    assert done.returncode == 3, done
    assert f"cufls: ran on {machine} in " in done.stderr and "cufrt: ran on the CPU" in done.stderr, done.stderr
    assert left() == [] and not list(FOLDER.rglob("broken")), left()


def by_ssh() -> None:
    done = run("job.cuf", "--on=me@big", "--input=data/in.txt", "--device=host", "--", *NASTY)
    judge(done, "me@big")
    assert "MB carried" in done.stderr and log("ssh")[:2] == ["--", "me@big"], done.stderr
    report = FOLDER / "report.json"
    done = run("job.cuf", "--on=big", "--input=data/in.txt", "--device=host", "--report=json", "--report-to=report.json")
    assert done.returncode == 3 and json.loads(report.read_text())["format"] == "cufrt-report" and left() == [], done


def by_slurm() -> None:
    judge(run("job.cuf", "--on=slurm:gpu", "--input=data/in.txt", "--device=host", "--", *NASTY), "slurm:gpu")
    assert "--partition=gpu" in log("srun") and "--quit-on-interrupt" in log("srun"), log("srun")
    (FOLDER / "srun.log").unlink()
    judge(run("job.cuf", "--on=slurm", "--input", str(FOLDER / "data/in.txt"), "--device=host", "--", *NASTY), "slurm")
    assert not any(line.startswith("--partition") for line in log("srun")), log("srun")


def interrupted(machine: str, number: int, group: bool) -> None:
    """Output comes while the program runs, and a signal ends it there."""
    begin = time.monotonic()
    process = subprocess.Popen([str(CUFLS), "run", "slow.f90", f"--on={machine}"], stdout=subprocess.PIPE, text=True, cwd=FOLDER,
                               start_new_session=True)
    assert process.stdout.readline() == "line 1\n"
    assert time.monotonic() - begin < 30 and left(), "output comes as it is printed"
    (os.killpg if group else os.kill)(process.pid, number)
    status = process.wait(20)
    assert status == (-9 if number == signal.SIGKILL else 128 + number), status
    end = time.monotonic() + 10
    while time.monotonic() < end and (left() or running()):
        time.sleep(0.1)
    assert not running(), f"{machine}, signal {number}: the job goes on"
    assert left() == [] or (number == signal.SIGKILL and machine == "slurm"), left()


def running() -> bool:
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cmdline").read_bytes().split(b"\0")[0].endswith(b"/slow"):
                return True
        except OSError:
            pass
    return False


def signals() -> None:
    for machine in ("big", "slurm"):
        interrupted(machine, signal.SIGINT, group=True)  # as a terminal does it
        interrupted(machine, signal.SIGINT, group=False)
        interrupted(machine, signal.SIGTERM, group=False)
    interrupted("big", signal.SIGKILL, group=False)


def mistakes() -> None:
    for arguments, code in ((["--on=-oProxyCommand=id"], "CUF0820"), (["--on="], "CUF0002"), (["--on=a b"], "CUF0820"), (["--on=slurm:-x"], "CUF0820"),
                            (["--on=nowhere"], "CUF0821"), (["--on=big", "--debugger=gdb"], "CUF0822"), (["--on=big", "--directory=/"], "CUF0822"),
                            (["--on=big", "--input=nothing.txt"], "CUF0011"), (["--on=big", "--input=data"], "CUF0011")):
        done = run("job.cuf", *arguments)
        assert done.returncode != 0 and code in done.stderr, (arguments, done)
    path = os.environ["PATH"]
    os.environ["PATH"] = "/nonexistent"
    done = run("slow.f90", "--on=big")
    os.environ["PATH"] = path
    assert done.returncode == 2 and "CUF0821" in done.stderr, done


def machines_of_a_project() -> None:
    folder = FOLDER / "project"
    (folder / "data").mkdir(parents=True)
    shutil.copy(FOLDER / "job.cuf", folder)
    shutil.copy(FOLDER / "data/in.txt", folder / "data")
    project = {"targets": {"job": {"sources": ["job.cuf"]}},
               "machines": {"big": {"ssh": "me@gpu01", "options": ["-p", "2222"], "inputs": ["data/in.txt"]}, "queue": {"slurm": "", "options": ["--gres=gpu:1"]}}}
    (folder / "cufls.json").write_text(json.dumps(project))
    (FOLDER / "ssh.log").unlink()
    below = folder / "data"
    done = run("job", "--on=big", "--device=host", "--", *NASTY, cwd=folder)
    judge(done, "big")
    assert log("ssh")[:4] == ["-p", "2222", "--", "me@gpu01"], log("ssh")
    judge(run("--on=queue", "--input=data/in.txt", "--device=host", "--", *NASTY, cwd=folder), "queue")
    assert "--gres=gpu:1" in log("srun") and below.exists()
    for machines, code in (({"x": {}}, "CUF0823"), ({"x": {"ssh": "-oProxyCommand=id"}}, "CUF0823"), ({"x": {"ssh": "a", "slurm": "b"}}, "CUF0823"),
                           ({"x": {"ssh": "a", "oops": 1}}, "CUF0122"), ({"x": {"ssh": "a", "options": "-v"}}, "CUF0123"), ([], "CUF0123"), ({"x": 1}, "CUF0123")):
        (folder / "cufls.json").write_text(json.dumps({**project, "machines": machines}))
        done = run("job", "--on=x", cwd=folder)
        assert done.returncode != 0 and code in done.stderr, (machines, done)


def consent() -> None:
    command = {"command": "cufls.run", "arguments": [(FOLDER / "slow.f90").as_uri(), {"on": "big"}]}
    client = Client([str(CUFLS)])
    client.initialize(FOLDER)
    (FOLDER / "ssh.log").write_text("")
    answer = client.wait(client.send_request("workspace/executeCommand", command))
    asked = [r["params"]["message"] for r in client.requests if r["method"] == "window/showMessageRequest"]
    assert "error" in answer and len(asked) == 1 and "on big" in asked[0] and log("ssh") == [], (answer, asked)
    client.stop()


def by_a_server() -> None:
    sshd = os.environ.get("SSHD") or shutil.which("sshd", path=os.environ["PATH"] + ":/usr/sbin")
    keygen, client = shutil.which("ssh-keygen"), shutil.which("ssh", path="/usr/bin:/usr/local/bin")
    if not (sshd and keygen and client):
        return print("no sshd here: the stand-in alone was used")
    folder = FOLDER / "server"
    folder.mkdir(mode=0o700)
    for key in ("host", "user"):
        subprocess.run([keygen, "-q", "-t", "ed25519", "-N", "", "-f", str(folder / key)], check=True)
    shutil.copy(folder / "user.pub", folder / "authorized")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "sshd_config").write_text(f"ListenAddress 127.0.0.1:{port}\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/authorized\nStrictModes no\n"
                                        f"UsePAM no\nPasswordAuthentication no\nPidFile none\nPermitRootLogin yes\nSetEnv TMPDIR={THERE}\n")
    (folder / "config").write_text(f"Host loop\n  HostName 127.0.0.1\n  Port {port}\n  User {getpass.getuser()}\n  IdentityFile {folder}/user\n"
                                   f"  IdentitiesOnly yes\n  StrictHostKeyChecking no\n  UserKnownHostsFile {folder}/known\n  LogLevel ERROR\n")
    server = subprocess.Popen([sshd, "-D", "-e", "-f", str(folder / "sshd_config")], stderr=subprocess.PIPE)
    (FOLDER / "tools/ssh").write_text(f"#!/bin/sh\nexec {client} -F {folder}/config \"$@\"\n")
    try:
        time.sleep(1)
        if server.poll() is not None:
            return print("sshd does not start here:", server.stderr.read().decode().strip())
        judge(run("job.cuf", "--on=loop", "--input=data/in.txt", "--device=host", "--", *NASTY), "loop")
        for number, group in ((signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGKILL, False)):
            interrupted("loop", number, group)
        print("a server of ssh was used")
    finally:
        server.terminate()
        server.wait(10)


if __name__ == "__main__":
    prepare()
    for case in (by_ssh, by_slurm, signals, mistakes, machines_of_a_project, consent, by_a_server):
        case()
        print(case.__name__, "passed", flush=True)
