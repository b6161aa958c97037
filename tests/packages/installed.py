#!/usr/bin/env python3
"""Installs the packages of a folder and uses them where nothing else of this project is.

installed.py [--packages build/package] [--root build/package-test/root]

The archive is unpacked twice: with an empty PATH and no home, where sources are checked and compiled
but not linked, and on this machine, where the examples for CMake and make are built. The .deb goes into
a minimal Debian (made by debootstrap, kept for the next run, used through an overlay that is thrown
away): apt brings what it depends on, programs are built and run, removal leaves nothing behind.
The archive then compiles and runs programs in a minimal Debian 11, with glibc 2.31 and GCC 10, and the image for containers
is unpacked and entered. These parts need root, mounts and Debian's archive; without, they are skipped and said.
"""
from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tests"))
from harness.sample import is_taken  # noqa: E402
MADE = "made"  # in a minimal Debian that debootstrap has finished
NO_ARCHIVE = 77
PROGRAM = """program p
  use cudafor
  integer, device :: d(64)
  integer :: h(64), i
  !$cuf kernel do <<<*, *>>>
  do i = 1, 64
    d(i) = i
  end do
  h = d
  if (sum(h) /= 2080) error stop 'FAIL'
  print '(a)', 'PASS'
end program p
"""
failures = 0
skipped: "list[str]" = []


def check(name: str, good: bool, detail: object = "") -> None:
    global failures
    failures += not good
    print(f"{'ok    ' if good else 'FAILED'} {name}" + ("" if good else f": {str(detail)[-1500:]}"), flush=True)


def skip(what: str) -> None:
    skipped.append(what)
    print(f"skipped {what}", flush=True)


