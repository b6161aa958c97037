#!/usr/bin/env python3
"""What of others is in a build: components.py BUILD [--copyright FILE] [--licences FOLDER] [--list]

Three things are asked, and no list is kept by hand: the linker wrote which static libraries it took members of
(BUILD/linked-archives.txt), ninja knows which headers were read, and the copied files of LLVM are named below. dpkg
says which package each file came with, components.toml whose work and under which licence that is. An unknown package is an
error, so a library that is linked one day cannot stay unmentioned.
"""
from __future__ import annotations

import argparse
import fnmatch
import functools
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


def linked_archives(build: Path) -> "list[Path]":
    """From lld's statistics: members in the archive, members that were taken, the archive."""
    statistics = build / "linked-archives.txt"
    if not statistics.exists():
        raise SystemExit(f"{statistics} is not there: link cufc again")
    rows = [line.split("\t") for line in statistics.read_text().splitlines()[1:]]
    taken = [row[2] for row in rows if len(row) == 3 and int(row[1]) > 0]
    return [Path(name) for name in taken if name.startswith("/")]


def start_files() -> "list[Path]":
    names = ("crti.o", "crtbeginS.o", "libc_nonshared.a", "libbacktrace.a")
    found = [subprocess.run(["gcc", f"-print-file-name={name}"], text=True, check=True, stdout=subprocess.PIPE).stdout.strip()
             for name in names]
    return [Path(file) for file in found if file.startswith("/")]


def headers(build: Path) -> "list[Path]":
    """Those that the objects of compiler, server and run-time library were made with; tests are not in packages."""
    text = subprocess.run(["ninja", "-C", build, "-t", "deps"], text=True, check=True, stdout=subprocess.PIPE).stdout
    objects = [part for part in text.split("\n\n") if re.match(r"(compiler|lsp|runtime)/", part)]
    return [Path(file) for file in sorted({name for part in objects for name in re.findall(r"^ {4}(/usr/\S+)", part, re.MULTILINE)})]


def copied_files() -> "list[Path]":
    llvm = Path("/usr/lib/llvm-22")
    found = []
    for name in COPIED:
        places = [llvm / "lib" / name, llvm / "include" / name, *llvm.glob(f"lib/clang/*/lib/*/{name}")]
        found += [place for place in places if place.exists()][:1]
    return found


@functools.cache
def package_of_files(files: "tuple[Path, ...]") -> "dict[Path, str]":
    """Files of no package, such as those of the CUDA Toolkit, are left out."""
    by_place = {}
    for file in files:
        by_place.setdefault(str(file.resolve()), []).append(file)
    done = subprocess.run(["dpkg-query", "-S", *by_place], text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
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
    files = (*linked_archives(build), *start_files(), *headers(build), *copied_files())
    unknown = {}
    for file, package in package_of_files(files).items():
        component = component_for(table, package, file)
        if component is None:
            unknown.setdefault(package, file)
            continue
        component.files.add(str(file))
        if package not in component.found:
            component.found[package] = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], text=True, check=True,
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


def licence_text(component: Component) -> str:
    """The copyright files of the packages, each once."""
    texts = []
    for package in sorted(component.found):
        text = read_copyright(package)
        if text not in texts:
            texts.append(text)
    return "\n".join(texts)


def read_copyright(package: str) -> str:
    folder = Path("/usr/share/doc") / package
    for name in ("copyright", "copyright.gz"):
        file = folder / name
        if file.exists():
            data = file.read_bytes()
            return (gzip.decompress(data) if name.endswith(".gz") else data).decode("utf-8", "replace")
    raise SystemExit(f"{folder}/copyright is not there; was the package installed without documentation?")


def write_licences(components: "list[Component]", folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    mentioned = set()
    for each in components:
        text = licence_text(each)
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
        write_licences(components, arguments.licences)
    if arguments.list:
        for each in components:
            print(f"{each.id} {each.version()}: {each.licence}; packages {' '.join(sorted(each.found))}; {len(each.files)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
