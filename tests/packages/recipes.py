#!/usr/bin/env python3
"""Fills in the recipes for other package managers from a release, and tries of each what can be tried here.

recipes.py --packages build/package-test/release

The action for GitHub installs from that folder, pkg-config links a program of C with kernels of cufc, CMake gets the
upstream files in a copy of itself, and fpm's spellings are compiled. Of the others the syntax is checked, with each tool that is there.
"""
from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGES = REPOSITORY / "compiler/packages"
ACTION = REPOSITORY / ".github/actions/setup-cufc"
KERNEL = """module m
  use iso_c_binding
contains
  attributes(global) subroutine fill(x, n)
    integer, value :: n
    integer :: x(n), i
    i = threadIdx%x
    if (i <= n) x(i) = i
  end subroutine
  integer(c_int) function total(n) bind(c)
    integer(c_int), value :: n
    integer, device :: x(64)
    integer :: h(64)
    call fill<<<1, 64>>>(x, n)
    h = x
    total = sum(h(1:n))
  end function
end module
"""
MAIN = """#include <stdio.h>
int total(int n);
int main(void) { return printf("total %d\\n", total(10)) < 0; }
"""
failures = 0


def check(name: str, good: bool, detail: object = "") -> None:
    global failures
    failures += not good
    print(f"{'ok    ' if good else 'FAILED'} {name}" + ("" if good else f": {str(detail)[-1500:]}"), flush=True)


def run(*command: "str | Path", folder: Path, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in command], cwd=folder, env={**os.environ, **environment}, text=True, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def try_syntax(recipes: Path, folder: Path) -> None:
    left = [file.name for file in recipes.rglob("*") if file.is_file() and ("@VERSION@" in file.read_text() or "@SHA256" in file.read_text())]
    check("all places are filled in", not left, left)
    for name in ("spack/package.py", "easybuild/cufc.eb"):
        text = (recipes / name).read_text()
        try:
            ast.parse(text)
            check(f"{name}: Python", "sha256" in text or "checksums" in text)
        except SyntaxError as problem:
            check(f"{name}: Python", False, problem)
    try:
        import yaml
    except ImportError:
        print("skipped YAML: Python has no module for it")
    else:
        recipe = yaml.safe_load((recipes / "conda/recipe.yaml").read_text())
        check("conda: source and digest", len(recipe["source"]["sha256"]) == 64 and "requirements" in recipe)
        check("mason: names a program", "cufls" in yaml.safe_load((recipes / "mason/package.yaml").read_text())["bin"])
        action = yaml.safe_load((ACTION / "action.yml").read_text())
        check("action: composite", action["runs"]["using"] == "composite" and set(action["inputs"]) == {"version", "sha256", "releases"})
    for tool, words in (("ruby", ["ruby", "-c", recipes / "homebrew/cufc.rb"]),
                        ("nvim", ["nvim", "--headless", "-u", "NONE", "-c",
                                  f"lua print(dofile('{recipes}/nvim-lspconfig/cufls.lua').cmd[1])", "-c", "q"])):
        if shutil.which(tool):
            done = run(*words, folder=folder)
            check(f"{tool}: reads its recipe", done.returncode == 0 and ("OK" in done.stdout or "cufls" in done.stdout), done.stdout)
        else:
            print(f"skipped {tool}: it is not here")


def try_action(packages: Path, version: str, folder: Path) -> "Path | None":
    releases = folder / "releases"
    releases.mkdir()
    (releases / f"v{version}").symlink_to(packages)
    settings = {"GITHUB_PATH": str(folder / "path"), "GITHUB_ENV": str(folder / "env"), "GITHUB_OUTPUT": str(folder / "output"),
                "RUNNER_TEMP": str(folder / "temp"), "RUNNER_TOOL_CACHE": "", "CUFC_VERSION": version, "CUFC_SHA256": "",
                "CUFC_RELEASES": f"file://{releases}"}
    done = run(ACTION / "setup.sh", folder=folder, **{**settings, "CUFC_SHA256": "0" * 64})
    check("action: a wrong digest stops", done.returncode != 0 and not (folder / "path").exists(), done.stdout)
    done = run(ACTION / "setup.sh", folder=folder, **settings)
    check("action: installs", done.returncode == 0 and "Programs can be built" in done.stdout, done.stdout)
    done = run(ACTION / "setup.sh", folder=folder, **{**settings, "CUFC_RELEASES": "file:///nowhere"})
    check("action: a second time it fetches nothing", done.returncode == 0, done.stdout)
    if not (folder / "output").exists():
        return None
    return Path((folder / "output").read_text().splitlines()[0].removeprefix("prefix="))


