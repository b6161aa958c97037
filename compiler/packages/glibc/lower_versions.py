#!/usr/bin/env python3
"""Has a shared library ask for older versions of the C library's symbols: lower_versions.py LIBRARY NEWEST [LIBC]

For libraries that come compiled (libomp). Functions that glibc 2.34 took over from libpthread and libdl have their first version
beside the new one, under which programs found them before: the records that name a later version than NEWEST are made to name the oldest, if
all symbols under it have that. The file keeps its size. What cannot be lowered is an error.
"""
from __future__ import annotations

import re
import struct
import subprocess
import sys
from pathlib import Path

OLDEST = {62: b"GLIBC_2.2.5", 183: b"GLIBC_2.17"}  # by machine: x86-64, aarch64
VERNEED, VERSYM, DYNSYM = 0x6FFFFFFE, 0x6FFFFFFF, 11


def number(version: str) -> "tuple[int, ...]":
    return tuple(int(part) for part in version.removeprefix("GLIBC_").split("."))


def elf_hash(name: bytes) -> int:
    value = 0
    for character in name:
        value = (value << 4) + character
        high = value & 0xF0000000
        value = (value ^ high >> 24) & ~high if high else value
    return value & 0xFFFFFFFF


class Library:
    def __init__(self, file: Path) -> None:
        self.data = bytearray(file.read_bytes())
        if self.data[:6] != b"\x7fELF\x02\x01":
            raise SystemExit(f"{file}: not a little-endian ELF file of 64 bits")
        self.machine, = struct.unpack_from("<H", self.data, 18)
        start, = struct.unpack_from("<Q", self.data, 40)
        size, count = struct.unpack_from("<HH", self.data, 58)
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", self.data, start + i * size) for i in range(count)]

    def section(self, kind: int) -> tuple:
        return next(each for each in self.sections if each[1] == kind)

    def text(self, table: tuple, offset: int) -> bytes:
        start = table[4] + offset
        return bytes(self.data[start:self.data.index(0, start)])

    def needed_versions(self) -> "list[tuple[int, int, bytes]]":
        """Place of the record, its index in the table of symbols' versions, and its name."""
        needs, found = self.section(VERNEED), []
        strings = self.sections[needs[6]]
        place = needs[4]
        while True:
            _, count, _, first, following = struct.unpack_from("<HHIII", self.data, place)
            record = place + first
            for _ in range(count):
                _, _, index, name, step = struct.unpack_from("<IHHII", self.data, record)
                found.append((record, index, self.text(strings, name)))
                record += step
            if following == 0:
                return found
            place += following

    def symbols_of(self, index: int) -> "list[str]":
        symbols, versions = self.section(DYNSYM), self.section(VERSYM)
        strings = self.sections[symbols[6]]
        names = []
        for i in range(symbols[5] // 24):
            version, = struct.unpack_from("<H", self.data, versions[4] + 2 * i)
            if version & 0x7FFF == index:
                name, = struct.unpack_from("<I", self.data, symbols[4] + 24 * i)
                names.append(self.text(strings, name).decode())
        return names


def installed_libc() -> Path:
    return Path(subprocess.run(["gcc", "-print-file-name=libc.so.6"], text=True, check=True, stdout=subprocess.PIPE).stdout.strip())


def have_first_version(names: "list[str]", version: str) -> "list[str]":
    """Those of which the C library (LIBC, or the installed one) lacks that version."""
    libc = Path(sys.argv[3]) if len(sys.argv) > 3 else installed_libc()
    listing = subprocess.run(["objdump", "-T", libc.resolve()], text=True, check=True, stdout=subprocess.PIPE).stdout
    known = set(re.findall(r"\(?" + re.escape(version) + r"\)?\s+(\S+)$", listing, re.MULTILINE))
    return [name for name in names if name not in known]


def main() -> int:
    file, newest = Path(sys.argv[1]), number(sys.argv[2])
    library = Library(file)
    oldest = OLDEST[library.machine]
    records = library.needed_versions()
    known = next((record for record, _, name in records if name == oldest), None)
    for record, index, name in records:
        if not re.fullmatch(rb"GLIBC_[\d.]+", name) or number(name.decode()) <= newest:
            continue
        lacking = have_first_version(library.symbols_of(index), oldest.decode())
        if known is None or lacking:
            raise SystemExit(f"{file}: {', '.join(lacking) or oldest.decode()} cannot be had of an older C library")
        offset, = struct.unpack_from("<I", library.data, known + 8)
        struct.pack_into("<I", library.data, record, elf_hash(oldest))
        struct.pack_into("<I", library.data, record + 8, offset)
    file.write_bytes(library.data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
