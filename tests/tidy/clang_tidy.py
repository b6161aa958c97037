"""clang-tidy over all C++ but the files that reach HEAVY headers.

Two run at a time. A file that passed is remembered in the build folder's tidy-cache under the hash of all that
the result depends on: the tool, the configuration, the command, the file and the project's headers
that it includes. So an unchanged file costs nothing. On a fresh clone all of them take over twenty minutes of
processor time, so with CI set those are checked that the latest commits changed, up to a number, and every 16th of
the others, which ones changes with the commit.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness.sample import in_ci, is_taken

from . import common, includes

FOLDERS = ("compiler", "lsp", "runtime")
HEAVY = ("flang/", "mlir/")  # 20 to 60 s a file; all others take 1 to 8, those with LLVM, asio or nlohmann, too
# A precompiled header is read as a whole by clang-tidy, and is for the compiler that made it.
PRECOMPILED = re.compile(r"-Winvalid-pch|-fpch-instantiate-templates|-Xclang (?:-include-pch|-include|-fno-pch-timestamp|\S*cmake_pch\S*)")
LATEST, PART = 8, 16  # commits, and one of so many files
MOST_CHANGED = 30
PROBLEM = re.compile(r"^(.*?:\d+):\d+: (?:error|warning): (.*)$", re.MULTILINE)


def check(build: Path, root: Path) -> "list[str]":
    executable = common.tool("clang-tidy-22")
    database = build / "compile_commands.json"
    if not database.exists():
        return [f"{database} is missing: run ./dev build"]
    cache = build / "tidy-cache"
    cache.mkdir(exist_ok=True)
    version = subprocess.run([executable, "--version"], capture_output=True, text=True, check=True)
    common_key = version.stdout + (root / ".clang-tidy").read_text()

    chosen = entries(root, database)
    if in_ci():
        chosen = sample(root, chosen)
    # clang-tidy reads the commands from a file of this name in the folder that it is told.
    (cache / database.name).write_text(json.dumps([
        {"directory": str(build), "file": str(file), "command": command} for file, command in chosen]))

    def run(entry: "tuple[Path, str]") -> "list[str]":
        file, command = entry
        key = cache / key_of(root, file, common_key + command)
        if key.exists():
            return []
        problems = check_file(root, [executable, "-p", str(cache)], file)
        if not problems:
            key.touch()
        return problems

    with ThreadPoolExecutor(2) as pool:
        found = [problem for problems in pool.map(run, chosen) for problem in problems]
    return list(dict.fromkeys(found))  # a header's problem shows once


def sample(root: Path, all_of_them: "list[tuple[Path, str]]") -> "list[tuple[Path, str]]":
    """What the latest commits changed and a part of the rest."""
    done = subprocess.run(["git", "-C", str(root), "log", "--name-only", "--format=", f"--max-count={LATEST}"], capture_output=True, text=True, check=True)
    changed = set(list(dict.fromkeys(root / name for name in done.stdout.split("\n") if name.endswith(".cpp")))[:MOST_CHANGED])
    return [entry for entry in all_of_them if entry[0] in changed or is_taken(str(entry[0].relative_to(root)), PART)]


def entries(root: Path, database: Path) -> "list[tuple[Path, str]]":
    """The files to check with their compile commands."""
    chosen = {}
    for entry in json.loads(database.read_text()):
        file = (Path(entry["directory"]) / entry["file"]).resolve()
        inside = any((root / folder) in file.parents for folder in FOLDERS)
        if not inside or file.suffix != ".cpp" or not file.exists():
            continue
        outside = includes.closure(root, file)[1]
        if not any(name.startswith(HEAVY) for name in outside):
            chosen[file] = PRECOMPILED.sub("", entry.get("command") or shlex.join(entry["arguments"]))
    return list(chosen.items())


def key_of(root: Path, file: Path, rest: str) -> str:
    digest = hashlib.sha256(rest.encode())
    for part in sorted(includes.closure(root, file)[0]):
        digest.update(str(part.relative_to(root)).encode() + b"\0" + part.read_bytes())
    return digest.hexdigest()


def check_file(root: Path, tool: "list[str]", file: Path) -> "list[str]":
    command = [*tool, "--quiet", "--extra-arg=-Wno-unknown-warning-option", str(file)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    problems = []
    for place, text in PROBLEM.findall(done.stdout + done.stderr):
        place = place[len(str(root)) + 1 :] if place.startswith(str(root)) else place
        problems.append(f"{place}: {text}")
    if done.returncode and not problems:
        last = (done.stderr.strip().splitlines() or ["no output"])[-1]
        problems = [f"{file.relative_to(root)}: clang-tidy-22 failed: {last}"]
    return problems
