#!/usr/bin/env python3
"""What of others is in a build: components.py BUILD [--copyright FILE] [--licences FOLDER] [--list]

Three things are asked, and no list is kept by hand: the linker wrote which static libraries it took members of
(BUILD/linked-archives.txt), ninja knows which headers were read, and the copied files of LLVM are named below. dpkg
says which package each file came with, components.toml whose work and under which licence that is. An unknown package is an
error, so a library that is linked one day cannot stay unmentioned. A build for another machine took its files from a folder with
a database of its own (cross/sysroot.py); then that one is asked.
"""
from __future__ import annotations

import argparse
import fnmatch
import gzip
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
COPIED = ("libflang_rt.runtime.a", "libomp.so.5", "libarcher.so", "flang/omp_lib.h")
COMMON = Path("/usr/share/common-licenses")


@dataclass
class Component:
    name: str
    id: str
    packages: "list[str]"
    licence: str
    address: str
    note: str = ""
    found: "dict[str, str]" = field(default_factory=dict)  # Debian package to its version
    files: "set[str]" = field(default_factory=set)         # what showed it

    def linked(self) -> bool:
        return any(file.endswith((".a", ".o", ".so", ".so.5")) for file in self.files)

    def version(self) -> str:
        """As its authors count, without Debian's epoch and revision."""
        newest = sorted(self.found.values())[-1]
        return re.sub(r"[+.](dfsg|ds)[\d.]*$", "", newest.split(":")[-1].rsplit("-", 1)[0])


def read_table() -> "list[Component]":
    return [Component(**row) for row in tomllib.loads((HERE / "components.toml").read_text())["component"]]


