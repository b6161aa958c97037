"""Programs that the compiler runs: missing, failing without a word, printing garbage, or never ending."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from place import Place, Wrong, fault, is_running, kill_group, program, wait_until

NAP = "86399"  # seconds that nobody else sleeps
GARBAGE = r"printf '\377\376\001\002 garbage \033[31m\n%.0s' 1 2 3; exit 3"
HANGS = f"exec sleep {NAP}"
LIES = "exit 0"  # says that all is well, and does nothing


def toolkit(place: Place, tool: str, script: "str | None") -> dict:
    """The environment with a toolkit whose tool is that script (or is missing) and the others do nothing."""
    root = place.work / "toolkit"
    for folder in ("bin", "include", "nvvm/libdevice", "lib64"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "include/cuda_runtime_api.h").write_text("#define CUDART_VERSION  12080\n")
    (root / "nvvm/libdevice/libdevice.10.bc").write_bytes(b"")
    for name in ("nvcc", "ptxas", "fatbinary"):
        write_tool(root / "bin" / name, script if name == tool else LIES)
    return {"CUDA_HOME": root}


def write_tool(path: Path, script: "str | None") -> None:
    path.unlink(missing_ok=True)
    if script is not None:
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)


def naps() -> "list[int]":
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cmdline").read_bytes() == f"sleep\0{NAP}\0".encode() and is_running(int(process.name)):
                found.append(int(process.name))
        except OSError:
            pass
    return found


def hangs(place: Place, command: list, **more) -> None:
    """Ctrl-C, and a polite end of the compiler alone, end it soon, and what it started with it."""
    for whole_group, number in ((True, signal.SIGINT), (False, signal.SIGTERM)):
        process = place.start(command, **more)
        try:
            if not wait_until(naps, 30):
                output = b"" if process.poll() is None else process.stdout.read()
                raise Wrong(f"{command}: the program was not started; {output.decode('utf-8', 'replace')}")
            begin = time.monotonic()
            (os.killpg if whole_group else os.kill)(process.pid, number)
            if not wait_until(lambda: process.poll() is not None, 5):
                raise Wrong(f"{command}: it goes on after {signal.Signals(number).name}")
            if not wait_until(lambda: not naps(), 5 - (time.monotonic() - begin)):
                raise Wrong(f"{command}: what it started goes on after {signal.Signals(number).name}")
        finally:
            kill_group(process)
            for pid in naps():
                os.kill(pid, signal.SIGKILL)


@fault("ptxas or fatbinary is missing, fails, prints garbage, or says nothing", "`ptxas failed: ...` with what it said; without one there is no toolkit, and the program runs on the CPU")
def ptxas(place: Place) -> None:
    source = place.work / "p.cuf"
    source.write_text(program())
    for tool in ("ptxas", "fatbinary"):
        scripts = (GARBAGE, None, LIES, "exit 1", "kill -SEGV $$")
        for script in scripts if place.whole else scripts[:2]:
            environment = toolkit(place, tool, script)
            outcome = place.compile("-c", "-gpu=cc90", source, environment=environment)
            if script is not None or outcome.code:  # without the tool there is no toolkit, and the program is for the CPU
                outcome.refused(r"ptxas|fatbinary|toolkit")


@fault("nvcc is missing, fails, prints garbage, or says nothing", "`nvcc failed: ...`, or that the toolkit was not found")
def nvcc(place: Place) -> None:
    source = place.work / "p.cu"
    source.write_text("int x;\n")
    for script in (GARBAGE, LIES, None, "exit 1"):
        outcome = place.compile("-c", source, environment={**toolkit(place, "nvcc", script), "PATH": "/usr/bin:/bin"})
        outcome.refused(r"nvcc|toolkit|p\.o|cannot run")
    if (place.work / "p.o").exists():
        raise Wrong("an object was left")


def linker(place: Place, script: "str | None") -> dict:
    folder = place.work / "tools"
    folder.mkdir(exist_ok=True)
    write_tool(folder / "cc", script)
    for tool in ("sleep", "sh", "printf"):
        if not (folder / tool).exists():
            (folder / tool).symlink_to(f"/bin/{tool}" if Path(f"/bin/{tool}").exists() else f"/usr/bin/{tool}")
    return {"PATH": folder, "CUDA_HOME": "/nonexistent"}


@fault("the linker is missing, fails, prints garbage, or says nothing", "`cannot run 'cc'`, or `linking failed` with what it said", "nothing; no half program is left")
def linking(place: Place) -> None:
    source = place.work / "p.cuf"
    source.write_text(program())
    for script in (None, GARBAGE, LIES, "exit 1", "kill -SEGV $$"):
        place.compile(source, "-o", place.work / "p", environment=linker(place, script)).refused(r"'cc'|linking|cannot write")
        if (place.work / "p").exists():
            raise Wrong("a program was left")


@fault("ptxas, nvcc or the linker never ends", "it goes on as long as the tool does; Ctrl-C or an end of the compiler ends both")
def never(place: Place) -> None:
    source = place.work / "p.cuf"
    source.write_text(program())
    hangs(place, [place.cufc, source, "-o", place.work / "p"], environment=linker(place, HANGS))
    hangs(place, [place.cufc, "-c", "-gpu=cc90", source], environment=toolkit(place, "ptxas", HANGS))
    if place.whole:
        (place.work / "p.cu").write_text("int x;\n")
        hangs(place, [place.cufc, "-c", place.work / "p.cu"], environment=toolkit(place, "nvcc", HANGS))
        root = place.project()
        hangs(place, [place.cufls, "build"], environment=linker(place, HANGS), cwd=root)
    place.is_right(2)


@fault("ptxas never ends while the server asks what kernels cost", "no costs are shown; all else is answered")
def server(place: Place) -> None:
    path = place.work / "p.cuf"
    path.write_text(program())
    try:
        with place.server(environment=toolkit(place, "ptxas", HANGS), options={"occupancy": {"enabled": True}}) as client:
            place.server_finds(client, path.as_uri(), program().replace("nint(", "nimt("), 0)
            client.change(path, 2, [{"text": program().replace("b = a", "b = = a")}])
            if not [item for item in client.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}}, 30)["items"]
                    if item["severity"] == 1]:
                raise Wrong("the mistake is not found")
        if not wait_until(lambda: not naps(), 10):
            raise Wrong("ptxas outlives the server")
    finally:
        for pid in naps():
            os.kill(pid, signal.SIGKILL)
