#!/usr/bin/env python3
"""Makes a root folder of Debian's packages for another processor, to build for it: sysroot.py FOLDER [--machine aarch64]

apt gets a configuration of its own with that architecture and the same sources, so that the system's packages stay as they are: the
packages named below, and no others, are downloaded and unpacked into FOLDER. Their records are kept as dpkg keeps them (FOLDER/var/lib/dpkg), so
that `dpkg-query --admindir` can say which package a file came with. A folder that holds them in the versions of today is left as it is.
"""
from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ARCHITECTURES = {"aarch64": "arm64"}
# What the compiler is built with; libraries that programs load when they run on the CPU come last, for tests under qemu.
PACKAGES = """
    libc6 libc6-dev linux-libc-dev libcrypt1 libcrypt-dev gcc-12-base libgcc-s1 libgcc-12-dev libstdc++6 libstdc++-12-dev libatomic1
    llvm-22-dev llvm-22 llvm-22-tools llvm-22-linker-tools libllvm22 libmlir-22-dev libmlir-22 libflang-22-dev libomp-22-dev libomp5-19
    zlib1g-dev zlib1g libzstd-dev libzstd1 libfmt-dev libfmt9 libasio-dev nlohmann-json3-dev
    libtsan2 libgomp1 libopenblas0-pthread liblapack3 libblas3 libgfortran5 libfftw3-double3 libfftw3-single3
""".split()


def run(*command: object, **more) -> str:
    return subprocess.run([str(word) for word in command], text=True, check=True, stdout=subprocess.PIPE, **more).stdout


def apt_settings(folder: Path, architecture: str) -> "dict[str, str]":
    """An environment in which apt knows that architecture alone and has its lists in `folder`."""
    for part in ("state/lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "state/status").touch()
    settings = folder / "apt.conf"
    settings.write_text(f'Dir::State "{folder}/state";\nDir::State::status "{folder}/state/status";\nDir::Cache "{folder}/cache";\n'
                        f'APT::Architecture "{architecture}";\nAPT::Architectures {{ "{architecture}"; }};\n'
                        'APT::Sandbox::User "root";\n')
    return {**os.environ, "APT_CONFIG": str(settings)}


def wanted_versions(environment: "dict[str, str]") -> str:
    shown = run("apt-cache", "policy", *PACKAGES, env=environment)
    candidates = [line.split()[-1] for line in shown.splitlines() if line.strip().startswith("Candidate:")]
    if len(candidates) != len(PACKAGES) or "(none)" in candidates:
        known = {line.rstrip(":") for line in shown.splitlines() if not line.startswith(" ")}
        lacking = [name for name in PACKAGES if name not in known] or PACKAGES
        raise SystemExit(f"apt's sources have no {', '.join(lacking)} for this architecture")
    return "".join(f"{name} {version}\n" for name, version in zip(PACKAGES, candidates))


def unpack(archive: Path, root: Path) -> str:
    """The package's record for dpkg's file of states."""
    run("dpkg-deb", "-x", archive, root)
    control = run("dpkg-deb", "-f", archive)
    name = run("dpkg-deb", "-f", archive, "Package").strip()
    same = run("dpkg-deb", "-f", archive, "Multi-Arch").strip() == "same"
    architecture = run("dpkg-deb", "-f", archive, "Architecture").strip()
    names = [line.split(maxsplit=5)[5].split(" -> ")[0] for line in run("dpkg-deb", "-c", archive).splitlines()]
    listing = "".join(f"{path[1:].rstrip('/') or '/.'}\n" for path in names)
    (root / "var/lib/dpkg/info" / f"{name}{':' + architecture if same else ''}.list").write_text(listing)
    return control.replace("\n", "\nStatus: install ok installed\n", 1) + "\n"


def link_loader(root: Path) -> None:
    """/lib is a link on a system of today, and the packages' /lib a folder: what lies there is found below /usr too."""
    for library in (root / "lib").glob("*-linux-gnu/*"):
        beside = root / "usr/lib" / library.parent.name / library.name
        if not beside.exists() and not beside.is_symlink():
            beside.symlink_to(os.path.relpath(library, beside.parent))


def make_links_relative(root: Path) -> None:
    """A link to /lib/... means the one in the folder (libm.so of libc6-dev is one)."""
    for folder, _, names in os.walk(root / "usr/lib"):
        for link in (Path(folder) / name for name in names):
            if link.is_symlink() and os.readlink(link).startswith("/"):
                target = root / os.readlink(link).lstrip("/")
                link.unlink()
                link.symlink_to(os.path.relpath(target, link.parent))


def link_alternatives(root: Path) -> None:
    """What `update-alternatives` would make: BLAS and LAPACK by their usual names."""
    for name, place in (("libblas.so.3", "openblas-pthread"), ("liblapack.so.3", "openblas-pthread"), ("libopenblas.so.0", "openblas-pthread")):
        for library in (root / "usr/lib").glob(f"*-linux-gnu/{place}/{name}"):
            link = library.parent.parent / name
            if not link.exists():
                link.symlink_to(f"{place}/{name}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--machine", default="aarch64", choices=sorted(ARCHITECTURES))
    arguments = parser.parse_args()
    folder = arguments.folder.absolute()
    record = folder / "packages"
    with tempfile.TemporaryDirectory() as work:
        environment = apt_settings(Path(work), ARCHITECTURES[arguments.machine])
        subprocess.run(["apt-get", "-q", "update"], check=True, env=environment)
        wanted = wanted_versions(environment)
        if record.exists() and record.read_text() == wanted:
            return 0
        archives = Path(work) / "archives"
        archives.mkdir()
        subprocess.run(["apt-get", "-q", "download", *PACKAGES], check=True, env=environment, cwd=archives)
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "var/lib/dpkg/info").mkdir(parents=True)
        (folder / "var/lib/dpkg/info/format").write_text("1\n")  # lists have the architecture in their names
        states = [unpack(archive, folder) for archive in sorted(archives.iterdir())]
        (folder / "var/lib/dpkg/status").write_text("\n".join(states))
    make_links_relative(folder)
    link_loader(folder)
    link_alternatives(folder)
    record.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
