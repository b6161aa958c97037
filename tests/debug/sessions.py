"""Programs of the folder `programs` in sessions of `cufls debug`, and what is expected of them."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from harness.dap_client import Broken, DapClient  # noqa: E402  pylint: disable=wrong-import-position
from harness.execution import run  # noqa: E402  pylint: disable=wrong-import-position

PROGRAMS = HERE / "programs"


class Work:
    """Programs of the folder `programs`, compiled once each, and sessions with them."""

    def __init__(self, cufc: str, folder: Path):
        self.cufc, self.folder = os.path.abspath(shutil.which(cufc) or cufc), folder
        self.cufls = str(Path(self.cufc).resolve().parent / "cufls")
        self.programs: "dict[tuple, Path]" = {}
        self.open: "list[DapClient]" = []

    def program(self, name: str, *flags: str) -> Path:
        made = self.programs.get((name, flags))
        if not made:
            made = self.folder / f"{name}{len(self.programs)}"
            done = run([self.cufc, "-g", "-O0", "-gpu=host", *flags, PROGRAMS / f"{name}.cuf", "-o", made], self.folder, 240)
            if done.code:
                sys.exit(f"{name}: {done.stdout}{done.stderr}")
            self.programs[(name, flags)] = made
        return made

    def client(self) -> DapClient:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CUF_")}
        client = DapClient([self.cufls, "debug"], env=environment, cwd=self.folder)
        self.open.append(client)
        return client

    def session(self, name: str, stops: "list[str | dict]", *flags: str, **launch: object) -> DapClient:
        """Runs, with breakpoints at the lines that have these texts; a dict has more about one (`at` is the text)."""
        points = [{"line": line_of(name, stop if isinstance(stop, str) else stop["at"]),
                   **({} if isinstance(stop, str) else {key: value for key, value in stop.items() if key != "at"})} for stop in stops]
        client = self.client()
        client.breakpoints = client.begin({"program": str(self.program(name, *flags)), **launch}, {source(name): points},
                                          launch.pop("functions", None))
        return client


def source(name: str) -> Path:
    return PROGRAMS / f"{name}.cuf"


def line_of(name: str, text: str) -> int:
    return next(number for number, line in enumerate(source(name).read_text().splitlines(), 1) if text in line)


def expect(what: str, said: object, wanted: object) -> None:
    if said != wanted:
        raise Broken(f"{what}: {said!r} instead of {wanted!r}")


def values(variables: "dict[str, dict]") -> "dict[str, str]":
    return {name: variable["value"] for name, variable in variables.items()}


def at_line(client: DapClient, name: str, text: str, thread: int = 1) -> dict:
    """The innermost call, which must be at this line."""
    frame = client.frames(thread)[0]
    expect("the line", (Path(frame["source"]["path"]).name, frame["line"]), (f"{name}.cuf", line_of(name, text)))
    return frame


def go(client: DapClient, command: str = "continue", reason: "str | None" = None) -> dict:
    client.request(command, {"threadId": 1})
    return client.stop(reason)


def exit_of(client: DapClient) -> int:
    client.request("continue", {"threadId": 1})
    status = client.wait("exited", "stopped")
    expect("the end", status["event"], "exited")
    client.wait("terminated")
    return status["exitCode"]
