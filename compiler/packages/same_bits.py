#!/usr/bin/env python3
"""Are the files of two folders the same, bit by bit? same_bits.py ONE OTHER

Exit status 1 if not; then the first member that differs is named for archives (tar, .deb, .vsix), and the first byte for others.
"""
from __future__ import annotations

import io
import lzma
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path


def members(file: Path) -> "dict[str, tuple] | None":
    """Name to what stands in the archive about it, and its content; None for files that are no archives."""
    if file.name.endswith(".vsix"):
        with zipfile.ZipFile(file) as archive:
            return {each.filename: (each.date_time, each.external_attr, archive.read(each)) for each in archive.infolist()}
    if file.name.endswith(".deb"):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["ar", "x", file.resolve()], cwd=folder, check=True)
            parts = {}
            for part in sorted(Path(folder).iterdir()):
                parts |= {f"{part.name}:{name}": value for name, value in (members(part) or {}).items()}
            return parts
    if ".tar" in file.name:
        data = file.read_bytes()
        data = lzma.decompress(data) if file.name.endswith(".xz") else data
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            return {each.name: (each.mtime, each.mode, each.uid, each.linkname, archive.extractfile(each).read() if each.isreg() else b"")
                    for each in archive}
    return None


def difference(one: Path, other: Path) -> str:
    first, second = members(one), members(other)
    if first is None or second is None:
        a, b = one.read_bytes(), other.read_bytes()
        place = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        return f"byte {place} of {len(a)} and {len(b)}"
    for name in {**first, **second}:
        if name not in first or name not in second:
            return f"{name} is in one alone"
        if first[name] != second[name]:
            return f"{name}: " + ("its content" if first[name][-1] != second[name][-1] else f"{first[name][:-1]} and {second[name][:-1]}")
    return "the order or the packing of equal members"


def main() -> int:
    one, other = Path(sys.argv[1]), Path(sys.argv[2])
    names = sorted({file.name for folder in (one, other) for file in folder.iterdir() if file.is_file()})
    if not names:
        raise SystemExit("no files")
    different = 0
    for name in names:
        if not (one / name).exists() or not (other / name).exists():
            print(f"{name}: in one folder alone")
        elif (one / name).read_bytes() != (other / name).read_bytes():
            print(f"{name}: {difference(one / name, other / name)}")
        else:
            continue
        different += 1
    print(f"{len(names) - different} of {len(names)} files are equal")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
