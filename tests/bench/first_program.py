#!/usr/bin/env python3
"""Seconds from a bare root folder to the first program that has run, by each way to get the compiler.

first_program.py --packages build/package-test/release [--source] ROOT...

ROOT is a folder that `debootstrap --variant=minbase SUITE ROOT` has made, and is left as it is: all is done in an overlay.
Needs root and mounts. The packages are there already; what the system lacks comes from its archive, which is part of
the time. --source builds from a clone of this repository as well, without a cache of compilations.
"""
from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tests/packages"))
import installed  # noqa: E402

START = """set -eu
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
cd /trial
if command -v cc >/dev/null; then echo 'a compiler is there already'; exit 1; fi
lap() { now=$(date +%s%N); echo "LAP $(((now - last)/1000000)) $1"; last=$now; }
last=$(date +%s%N)
"""
PROGRAM = "cufc p.cuf -o p && ./p\nlap 'cufc p.cuf -o p && ./p'\n"
UPDATE = "apt-get -qq update\nlap 'apt update'\n"
WAYS = {
    ".deb": UPDATE + "apt-get -qq -y install --no-install-recommends ./cufc.deb >log 2>&1\nlap 'apt install ./cufc_*.deb'\n" + PROGRAM,
    "archive": UPDATE + "apt-get -qq -y install --no-install-recommends g++ xz-utils >log 2>&1\nlap 'apt install g++ xz-utils'\n"
               "tar -xf cufc.tar.xz\nPATH=$(echo $PWD/cufc-*/bin):$PATH\nlap 'tar -xf cufc-*.tar.xz'\n" + PROGRAM,
    # With the security updates that an installed Debian has, where LLVM is.
    "source": ". /etc/os-release\nset -- $(head -1 /etc/apt/sources.list)\n"
              "echo \"deb $2-security $VERSION_CODENAME-security main\" >>/etc/apt/sources.list\n"
              + UPDATE + "apt-get -qq -y install --no-install-recommends git ca-certificates >log 2>&1\nlap 'apt install git'\n"
              "git clone -q source clone\ncd clone\nlap 'git clone'\n./dev demo >../log 2>&1 || { tail ../log; exit 1; }\nlap './dev demo'\ngrep PASS ../log\n",
}


def laps(words: str) -> "list[tuple[float, str]]":
    parts = [line.split(maxsplit=2) for line in words.splitlines() if line.startswith("LAP ")]
    return [(int(milliseconds) / 1000, what) for _, milliseconds, what in parts]


def report(root: Path, way: str, done: subprocess.CompletedProcess) -> bool:
    good = done.returncode == 0 and "PASS" in done.stdout
    found = laps(done.stdout)
    print(f"{root.name:<12}{way:<10}{sum(seconds for seconds, _ in found):>8.1f} s  "
          + ", ".join(f"{what} {seconds:.1f}" for seconds, what in found), flush=True)
    if not good:
        print(done.stdout[-2000:], flush=True)
    return good


def in_root(root: Path, folder: Path, script: str, files: "dict[str, Path]") -> subprocess.CompletedProcess:
    layers = Path(tempfile.mkdtemp(dir=folder))
    for name in ("upper/trial", "work", "merged"):
        (layers / name).mkdir(parents=True)
    trial = layers / "upper/trial"
    (trial / "p.cuf").write_text(installed.PROGRAM)
    (trial / "script").write_text(START + script)
    for name, path in files.items():
        shutil.copy(path, trial / name)
    if "git clone" in script:
        subprocess.run(["git", "clone", "-q", "--bare", REPOSITORY, trial / "source"], check=True)
        # The one who clones owns what is cloned.
        subprocess.run(["chown", "-R", "0:0", trial / "source"], check=True)
    merged = layers / "merged"
    mounts = (f"mount -t overlay overlay -o lowerdir={root},upperdir={layers}/upper,workdir={layers}/work {merged}"
              f" && mount -t proc proc {merged}/proc && mount --bind /dev {merged}/dev"
              f" && cp /etc/resolv.conf {merged}/etc/ && chroot {merged} sh /trial/script")
    return subprocess.run(["unshare", "--mount", "--pid", "--fork", "sh", "-c", mounts], text=True, check=False, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "CI": ""})


def in_image(image: Path, folder: Path) -> subprocess.CompletedProcess:
    root = folder / "image"
    oci = REPOSITORY / "compiler/packages/oci.py"
    (folder / "trial").mkdir()
    (folder / "trial/p.cuf").write_text(installed.PROGRAM)
    script = START.replace("if command -v cc >/dev/null; then echo 'a compiler is there already'; exit 1; fi\n", "")
    (folder / "trial/script").write_text(script + PROGRAM)
    inside = (f"last=$(date +%s%N); {sys.executable} {oci} unpack {image} {root} >&2; echo LAP $((($(date +%s%N) - last)/1000000)) unpack the image; "
              f"cp -r {folder}/trial {root}/; mount -t proc proc {root}/proc && mount --bind /dev {root}/dev && "
              f"exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot {root} sh /trial/script")
    return subprocess.run(["unshare", "--mount", "--pid", "--fork", "sh", "-c", inside], text=True, check=False, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packages", type=Path, default=REPOSITORY / "build/package-test/release")
    parser.add_argument("--source", action="store_true")
    parser.add_argument("roots", type=Path, nargs="+")
    arguments = parser.parse_args()
    packages = arguments.packages.resolve()
    files = {"cufc.deb": sorted(packages.glob("cufc_*_amd64.deb"))[-1], "cufc.tar.xz": sorted(packages.glob("cufc-*-linux-x86_64.tar.xz"))[-1]}
    good = True
    with tempfile.TemporaryDirectory(dir=packages.parent, prefix="first-") as name:
        folder = Path(name)
        for root in (root.resolve() for root in arguments.roots):
            for way, script in WAYS.items():
                if way != "source" or arguments.source:
                    good &= report(root, way, in_root(root, folder, script, files))
        good &= report(Path("any"), "container", in_image(sorted(packages.glob("cufc-*-oci-*.tar"))[-1], folder))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