def try_pkg_config(prefix: Path, folder: Path) -> None:
    if not shutil.which("pkg-config"):
        print("skipped pkg-config: it is not here")
        return
    (folder / "m.cuf").write_text(KERNEL)
    (folder / "main.c").write_text(MAIN)
    done = run("sh", "-c", f"{prefix}/bin/cufc -c -gpu=host m.cuf && gcc main.c m.o $(pkg-config --libs cufc) -lstdc++ -o main && ./main",
               folder=folder, PKG_CONFIG_PATH=str(prefix / "share/pkgconfig"), CUF_DEVICE="host")
    check("pkg-config: C calls kernels", done.returncode == 0 and "total 55" in done.stdout, done.stdout)


def try_fpm_spellings(prefix: Path, folder: Path) -> None:
    link = folder / "cufc-gfortran"
    link.symlink_to(prefix / "bin/cufc")
    (folder / "modules").mkdir()
    (folder / "use.f90").write_text("program p\n  use m\n  print '(i0)', total(4)\nend program\n")
    steps = f"{link} -J modules -I modules -c m.cuf -o m2.o && {link} -J modules -I modules -cuda use.f90 m2.o -o use && ./use"
    (folder / "m.cuf").write_text(KERNEL)
    done = run("sh", "-c", steps, folder=folder, CUF_DEVICE="host")
    check("fpm: what it passes to gfortran", done.returncode == 0 and done.stdout.endswith("10\n"), done.stdout)


def try_cmake(prefix: Path, folder: Path) -> None:
    """A copy of CMake with the two files that its sources would have, and no toolchain file."""
    program = shutil.which("cmake")
    shares = sorted(Path("/usr/share").glob("cmake-[0-9]*")) if program == "/usr/bin/cmake" else []
    if not shares:
        print("skipped CMake's own modules: Debian's CMake is not here")
        return
    copy = folder / "cmake"
    (copy / "bin").mkdir(parents=True)
    shutil.copy(program, copy / "bin/cmake")  # type: ignore[arg-type]
    shutil.copytree(shares[-1], copy / "share" / shares[-1].name)
    modules = copy / "share" / shares[-1].name / "Modules"
    shutil.copy(PACKAGES / "cmake/Compiler/cufc-Fortran.cmake", modules / "Compiler")
    identify = modules / "CMakeFortranCompilerId.F.in"
    lines = (PACKAGES / "recipes/cmake/README.md").read_text().split("```\n")[1]
    text, count = identify.read_text(), 0
    for first in ("#elif defined(__flang__)", "#elif defined(__PGI)", "#elif defined(__GFORTRAN__)"):
        if first in text:
            text, count = text.replace(first, lines + first, 1), 1
            break
    identify.write_text(text)
    project = folder / "project"
    project.mkdir()
    (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.21)\nproject(p Fortran)\nadd_executable(p use.f90 m.f90)\n")
    (project / "m.f90").write_text("module m\n  integer :: n = 5\nend module\n")
    (project / "use.f90").write_text("program p\n  use m\n  print '(i0)', n\nend program\n")
    done = run("sh", "-c", f"{copy}/bin/cmake -B b && {copy}/bin/cmake --build b && b/p", folder=project, FC=str(prefix / "bin/cufc"))
    check("CMake: knows the compiler with its own files", bool(count) and done.returncode == 0 and "identification is cufc" in done.stdout
          and done.stdout.endswith("5\n"), done.stdout)


def try_marketplaces() -> None:
    """What Open VSX and the Marketplace of VS Code ask of a manifest."""
    manifest = json.loads((REPOSITORY / "vscode-extension/package.json").read_text())
    wanted = ("name", "displayName", "description", "version", "publisher", "license", "engines", "categories", "icon", "keywords", "repository",
              "bugs", "homepage")
    missing = [key for key in wanted if not manifest.get(key)]
    check("marketplaces: the manifest says all they show", not missing, missing)
    check("marketplaces: at most 30 keywords, a PNG as icon, a page", len(manifest["keywords"]) <= 30 and manifest["icon"].endswith(".png")
          and (REPOSITORY / "vscode-extension/README.md").stat().st_size > 500)
    known = {"Programming Languages", "Snippets", "Linters", "Themes", "Debuggers", "Formatters", "Keymaps", "SCM Providers", "Other",
             "Extension Packs", "Language Packs", "Data Science", "Machine Learning", "Visualization", "Notebooks", "Education", "Testing"}
    check("marketplaces: categories that they know", set(manifest["categories"]) <= known, manifest["categories"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packages", type=Path, default=REPOSITORY / "build/package-test/release")
    packages = parser.parse_args().packages.resolve()
    version = json.loads((REPOSITORY / "vscode-extension/package.json").read_text())["version"]
    with tempfile.TemporaryDirectory(dir=packages.parent) as name:
        folder = Path(name)
        done = run(sys.executable, PACKAGES / "recipes.py", packages, version, folder / "recipes", folder=folder)
        check("filled in", done.returncode == 0, done.stdout)
        try_syntax(folder / "recipes", folder)
        prefix = try_action(packages, version, folder)
        if prefix:
            try_pkg_config(prefix, folder)
            try_fpm_spellings(prefix, folder)
            try_cmake(prefix, folder)
    try_marketplaces()
    print("PASS" if failures == 0 else f"{failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
