#!/usr/bin/env python3
"""Makes a draft of a release of a build, and tries what it says: release.py --build build --out build/package-test/release

The draft packs everything twice and compares the bits. Then differences are planted, which the comparison, the check of the image and
that of the bill of materials must see; and the commit of a release is made in a repository of three files.
"""
from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import types
import zipfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGES = REPOSITORY / "compiler/packages"
EPOCH = "1000000000"
failures = 0


def check(name: str, good: bool, detail: object = "") -> None:
    global failures
    failures += not good
    print(f"{'ok    ' if good else 'FAILED'} {name}" + ("" if good else f": {str(detail)[-1500:]}"), flush=True)


def run(*command: "str | Path", environment: "dict[str, str] | None" = None, folder: Path = REPOSITORY) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in command], cwd=folder, text=True, check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, **(environment or {})}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def same_bits(one: Path, other: Path) -> subprocess.CompletedProcess:
    return run(sys.executable, PACKAGES / "same_bits.py", one, other)


def load_release() -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("release_command", PACKAGES / "release.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def try_draft(build: Path, out: Path) -> bool:
    version = json.loads((REPOSITORY / "vscode-extension/package.json").read_text())["version"]
    done = run(sys.executable, PACKAGES / "release.py", version, "--draft", "--fast", "--build", build, "--out", out)
    check("draft: packed twice, equal bit by bit", done.returncode == 0 and "equal bit by bit" in done.stdout, done.stdout)
    if done.returncode != 0:
        return False
    names = {file.name for file in out.iterdir()}
    wanted = {"NOTES.md", "SHA256SUMS", f"cufc-{version}.spdx.json", f"cufc-{version}-source.tar.xz"}
    check("draft: notes, digests, bill of materials, source", wanted <= names, names)
    for line in (out / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        check(f"draft: digest of {name}", hashlib.sha256((out / name).read_bytes()).hexdigest() == digest)
    bill = json.loads((out / f"cufc-{version}.spdx.json").read_text())
    linked = {each["relatedSpdxElement"] for each in bill["relationships"] if each["relationshipType"] == "STATIC_LINK"}
    check("draft: what is linked in is in the bill", {"SPDXRef-llvm", "SPDXRef-gcc-runtime", "SPDXRef-zstd"} <= linked, linked)
    return True


def try_licences(out: Path) -> None:
    """In the archive each component of the list has a text that is not empty."""
    with tarfile.open(next(out.glob("cufc-*-linux-*.tar.xz"))) as archive:
        texts = {Path(each.name).name: each.size for each in archive if "/licences/" in each.name}
        listing = next(each for each in archive.getnames() if each.endswith("/copyright"))
        stream = archive.extractfile(listing)
        assert stream
        named = [word.rstrip(".") for word in stream.read().decode().split() if word.startswith("licences/")]
    check("licences: a text for each", len(named) > 5 and all(texts.get(Path(name).name, 0) > 500 for name in named), (named, texts))


# What is copied has a length that nobody knows before the program runs.
COPY = """#include <cstring>
int sumOfCopy(const char* from, unsigned length) {
  char place[16] = {};
  std::memcpy(place, from, length);
  return place[0] + place[15];
}
"""


def try_hardening(folder: Path) -> None:
    """A release is compiled with what protects it: a source of the compiler is, and what stands in its command checks a copy. The link is
    looked at by release.py."""
    settings = ("-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_PREFIX_PATH=/usr/lib/llvm-22", "-DCMAKE_CXX_COMPILER=clang++-22",
                "-DCMAKE_C_COMPILER=clang-22", "-DCMAKE_CXX_FLAGS_RELEASE=-O1")
    made = run("cmake", "-S", REPOSITORY, "-B", folder / "release", *settings, "-DCUFC_RELEASE=ON")
    built = run("cmake", "--build", folder / "release", "--target", "compiler/CMakeFiles/cufc_base.dir/base/files.cpp.o")
    check("hardening: a release is compiled", made.returncode == 0 and built.returncode == 0, made.stdout + built.stdout)
    commands = json.loads((folder / "release/compile_commands.json").read_text())
    for name in ("compiler/base/files.cpp", "lsp/server/server.cpp", "compiler/lower/bridge.cpp"):
        protected_copy(folder, next((each["command"] for each in commands if each["file"].endswith(name)), ""), name)


def protected_copy(folder: Path, command: str, name: str) -> None:
    source, made = folder / "copy.cpp", folder / "copy.o"
    source.write_text(COPY)
    kept = [word for word in shlex.split(command) if word.startswith(("-fstack", "-O", "-D_FORTIFY", "-U_FORTIFY", "-std="))]
    built = run("clang++-22", *kept, "-c", source, "-o", made)
    names = run("nm", made).stdout
    check(f"hardening: {name} has stacks and copies checked", built.returncode == 0 and "__stack_chk_fail" in names and
          "__memcpy_chk" in names, (command, built.stdout, names))


def try_differences(out: Path, folder: Path) -> None:
    one, other = folder / "one", folder / "other"
    for place in (one, other):
        place.mkdir()
        (place / "a").write_text("same")
    check("comparison: equal folders", same_bits(one, other).returncode == 0)
    (other / "a").write_text("sane")
    done = same_bits(one, other)
    check("comparison: a byte of a file", done.returncode == 1 and "byte 2" in done.stdout, done.stdout)
    (other / "a").write_text("same")
    for place, moment in ((one, 1), (other, 2)):
        with tarfile.open(place / "x.tar", "w") as archive:
            entry = tarfile.TarInfo("member")
            entry.mtime = moment
            archive.addfile(entry)
    done = same_bits(one, other)
    check("comparison: the time of a member", done.returncode == 1 and "x.tar: member" in done.stdout, done.stdout)
    (other / "x.tar").unlink()
    check("comparison: a file that is missing", same_bits(one, other).returncode == 1)
    bill, version = next(out.glob("*.spdx.json")), next(out.glob("*-source.tar.xz"))
    copy = folder / "artefacts"
    copy.mkdir()
    shutil.copy(version, copy)
    done = run(sys.executable, PACKAGES / "sbom.py", "build", copy, "0", bill, "--verify")
    check("bill of materials: artefacts that are missing", done.returncode == 1, done.stdout)


def try_zip_order(folder: Path) -> None:
    results = []
    for moment, names in (((2001, 1, 1, 0, 0, 0), "ab"), ((2002, 2, 2, 2, 2, 2), "ba")):
        file = folder / "x.vsix"
        with zipfile.ZipFile(file, "w") as archive:
            for name in names:
                archive.writestr(zipfile.ZipInfo(name, moment), f"content of {name}")
        run(sys.executable, PACKAGES / "zip_order.py", file, environment={"SOURCE_DATE_EPOCH": EPOCH})
        results.append(file.read_bytes())
    check("zip: order and times do not matter", results[0] == results[1])


def try_images(out: Path, folder: Path) -> None:
    """A small image, damaged in each of its files; that of the draft is checked by the draft."""
    layer = folder / "layer.tar"
    with tarfile.open(layer, "w") as archive:
        archive.addfile(tarfile.TarInfo("etc/file"))
    image = folder / "image.tar"
    made = run(sys.executable, PACKAGES / "oci.py", "make", image, "--version", "1", "--architecture", "amd64", layer,
               environment={"SOURCE_DATE_EPOCH": EPOCH})
    check("image: made and right", made.returncode == 0 and run(sys.executable, PACKAGES / "oci.py", "check", image).returncode == 0, made.stdout)
    unpacked = run(sys.executable, PACKAGES / "oci.py", "unpack", image, folder / "files")
    check("image: unpacked", unpacked.returncode == 0 and (folder / "files/etc/file").exists(), unpacked.stdout)
    with tarfile.open(image) as archive:
        entries = [(each, archive.extractfile(each).read()) for each in archive if each.isreg()]  # type: ignore[union-attr]
    for wrong, (damaged, _) in enumerate(entries):
        broken = folder / "broken.tar"
        with tarfile.open(broken, "w") as archive:
            for position, (entry, data) in enumerate(entries):
                changed = folder / "blob"
                changed.write_bytes(data.replace(b'"', b" ", 1) if position == wrong and b'"' in data
                                    else data[:-1] + bytes([data[-1] ^ 1]) if position == wrong else data)
                archive.add(changed, entry.name)
        done = run(sys.executable, PACKAGES / "oci.py", "check", broken)
        check(f"image: damage in {damaged.name[:20]} is seen", done.returncode == 1, done.stdout)


def stops(release: types.ModuleType, version: str) -> bool:
    try:
        release.prepare(version)
    except SystemExit:
        return True
    return False


def try_commit(folder: Path) -> None:
    release = load_release()
    release.ROOT = folder
    (folder / "vscode-extension").mkdir(parents=True)
    for name in ("CMakeLists.txt", "vscode-extension/package.json"):
        shutil.copy(REPOSITORY / name, folder / name)
    (folder / "CHANGELOG.md").write_text("# Changes\n\n## 7.0.0, not released yet\n\nNew things.\n\n## 6.0.0, 2020-01-01\n\nOld things.\n")
    for words in (("init", "-q"), ("config", "user.name", "x"), ("config", "user.email", "x@localhost"), ("add", "."), ("commit", "-qm", "one")):
        run("git", *words, folder=folder)
    check("commit: a version without a section stops", stops(release, "8.0.0"))
    release.prepare("7.0.0")
    first = release.git("rev-parse", "HEAD")
    release.prepare("7.0.0")
    check("commit: one, and none when it is repeated", release.git("rev-list", "--count", "HEAD") == "2" and first == release.git("rev-parse", "HEAD"))
    check("commit: version and day stand where they should",
          "project(cufls VERSION 7.0.0 " in (folder / "CMakeLists.txt").read_text() and release.current_version() == "7.0.0"
          and "not released" not in (folder / "CHANGELOG.md").read_text())
    check("commit: notes are the section", release.section((folder / "CHANGELOG.md").read_text(), "7.0.0")[1] == "New things.\n")
    (folder / "CMakeLists.txt").write_text("changed")
    check("commit: changes that are not committed stop", stops(release, "7.0.0"))
    run("git", "checkout", "-q", ".", folder=folder)
    run("git", "tag", "v7.0.0", folder=folder)
    check("commit: a tag that is there stops", stops(release, "7.0.0"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=REPOSITORY / "build")
    parser.add_argument("--out", type=Path, default=REPOSITORY / "build/package-test/release")
    arguments = parser.parse_args()
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    if try_draft(arguments.build, arguments.out):
        try_licences(arguments.out)
        with tempfile.TemporaryDirectory() as name:
            try_differences(arguments.out, Path(name))
    with tempfile.TemporaryDirectory() as name:
        try_zip_order(Path(name))
        try_images(arguments.out, Path(name))
        try_hardening(Path(name))
        try_commit(Path(name) / "repository")
    print("PASS" if failures == 0 else f"{failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
