#!/usr/bin/env python3
"""Files that are no sources of the project come, change and go: modules and included files.

What `cufls check` says must follow though it keeps analyses, and so must what the running server says of open files, and of
files that use them, without a restart. Modules of gfortran beside the source never win over a source.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client  # noqa: E402

CUFC = Path(os.environ["CUFC"])
CUFLS = CUFC.with_name("cufls")
SECONDS = float(os.environ.get("OUTSIDE_SECONDS", "30"))
SETTLED = 0.3  # seconds: what is said for a moment on the way does not count

USER = "module user\n  use nv\n  implicit none\n  integer :: mine = answer\nend module\n"
CHAIN = "program chain\n  use user\n  implicit none\n  print *, answer + mine\nend program\n"
HEADER = "module header\n  implicit none\n  include 'a.h'\n  include \"b.h\"\n  integer :: sum = n + m\nend module\n"
VALUE = "module nv\n  integer, parameter :: answer = 42\nend module\n"
OTHER = "module nv\n  integer, parameter :: other = 42\nend module\n"


class Tree:
    def __init__(self, root: Path, env: dict):
        self.root, self.env = root, env
        self.include = root / "far" / "mod"  # is not there at first
        (root / "source").mkdir()
        (root / "made").mkdir()
        (root / "source/cufls.json").write_text('{"targets": {"app": {"sources": ["*.f90"]}}, "include": ["../far/mod"]}\n')
        for name, text in (("user", USER), ("chain", CHAIN), ("header", HEADER)):
            (root / f"source/{name}.f90").write_text(text)

    def compile(self, text: str, compiler: "list[str]", name: str = "nv") -> None:
        """A module file, put into its place in one piece as compilers do."""
        (self.root / f"made/{name}.f90").write_text(text)
        subprocess.run([*compiler, "-c", f"{name}.f90"], cwd=self.root / "made", check=True, env=self.env, capture_output=True)
        self.include.mkdir(parents=True, exist_ok=True)
        os.replace(self.root / f"made/{name}.mod", self.include / f"{name}.mod")

    def check(self) -> "list[str]":
        process = subprocess.run([CUFLS, "check", "--allow=unused", "source"], cwd=self.root, env=self.env,
                                 capture_output=True, text=True, check=False, timeout=120)
        return [line for line in process.stdout.splitlines() if "error" in line]


def steps(tree: Tree) -> "list[tuple[str, object, dict]]":
    """What happens, and which files have errors afterwards."""
    both = {"user": True, "chain": True}
    none = {"user": False, "chain": False}
    missing = {"user": True, "chain": False}  # what `chain` lacks may be of the module that is not there

    def write(name: str, text: str):
        tree.include.mkdir(parents=True, exist_ok=True)
        return (tree.include / name).write_text(text)

    found = [
        ("at first", lambda: None, {**missing, "header": True}),
        ("the module is built", lambda: tree.compile(VALUE, [str(CUFC)]), {**none, "header": True}),
        ("the module loses a name", lambda: tree.compile(OTHER, [str(CUFC)]), {**both, "header": True}),
        ("the name is back", lambda: tree.compile(VALUE, [str(CUFC)]), {**none, "header": True}),
        ("an included file appears", lambda: write("a.h", "integer, parameter :: n = 1\n"), {**none, "header": True}),
        ("the other one too", lambda: write("b.h", "include 'c.h'\n"), {**none, "header": True}),
        ("and what it includes", lambda: write("c.h", "integer, parameter :: m = 1\n"), {**none, "header": False}),
        ("a nearer one comes first", lambda: (tree.root / "source/a.h").write_text("integer, parameter :: k = 1\n"),
         {**none, "header": True}),
        ("and goes", lambda: (tree.root / "source/a.h").unlink(), {**none, "header": False}),
        ("the folder goes", lambda: shutil.rmtree(tree.include.parent), {**missing, "header": True}),
    ]
    if shutil.which("gfortran"):
        found += [
            ("gfortran builds the module", lambda: tree.compile(VALUE, ["gfortran"]), {**none, "header": True}),
            ("and another of that name", lambda: tree.compile(OTHER, ["gfortran"]), {**both, "header": True}),
            ("and the first again", lambda: tree.compile(VALUE, ["gfortran"]), {**none, "header": True}),
            ("the file is damaged", lambda: write("nv.mod", "V34 :0x24 nv\n"), {**both, "header": True}),
            ("and goes", lambda: (tree.include / "nv.mod").unlink(), {**missing, "header": True}),
        ]
    return found


class Editor:
    def __init__(self, tree: Tree, opened: "list[str]"):
        self.client = Client([str(CUFLS), "--stdio"], env=tree.env)
        self.client.initialize(tree.root / "source")
        self.paths = {name: tree.root / f"source/{name}.f90" for name in ("user", "chain", "header")}
        self.errors: "dict[str, bool]" = {}
        for name in opened:
            self.client.open(self.paths[name])

    def follow(self, wanted: dict) -> "str | None":
        """Waits until the errors that the server has sent are those wanted and stay so; what differs if they never are."""
        end, right = time.monotonic() + SECONDS, None
        while time.monotonic() < end:
            while self.client.step(0.05):
                pass
            for message in self.client.notifications:
                if message["method"] == "textDocument/publishDiagnostics":
                    wrong = any(d["severity"] == 1 for d in message["params"]["diagnostics"])
                    for name, path in self.paths.items():
                        if message["params"]["uri"] == path.as_uri():
                            self.errors[name] = wrong
            self.client.notifications.clear()
            if any(self.errors.get(name, False) != wrong for name, wrong in wanted.items()):
                right = None
            elif right is None:
                right = time.monotonic()
            elif time.monotonic() - right > SETTLED:
                return None
        return f"errors in {self.errors}, expected {wanted}"


def beside_the_source(root: Path, env: dict) -> "list[str]":
    """A module file of another compiler beside the source of the module, for a file alone, a folder and the editor."""
    problems = []
    folder = root / "beside"
    folder.mkdir()
    (folder / "nv.f90").write_text(VALUE)
    main = folder / "main.f90"
    main.write_text("program main\n  use nv\n  print *, answer\nend program\n")
    files = {"V34": b"V34 :0x24 nv\n8 nv.f90 S624 0\n", "flang": b"\xef\xbb\xbf!mod$ v1 sum:0123456789abcdef\nmodule nv\nend\n"}
    if shutil.which("gfortran"):
        (root / "made/nv.f90").write_text(OTHER)
        subprocess.run(["gfortran", "-c", "nv.f90"], cwd=root / "made", check=True)
        files["gfortran"] = (root / "made/nv.mod").read_bytes()
    for name, content in files.items():
        (folder / "nv.mod").write_bytes(content)
        for what in ("main.f90", "."):
            process = subprocess.run([CUFLS, "check", "--allow=unused", what], cwd=folder, env=env, capture_output=True,
                                     text=True, check=False, timeout=120)
            if process.returncode != 0:
                problems.append(f"nv.mod of {name} beside nv.f90, check {what}: {process.stdout}{process.stderr}")
        client = Client([str(CUFLS), "--stdio"], env=env)
        client.initialize(folder)
        client.open(main)
        report = client.request("textDocument/diagnostic", {"textDocument": {"uri": main.as_uri()}})
        problems += [f"nv.mod of {name} beside nv.f90, editor: {d['message']}" for d in report["items"] if d["severity"] == 1]
        client.stop()
    # A file of another compiler never takes the place of one of this compiler's own modules.
    (folder / "cudafor.mod").write_bytes(files["V34"])
    (folder / "nv.mod").unlink()
    main.write_text("program main\n  use nv\n  use cudafor\n  print *, answer, cudaDeviceSynchronize()\nend program\n")
    for command in ([CUFLS, "check", "--allow=unused", "main.f90", "--", "-cuda"], [CUFC, "-cuda", "-fsyntax-only", "nv.f90", "main.f90"]):
        process = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=120)
        if "rror" in process.stdout + process.stderr and "unknown" not in process.stderr:
            problems.append(f"{command}: {process.stdout}{process.stderr}")
    return problems


def main() -> int:
    problems = []
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        env = {**os.environ, "XDG_CACHE_HOME": str(root / "cache")}
        tree = Tree(root, env)
        editors = {"all open": Editor(tree, ["user", "chain", "header"]), "the user open": Editor(tree, ["chain"])}
        for title, happens, wanted in steps(tree):
            happens()
            for which, editor in editors.items():
                expected = wanted if which == "all open" else {"chain": wanted["chain"]}
                if difference := editor.follow(expected):
                    problems.append(f"{title}, editor with {which}: {difference}")
            errors = tree.check()
            wrong = {file for file in wanted if any(f"{file}.f90" in line for line in errors)}
            if any("far/mod" in line for line in errors):
                wrong.add("header")
            if wrong != {file for file, bad in wanted.items() if bad}:
                problems.append(f"{title}: check says {errors}")
        for editor in editors.values():
            editor.client.stop()
        problems += beside_the_source(root, env)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
