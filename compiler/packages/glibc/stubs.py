#!/usr/bin/env python3
"""Makes libraries to link with in place of the C library's, so that programs run with an older one.

stubs.py OUT VERSION CLANG...  e.g. stubs.py build/glibc 2.28 clang-22; more words choose another machine

glibc keeps the old versions of its functions beside the new ones, but links to the newest alone. For each function
of the installed libc and libm the newest version that is not newer than VERSION becomes the one of a library
of the same name which holds symbols and no code. Functions that came later are not in it, so the link fails unless something else
defines them (older.cpp does). What lay in libpthread, libdl and librt until glibc 2.34 is bound to its old version;
those libraries, empty ones here, are named by the program, so that an old system loads them.
"""
from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

SYMBOL = re.compile(r"^(?P<address>[0-9a-f]+) .(?P<flags>.{6}) (?P<section>\S+)\s+(?P<size>[0-9a-f]+)\s+"
                    r"\(?(?P<version>GLIBC_[\d.]+)\)?\s+(?P<name>\S+)$")
ONCE_APART = ("pthread.so.0", "dl.so.2", "rt.so.1")


@dataclass
class Symbol:
    name: str
    version: str
    data: bool
    address: int
    size: int


def number(version: str) -> "tuple[int, ...]":
    return tuple(int(part) for part in version.removeprefix("GLIBC_").split("."))


def symbols(library: Path, limit: "tuple[int, ...]") -> "list[Symbol]":
    listing = subprocess.run(["objdump", "-T", library], text=True, check=True, stdout=subprocess.PIPE).stdout
    found: "dict[str, Symbol]" = {}
    for line in listing.splitlines():
        match = SYMBOL.match(line)
        if not match or match["section"] in ("*UND*", "*ABS*", ".tbss", ".tdata") or number(match["version"]) > limit:
            continue
        name = match["name"]
        if name not in found or number(found[name].version) < number(match["version"]):
            found[name] = Symbol(name, match["version"], match["flags"].endswith("O"), int(match["address"], 16), int(match["size"], 16))
    return sorted(found.values(), key=lambda each: (each.data, each.address if each.data else 0, each.name))


def assembly(found: "list[Symbol]") -> str:
    """Data of several names (environ, __environ) keeps one address, since programs copy it with all its names."""
    lines, previous = [], None
    for position, each in enumerate(found):
        own = f"stub_{position}"
        if not each.data or previous is None or not previous.data or previous.address != each.address:
            lines += [f".zero {previous.size}" if previous and previous.data else "", ".data" if each.data else ".text", ".zero 16"]
        lines += [f".globl {own}", f".type {own}, {'@object' if each.data else '@function'}", f".size {own}, {each.size if each.data else 1}",
                  f"{own}:", f".symver {own}, {each.name}@@{each.version}, remove"]
        previous = each
    lines += [f".zero {previous.size}"] if previous and previous.data else []
    return "\n".join(lines) + '\n.section .note.GNU-stack,"",@progbits\n'


def make(out: Path, file: str, soname: str, found: "list[Symbol]", clang: "list[str]") -> None:
    source, script = out / f"{file}.s", out / f"{file}.map"
    versions = sorted({each.version for each in found}, key=number)
    source.write_text(assembly(found))
    script.write_text("".join(f"{version} {{ }};\n" for version in versions) or "{ local: *; };\n")
    subprocess.run([*clang, "-shared", "-nostdlib", "-fuse-ld=lld", f"-Wl,-soname,{soname}", f"-Wl,--version-script={script}",
                    "-o", out / file, source], check=True)


def library(clang: "list[str]", name: str) -> Path:
    return Path(subprocess.run([*clang, f"-print-file-name={name}"], text=True, check=True, stdout=subprocess.PIPE).stdout.strip())


def main() -> int:
    if len(sys.argv) < 4:
        print(__doc__, file=sys.stderr)
        return 2
    out, limit, clang = Path(sys.argv[1]), number(sys.argv[2]), sys.argv[3:]
    out.mkdir(parents=True, exist_ok=True)
    loader = next(name for name in ("ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1") if library(clang, name).is_absolute())
    for soname, file in (("libc.so.6", "libc-symbols.so"), ("libm.so.6", "libm.so"), (loader, "loader.so")):
        make(out, file, soname, symbols(library(clang, soname).resolve(), limit), clang)
    for soname in ONCE_APART:
        make(out, f"lib{soname.split('.', 1)[0]}.so", f"lib{soname}", [], clang)
    (out / "libc.so").write_text(f"GROUP(libc-symbols.so {library(clang, 'libc_nonshared.a')} AS_NEEDED(loader.so))\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
