"""Rules that need only the names and the text of files: what stands at the top, length, opening, no paths of one machine."""

from __future__ import annotations

import re
from pathlib import Path

from . import common

LINE_LIMIT = 500

# A home folder or the like. Brackets keep this file from matching itself.
MACHINE_PATH = re.compile(r"(?<![\w.$}/*-])/(?:[h]ome|[r]oot|[w]ork|[U]sers)/[\w.-]+")
TOP = {"CMakeLists.txt", "compiler", "lsp", "runtime", "vscode-extension", "tests", "docs", "README.md", "LICENSE", "CHANGELOG.md",
       "CONTRIBUTING.md", "SECURITY.md", "dev"}
BINARY = {".png", ".jpg", ".gif", ".ico", ".bc", ".a", ".o", ".xz", ".gz"}


def check_top_level(root: Path) -> "list[str]":
    """What a visitor sees first is what docs/architecture.md explains."""
    names = {file.relative_to(root).parts[0] for file in common.files(root)}
    return [f"{name}: has no place at the top level" for name in sorted(names - TOP) if not name.startswith(".")]


def check_size(root: Path) -> "list[str]":
    problems = []
    for file in common.files(root, common.CPP + (".py", ".cuf", ".sh")):
        count = len(file.read_text(errors="replace").splitlines())
        if count > LINE_LIMIT:
            problems.append(f"{file.relative_to(root)}: {count} lines, at most {LINE_LIMIT}")
    return problems


def check_opening(root: Path) -> "list[str]":
    """C++ and Python files open by saying what they are for."""
    problems = []
    for file in common.files(root, common.CPP + (".py",)):
        lines = [line for line in file.read_text(errors="replace").splitlines() if line.strip()]
        lines = [line for line in lines if not line.startswith("#!")]
        opening = ('"""', "#", 'r"""') if file.suffix == ".py" else ("//", "/*")
        if lines and not lines[0].startswith(opening):
            problems.append(f"{file.relative_to(root)}: does not open with a comment")
    return problems


def check_machine_paths(root: Path) -> "list[str]":
    problems = []
    for file in common.files(root):
        if file.suffix in BINARY:
            continue
        for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
            match = MACHINE_PATH.search(line)
            if match:
                problems.append(f"{file.relative_to(root)}:{number}: path {match.group()}")
    return problems


OWN_WALKS = {"compiler/frontend/statement_visitor.cpp", "compiler/frontend/tree_caller.h",
             "compiler/frontend/workarounds/expression_analysis.cpp"}
PARSER_WALK = re.compile(r"\bparser::Walk\(|parse-tree-visitor\.h")
NODE_FUNCTION = re.compile(r"^ *(?:bool Pre|void Post)\(const [\w:<>, ]+ &\w*\) (?!override)", re.MULTILINE)


def check_tree_walks(root: Path) -> "list[str]":
    """flang's walk is instantiated once (statement_visitor.h): ten seconds of compilation for each further time. A function that
    does not override is never called."""
    problems = []
    for folder in ("compiler/frontend", "compiler/checks"):
        for file in sorted((root / folder).rglob("*.[ch]*")):
            name, text = str(file.relative_to(root)), file.read_text()
            if name in OWN_WALKS or name.endswith("statement_visitor.h"):
                continue
            problems += [f"{name}: walks the parse tree by a template of its own" for _ in PARSER_WALK.findall(text)]
            problems += [f"{name}: {found.strip()} does not override" for found in NODE_FUNCTION.findall(text)]
    return problems


def check_versions(root: Path) -> "list[str]":
    """What LLVM 22 and 23 write differently has one place (docs/packages/README.md, "LLVM 23")."""
    return [f"{file.relative_to(root)}: BranchInst is not in LLVM 23, see codegen/branches.h"
            for file in common.files(root, common.CPP) if file.name != "branches.h" and "BranchInst" in file.read_text(errors="replace")]


def check_scripts(root: Path) -> "list[str]":
    """A script that is in no list is a test that nobody runs."""
    known = (root / "tests/harness/commands.py").read_text()
    scripts = [file for folder in ("debug", "foreign", "formats", "link", "project", "protocol") for file in (root / "tests" / folder).glob("*.py")]
    return [f"{file.relative_to(root)} is not in tests/harness/commands.py" for file in scripts
            if "__main__" in file.read_text() and f'"{file.parent.name}/{file.stem}' not in known and file.name not in ("count.py", "workspace.py")]  # counts; a part of others