class System:
    """Where packages are installed that a build took files from: /, or the folder that its CUFC_SYSROOT names."""

    def __init__(self, build: Path) -> None:
        found = re.search(r"^CUFC_SYSROOT:\w+=(.+)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
        self.root = Path(found[1]) if found else Path("/")
        self.database = ["--admindir", str(self.root / "var/lib/dpkg")] if found else []

    def inside(self, name: str) -> "Path | None":
        """Of a file's name as the build knows it, the one that packages know; nothing if it is not of a package."""
        if self.database:
            name = re.sub(r"^(" + re.escape(str(self.root)) + r"|sysroot)(?=/)", "", name)
        return Path(name) if name.startswith("/usr/") or name.startswith("/lib/") else None

    def place(self, file: Path) -> Path:
        return self.root / file.relative_to("/")

    def of_compiler(self, name: str) -> "Path | None":
        if not self.database:
            answer = subprocess.run(["gcc", f"-print-file-name={name}"], text=True, check=True, stdout=subprocess.PIPE).stdout.strip()
            return Path(answer) if answer.startswith("/") else None
        return next((self.inside(str(file)) for file in (self.root / "usr/lib").rglob(name)), None)


def linked_archives(build: Path) -> "list[str]":
    """From lld's statistics: members in the archive, members that were taken, the archive."""
    statistics = build / "linked-archives.txt"
    if not statistics.exists():
        raise SystemExit(f"{statistics} is not there: link cufc again")
    rows = [line.split("\t") for line in statistics.read_text().splitlines()[1:]]
    return [row[2] for row in rows if len(row) == 3 and int(row[1]) > 0]


def headers(build: Path) -> "list[str]":
    """Those that the objects of compiler, server and run-time library were made with; tests are not in packages."""
    text = subprocess.run(["ninja", "-C", build, "-t", "deps"], text=True, check=True, stdout=subprocess.PIPE).stdout
    objects = [part for part in text.split("\n\n") if re.match(r"(compiler|lsp|runtime)/", part)]
    return sorted({name for part in objects for name in re.findall(r"^ {4}(\S+)", part, re.MULTILINE)})


def start_files(system: System) -> "list[Path]":
    found = [system.of_compiler(name) for name in ("crti.o", "crtbeginS.o", "libc_nonshared.a", "libbacktrace.a")]
    return [file for file in found if file]


def copied_files(system: System) -> "list[Path]":
    llvm = Path("/usr/lib/llvm-22")
    found = []
    for name in COPIED:
        compilers = system.place(llvm).glob(f"lib/clang/*/lib/*/{name}")
        places = [llvm / "lib" / name, llvm / "include" / name, *(llvm / file.relative_to(system.place(llvm)) for file in compilers)]
        found += [place for place in places if system.place(place).exists()][:1]
    return found


def package_of_files(system: System, files: "list[Path]") -> "dict[Path, str]":
    """Files of no package, such as those of the CUDA Toolkit, are left out."""
    by_place = {}
    for file in files:
        real = system.place(file).resolve()
        by_place.setdefault(str(Path("/") / real.relative_to(system.root.resolve())), []).append(file)
    done = subprocess.run(["dpkg-query", *system.database, "-S", *by_place], text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    result = {}
    for line in done.stdout.splitlines():
        packages, _, place = line.rpartition(": ")
        for file in by_place.get(place, []):
            result[file] = packages.split(",")[0].split(":")[0]
    return result


def component_for(table: "list[Component]", package: str, file: Path) -> "Component | None":
    """A row that names the file too, after a colon, goes before one that names the package alone."""
    exact = [each for each in table if any(fnmatch.fnmatch(f"{package}:{file.name}", pattern) for pattern in each.packages)]
    general = [each for each in table if any(fnmatch.fnmatch(package, pattern) for pattern in each.packages)]
    return (exact or general or [None])[0]


def find_components(build: Path) -> "list[Component]":
    table = read_table()
    system = System(build)
    named = [system.inside(name) for name in (*linked_archives(build), *headers(build))]
    files = [*filter(None, named), *start_files(system), *copied_files(system)]
    unknown = {}
    for file, package in package_of_files(system, files).items():
        component = component_for(table, package, file)
        if component is None:
            unknown.setdefault(package, file)
            continue
        component.files.add(str(file))
        if package not in component.found:
            component.found[package] = subprocess.run(["dpkg-query", *system.database, "-W", "-f", "${Version}", package], text=True, check=True,
                                                      stdout=subprocess.PIPE).stdout
    if unknown:
        raise SystemExit("components.toml has no row for " + ", ".join(f"{name} ({file})" for name, file in sorted(unknown.items())))
    return [each for each in table if each.found]


def copyright_text(components: "list[Component]") -> str:
    lines = ["cufc and cufls are licensed under the Apache License 2.0 with LLVM exceptions; the whole text is in",
             "the file LICENSE beside this one.", "",
             "The programs and libraries of this package contain code of others, under licences whose texts are in the",
             "folder `licences` beside this file:", ""]
    for each in components:
        how = "linked or copied" if each.linked() else "code of its headers"
        lines.append(f"{each.name} {each.version()} ({each.address}): {each.licence}; {how}; licences/{each.id}.txt.")
        if each.note:
            lines.append(f"    {each.note}")
    lines += ["", "The headers of NVIDIA's CUDA Toolkit served to declare its functions; nothing of the toolkit is in this package."]
    return "\n".join(lines) + "\n"


def licence_text(component: Component, system: System) -> str:
    """The copyright files of the packages, each once."""
    texts = []
    for package in sorted(component.found):
        text = read_copyright(package, system)
        if text not in texts:
            texts.append(text)
    return "\n".join(texts)


def read_copyright(package: str, system: System) -> str:
    folder = system.root / "usr/share/doc" / package
    for name in ("copyright", "copyright.gz"):
        file = folder / name
        if file.exists():
            data = file.read_bytes()
            return (gzip.decompress(data) if name.endswith(".gz") else data).decode("utf-8", "replace")
    raise SystemExit(f"{folder}/copyright is not there; was the package installed without documentation?")


def write_licences(components: "list[Component]", system: System, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    mentioned = set()
    for each in components:
        text = licence_text(each, system)
        mentioned |= set(re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", text))
        (folder / f"{each.id}.txt").write_text(text)
    for name in sorted(mentioned):
        if (COMMON / name).exists():
            (folder / f"{(COMMON / name).resolve().name}.txt").write_bytes((COMMON / name).read_bytes())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--copyright", type=Path, help="write the list of licences")
    parser.add_argument("--licences", type=Path, help="write their texts into this folder")
    parser.add_argument("--list", action="store_true", help="say what was found, and through which files")
    arguments = parser.parse_args()
    components = find_components(arguments.build)
    if arguments.copyright:
        arguments.copyright.write_text(copyright_text(components))
    if arguments.licences:
        write_licences(components, System(arguments.build), arguments.licences)
    if arguments.list:
        for each in components:
            print(f"{each.id} {each.version()}: {each.licence}; packages {' '.join(sorted(each.found))}; {len(each.files)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