def run(command: list, folder: Path, environment: "dict[str, str]") -> subprocess.CompletedProcess:
    return subprocess.run(command, cwd=folder, env=environment, text=True, timeout=600, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def unpack(packages: Path, folder: Path) -> Path:
    archives = sorted(packages.glob("cufc-*-linux-x86_64.tar.xz"))
    if not archives:
        raise SystemExit(f"no archive in {packages}: run ./dev package")
    subprocess.run(["tar", "-C", folder, "-xf", archives[-1]], check=True)
    return next(folder.glob("cufc-*"))


def try_bare(prefix: Path, folder: Path) -> None:
    """Nothing on PATH, no home: the compiler itself must do."""
    bare = {"PATH": str(folder / "none"), "HOME": str(folder / "no-home")}
    (folder / "p.cuf").write_text(PROGRAM)
    (folder / "bad.cuf").write_text(PROGRAM.replace("integer :: h", "integr :: h"))
    cufc, cufls = prefix / "bin/cufc", prefix / "bin/cufls"
    done = run([cufc, "--version"], folder, bare)
    check("bare: --version", done.returncode == 0 and done.stdout.startswith("cufc "), done.stdout)
    done = run([cufls, "check", "p.cuf"], folder, bare)
    check("bare: check of a right file", done.returncode == 0, done.stdout)
    done = run([cufls, "check", "bad.cuf"], folder, bare)
    check("bare: check of a wrong file", done.returncode == 1 and "bad.cuf:4:" in done.stdout, done.stdout)
    done = run([cufc, "-c", "p.cuf"], folder, bare)
    check("bare: compile", done.returncode == 0 and (folder / "p.o").exists(), done.stdout)
    done = run([cufc, "p.cuf", "-o", "p"], folder, bare)
    check("bare: no linker is said in one line", done.returncode == 1 and "'cc'" in done.stdout
          and done.stdout.count("\n") == 1, done.stdout)
    done = run([cufls, "doctor", "--format=json"], folder, bare)
    broken = [each["name"] for each in json.loads(done.stdout)["checks"] if each["state"] == "broken"]
    check("bare: doctor names what is missing", done.returncode == 1 and "cc" in broken, broken)
    done = run([cufls, "explain", "CUF0203"], folder, bare)
    check("bare: explain", done.returncode == 0 and "CUF0203" in done.stdout, done.stdout)


def try_unpacked(prefix: Path, folder: Path) -> None:
    """On this machine, through a link in a folder on PATH, with the installation read only."""
    subprocess.run(["chmod", "-R", "a-w", prefix], check=True)
    binaries = folder / "bin"
    binaries.mkdir()
    for name in ("cufc", "cufls"):
        (binaries / name).symlink_to(prefix / "bin" / name)
    home = folder / "home"
    home.mkdir()
    usual = {"PATH": f"{binaries}:/usr/bin:/bin", "HOME": str(home)}
    done = run(["cufc", "p.cuf", "-o", "p"], folder, usual)
    check("unpacked: link", done.returncode == 0 and not done.stdout, done.stdout)
    done = run(["./p"], folder, usual)
    check("unpacked: run", done.returncode == 0 and "PASS" in done.stdout, done.stdout)
    done = run(["cufls", "run", "p.cuf"], folder, usual)
    check("unpacked: cufls run", done.returncode == 0 and "PASS" in done.stdout, done.stdout)
    pages = prefix / "share/doc/cufc/docs"
    missing = [page for page in ("tutorial.md", "faq.md", "reference/cudafor-memory.md", "pictures/run.png", "examples/vector_add.cuf")
               if not (pages / page).exists()]
    check("unpacked: the pages are there", not missing, missing)
    tags = prefix / "share/cufc/editors/nvim/doc/tags"
    check("unpacked: :help has its tags", tags.exists() and "cufls.txt" in tags.read_text(), tags)
    examples = prefix / "share/cufc/examples"
    toolchain = prefix / "share/cufc/cmake/cufc-toolchain.cmake"
    steps = [["cmake", "-S", examples / "cmake", "-B", "b", "--toolchain", toolchain], ["cmake", "--build", "b"],
             ["ctest", "--test-dir", "b"]]
    without = {"PATH": "/usr/bin:/bin", "HOME": str(home)}  # the toolchain file finds its own compiler
    for step in steps:
        done = run(step, folder, without)
        check(f"unpacked: {step[0]} of the example", done.returncode == 0, done.stdout)
    shutil.copytree(examples / "make", folder / "make", copy_function=shutil.copyfile)
    subprocess.run(["chmod", "-R", "u+w", folder / "make"], check=True)
    done = run(["make", "FC=cufc"], folder / "make", usual)
    check("unpacked: make FC=cufc", done.returncode == 0, done.stdout)
    done = run(["./diffusion"], folder / "make", usual)
    check("unpacked: what make built", "PASS" in done.stdout, done.stdout)
    subprocess.run(["chmod", "-R", "u+w", prefix], check=True)


def try_extension(packages: Path, folder: Path) -> None:
    """The server in the .vsix; what the extension does in VS Code is tested by tests/editors/vscode."""
    found = sorted(packages.glob("cufls-linux-x64-*.vsix"))
    if not found:
        return skip("the extension: there is no .vsix")
    with zipfile.ZipFile(found[-1]) as archive:
        for member in archive.infolist():
            if member.filename.startswith("extension/server/"):
                path = Path(archive.extract(member, folder))
                path.chmod(0o755 if "/bin/" in member.filename else 0o644)
        manifest = json.loads(archive.read("extension/package.json"))
    check("extension: names its main file", "main" in manifest, manifest)
    server = folder / "extension/server/bin"
    usual = {"PATH": "/usr/bin:/bin", "HOME": str(folder / "home")}
    done = run([server / "cufls", "check", "p.cuf"], folder, {**usual, "PATH": str(folder / "none")})
    check("extension: its server checks a file", done.returncode == 0, done.stdout)
    done = run([server / "cufls", "run", "p.cuf"], folder, usual)
    check("extension: its server builds and runs", done.returncode == 0 and "PASS" in done.stdout, done.stdout)
    done = run([server / "cufc", "p.cuf", "-o", "q"], folder, usual)
    check("extension: its compiler", done.returncode == 0, done.stdout)


def can_mount(what: str) -> bool:
    if os.geteuid() == 0 and not run(["unshare", "--mount", "--pid", "--fork", "mount", "-t", "tmpfs", "none", "/mnt"], Path("/"),
                                     dict(os.environ)).returncode:
        return True
    skip(f"{what}: it needs root and mounts")
    return False


def minimal_root(root: Path, suite: str, what: str) -> bool:
    if not can_mount(what):
        return False
    if (root / MADE).exists():
        return True
    if not shutil.which("debootstrap"):
        skip(f"{what}: it needs debootstrap")
        return False
    shutil.rmtree(root, ignore_errors=True)
    done = subprocess.run(["debootstrap", "--variant=minbase", suite, root], stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        skip(f"{what}: debootstrap could not make one")
        shutil.rmtree(root, ignore_errors=True)
        return False
    (root / MADE).touch()
    return True


def enter(root: Path, folder: Path, files: "dict[str, str]", script: str, packages: Path) -> subprocess.CompletedProcess:
    """Runs the script in the root folder, changes to which are thrown away; /trial has the files, the archive and the .deb."""
    layers = folder / f"layers-{root.name}"
    for name in ("upper", "work", "merged"):
        (layers / name).mkdir(parents=True)
    merged, trial = layers / "merged", layers / "upper/trial"
    (trial / "archive").mkdir(parents=True)
    unpack(packages, trial / "archive")
    for name, text in {**files, "script": script}.items():
        (trial / name).write_text(text)
    shutil.copy(sorted(packages.glob("cufc_*_amd64.deb"))[-1], trial / "cufc.deb")
    mounts = (f"mount -t overlay overlay -o lowerdir={root},upperdir={layers}/upper,workdir={layers}/work {merged}"
              f" && mount -t proc proc {merged}/proc && mount --bind /dev {merged}/dev"
              f" && cp /etc/resolv.conf {merged}/etc/ && chroot {merged} sh /trial/script")
    return run(["unshare", "--mount", "--pid", "--fork", "sh", "-c", mounts], folder, dict(os.environ))


IN_ROOT = """set -eu
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
cd /trial
if command -v cc; then echo 'a compiler is there already' >&2; exit 1; fi
archive/cufc-*/bin/cufls check p.cuf
apt-get -qq -o APT::Update::Error-Mode=any update || exit 77
apt-get -qq -y install --no-install-recommends gcc libc6-dev >/trial/apt.log 2>&1
archive/cufc-*/bin/cufls doctor | grep -A1 'broken C++ library'
dpkg -i ./cufc.deb >/dev/null 2>&1 && { echo 'installed without what it depends on' >&2; exit 1; }
apt-get -qq -y -f install --no-install-recommends >/trial/apt.log 2>&1 || { tail /trial/apt.log >&2; exit 1; }
cufls doctor
cufc p.cuf -o p && ./p
cufls run /usr/share/cufc/examples/vector_add.cuf 2>/dev/null | tail -1 | grep -q PASS
test -s /usr/share/man/man1/cufc.1.gz
apt-get -qq -y purge cufc >>/trial/apt.log 2>&1
! command -v cufc
find /usr -name '*cufc*' -o -name 'cufls*' >/trial/left
test ! -s /trial/left || { cat /trial/left >&2; exit 1; }
echo REMOVED
"""


def try_debian(packages: Path, root: Path, folder: Path) -> None:
    what = "the .deb in a minimal Debian"
    if not minimal_root(root, "bookworm", what):
        return
    start = time.monotonic()
    done = enter(root, folder, {"p.cuf": PROGRAM}, IN_ROOT, packages)
    words = done.stdout
    if done.returncode == NO_ARCHIVE:
        return skip(f"{what}: Debian's archive cannot be reached")
    check("debian: a source is checked before anything is installed", "compiler is there already" not in words, words)
    check("debian: doctor asks for g++ where only gcc is", "-> Debian: apt install g++" in words, words)
    check("debian: apt brings what is needed", "installed without" not in words and "Programs can be built" in words, words)
    check("debian: a program is built and runs", "\nPASS" in words, words)
    check("debian: removal leaves nothing", done.returncode == 0 and "REMOVED" in words, words)
    print(f"       in a minimal Debian: {time.monotonic() - start:.0f} s")


OPENMP = """program threads
  use omp_lib
  integer :: n = 0
  real(2) :: h = 1.5
  !$omp parallel reduction(+:n)
  n = n + 1
  !$omp end parallel
  print '(a, i0, f4.1)', 'threads ', n, real(h * h)
end program threads
"""
IN_OLDER = """set -eu
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
cd /trial
ldd --version | head -1
apt-get -qq -o APT::Update::Error-Mode=any update || exit 77
apt-get -qq -y install --no-install-recommends g++ >/trial/apt.log 2>&1
PATH=$(echo /trial/archive/cufc-*/bin):$PATH
cufls doctor | tail -1
cufc p.cuf -o p && ./p
cufc -mp threads.f90 -o threads && OMP_NUM_THREADS=3 ./threads
mkdir project && cp p.cuf project && (cd project && touch .git && cufls build && cufls run)
for each in archive/cufc-*/share/cufc/examples/*.cuf; do
  cufc $each -o example && ./example >example.log 2>&1 || { echo "FAILED $each"; tail -5 example.log; }
done
echo EXAMPLES
"""


def try_older(packages: Path, root: Path, folder: Path) -> None:
    """As old as Debian's archive still has: RHEL 8 has glibc 2.28, whose symbols the package was made with (glibc/versions.py)."""
    what = "the archive in a minimal Debian 11"
    if not minimal_root(root, "bullseye", what):
        return
    done = enter(root, folder, {"p.cuf": PROGRAM, "threads.f90": OPENMP}, IN_OLDER, packages)
    words = done.stdout
    if done.returncode == NO_ARCHIVE:
        return skip(f"{what}: Debian's archive cannot be reached")
    check("glibc 2.31: it is that old", " 2.31" in words, words)
    check("glibc 2.31: programs can be built", "Programs can be built" in words and words.count("\nPASS") == 2, words)
    check("glibc 2.31: OpenMP and half precision", "threads 3 2.2" in words, words)
    check("glibc 2.31: all examples", done.returncode == 0 and "EXAMPLES" in words and "FAILED" not in words, words)


def try_image(packages: Path, folder: Path) -> None:
    what = "the image for containers"
    images = sorted(packages.glob("cufc-*-oci-*.tar"))
    if not images:
        return skip(f"{what}: there is none")
    if not can_mount(what):
        return
    root = folder / "image"
    done = run([sys.executable, REPOSITORY / "compiler/packages/oci.py", "unpack", images[-1], root], folder, dict(os.environ))
    check("image: unpacked", done.returncode == 0, done.stdout)
    (root / "work").mkdir(exist_ok=True)
    (root / "work/p.cuf").write_text(PROGRAM)
    inside = (f"mount -t proc proc {root}/proc && mount --bind /dev {root}/dev && exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "
              f"chroot {root} sh -c 'cd /work && cufls doctor | tail -1 && cufc p.cuf -o p && ./p && make --version | head -1'")
    done = run(["unshare", "--mount", "--pid", "--fork", "sh", "-c", inside], folder, dict(os.environ))
    check("image: a program is built and runs", done.returncode == 0 and "\nPASS" in done.stdout and "GNU Make" in done.stdout, done.stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packages", type=Path, default=REPOSITORY / "build/package")
    parser.add_argument("--root", type=Path, default=REPOSITORY / "build/package-test/root")
    arguments = parser.parse_args()
    arguments.root.parent.mkdir(parents=True, exist_ok=True)
    scratch = arguments.root.parent.resolve()
    with tempfile.TemporaryDirectory(dir=scratch, prefix="trial-") as name:
        folder = Path(name)
        prefix = unpack(arguments.packages, folder)
        try_bare(prefix, folder)
        try_unpacked(prefix, folder)
        try_extension(arguments.packages, folder)
        packages, root = arguments.packages.resolve(), arguments.root.resolve()
        try_debian(packages, root, folder)
        if is_taken("packages in Debian 11", 2):
            try_older(packages, root.with_name("root-of-debian-11"), folder)
        else:
            skip("glibc 2.31: CI tries it with every second commit")
        try_image(packages, folder)
    print(("PASS" if failures == 0 else f"{failures} failed") + (f", {len(skipped)} skipped" if skipped else ""))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
