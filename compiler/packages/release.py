#!/usr/bin/env python3
"""A release by one command: release.py VERSION [--draft] [--build DIR] [--kinds tar,deb,vsix,oci] [--again] [--fast] [--arch aarch64] [--out DIR]

1. The version goes into CMakeLists.txt and the extension's package.json, the day into CHANGELOG.md's section, and a commit is made.
2. The commit is exported and built in build/release, without the paths of this machine in what comes out.
3. All packages are made twice and compared bit by bit. --again builds a second time, in another folder and without ccache, and packs that.
4. Beside them: the source, the recipes for other package managers, NOTES.md (the section of the changelog), the bill of materials (SPDX), SHA256SUMS.
5. The commit gets the tag vVERSION. Nothing is sent anywhere.

--draft makes no commit and no tag, takes the state that is committed, and the version that stands in CMakeLists.txt. --build takes a build that
is there already, in drafts alone; --arch makes the packages of a release that has been made for another machine, in a folder of their own; documents and recipes are those of the commit all the same. A run that failed can be repeated: what is done already is passed over.
"""
from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ROOT / "compiler/packages"
CHANGELOG = "CHANGELOG.md"
UNRELEASED = "not released yet"


def fail(text: str) -> None:
    raise SystemExit(f"error: {text}")


def run(*command: "str | Path", **more: object) -> None:
    subprocess.run([str(word) for word in command], check=True, **more)  # type: ignore[call-overload]


def git(*words: str) -> str:
    return subprocess.run(["git", "-C", ROOT, *words], text=True, check=True, stdout=subprocess.PIPE).stdout.strip()


def section(changelog: str, version: str) -> "tuple[str, str]":
    """The heading of a version, and the text below it."""
    match = re.search(rf"^## {re.escape(version)}(?P<rest>.*)\n(?P<text>(?:(?!## ).*\n?)*)", changelog, re.MULTILINE)
    if not match or not match["text"].strip():
        fail(f"{CHANGELOG} has no section '## {version}' that says what changed for users")
    return match["rest"].strip(", "), match["text"].strip() + "\n"


def replace(name: str, pattern: str, text: str) -> None:
    file = ROOT / name
    changed, count = re.subn(pattern, text, file.read_text(), count=1, flags=re.MULTILINE)
    if count != 1:
        fail(f"{name}: found no place for the version")
    file.write_text(changed)


def prepare(version: str) -> None:
    """The commit of the release, unless it is there."""
    if git("tag", "--list", f"v{version}"):
        fail(f"the tag v{version} is there already")
    if git("status", "--porcelain", "--untracked-files=no"):
        fail("there are changes that are not committed")
    date, _ = section((ROOT / CHANGELOG).read_text(), version)
    replace("CMakeLists.txt", r"^(project\(.*VERSION )[\d.]+", rf"\g<1>{version}")
    replace("vscode-extension/package.json", r'^(  "version": ")[^"]+', rf"\g<1>{version}")
    if date == UNRELEASED:
        replace(CHANGELOG, rf"^## {re.escape(version)}.*$", f"## {version}, {datetime.date.today()}")
    if git("status", "--porcelain", "--untracked-files=no"):
        run("git", "-C", ROOT, "commit", "-qam", f"Release {version}")


def export(folder: Path) -> None:
    """What is committed. A build folder that is in it already is lost."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    archive = subprocess.run(["git", "-C", ROOT, "archive", "HEAD"], check=True, stdout=subprocess.PIPE).stdout
    run("tar", "-C", folder, "-x", input=archive)


def build_in(folder: Path, arch: str, environment: "dict[str, str]") -> Path:
    run("./dev", "build", *([f"--arch={arch}"] if arch else []), cwd=folder, env={**environment, "BUILD": "build", "CUFC_RELEASE": "ON"})
    build = folder / (f"build-{arch}" if arch else "build")
    if not arch:
        for program in sorted((build / "bin").iterdir()):
            run(sys.executable, ROOT / "tests/security/hardened.py", program, "--compiled")
    return build


def pack(source: Path, build: Path, out: Path, kinds: "list[str]", environment: "dict[str, str]") -> None:
    """By the exported source, so that nothing comes in which is not committed."""
    shutil.rmtree(out, ignore_errors=True)
    run(source / "compiler/packages/package.sh", build, out, *kinds, env=environment)
    (out / "vsix.log").unlink(missing_ok=True)


def pack_source(out: Path, version: str) -> None:
    name = f"cufc-{version}"
    archive = subprocess.run(["git", "-C", ROOT, "archive", f"--prefix={name}/", "HEAD"], check=True, stdout=subprocess.PIPE).stdout
    packed = subprocess.run(["xz", "-T4", "-6"], input=archive, check=True, stdout=subprocess.PIPE).stdout
    (out / f"{name}-source.tar.xz").write_bytes(packed)


def pack_recipes(out: Path, version: str, environment: "dict[str, str]") -> None:
    """Those for other package managers name the archive and its digest."""
    if not list(out.glob("cufc-*-linux-x86_64.tar.xz")):
        return
    name = f"cufc-{version}-recipes"
    run(sys.executable, PACKAGES / "recipes.py", out, version, out / name)
    run("tar", "-C", out, "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX",
        f"--mtime=@{environment['SOURCE_DATE_EPOCH']}", "-cJf", out / f"{name}.tar.xz", name)
    shutil.rmtree(out / name)


def write_sums(out: Path) -> None:
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}" for file in sorted(out.iterdir()) if file.name != "SHA256SUMS"]
    (out / "SHA256SUMS").write_text("\n".join(lines) + "\n")


def describe(build: Path, out: Path, version: str, environment: "dict[str, str]") -> None:
    """What stands beside the packages."""
    pack_source(out, version)
    pack_recipes(out, version, environment)
    (out / "NOTES.md").write_text(section((ROOT / CHANGELOG).read_text(), version)[1])
    bill = out / f"cufc-{version}.spdx.json"
    run(sys.executable, PACKAGES / "sbom.py", build, out, version, bill, env=environment)
    run(sys.executable, PACKAGES / "sbom.py", build, out, version, bill, "--verify", env=environment, stdout=subprocess.DEVNULL)
    for image in out.glob("*-oci-*.tar"):
        run(sys.executable, PACKAGES / "oci.py", "check", image)
    write_sums(out)


def compare(out: Path, again: Path) -> None:
    if subprocess.run([sys.executable, PACKAGES / "same_bits.py", out, again], check=False).returncode != 0:
        fail(f"{out} and {again} were made alike and differ")
    shutil.rmtree(again)


def current_version() -> str:
    return json.loads((ROOT / "vscode-extension/package.json").read_text())["version"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("--draft", action="store_true")
    parser.add_argument("--build", type=Path)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--arch", default="", choices=["aarch64"])
    parser.add_argument("--fast", action="store_true", help="larger packages, sooner; for drafts")
    parser.add_argument("--kinds", default="tar,deb,vsix,oci")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    version, kinds = arguments.version, arguments.kinds.split(",")
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        fail(f"'{version}' is not a version such as 0.2.0")
    if (arguments.draft or arguments.arch) and version != current_version():
        fail(f"a draft, and packages for another machine, have the version of the source, {current_version()}")
    if (arguments.build or arguments.fast) and not arguments.draft:
        fail("--build and --fast are for drafts: a release is built from its commit, and packed well")
    if not arguments.draft and not arguments.arch:
        prepare(version)
    section((ROOT / CHANGELOG).read_text(), version)
    folder = ROOT / "build/release"
    out = (arguments.out or folder / (f"{version}-{arguments.arch}" if arguments.arch else version)).resolve()
    environment = {**os.environ, "SOURCE_DATE_EPOCH": git("log", "-1", "--format=%ct")}
    source, elsewhere = folder / "source", folder / "source-of-another-build"
    for each in (source, elsewhere):
        export(each)
    if arguments.fast:
        environment["PACK_LEVEL"] = "1"
    build = arguments.build.resolve() if arguments.build else build_in(source, arguments.arch, environment)
    pack(source, build, out, kinds, environment)
    other, compared = build, "packed twice from one build"
    if arguments.again:
        other = build_in(elsewhere, arguments.arch, {**environment, "CCACHE_DISABLE": "1"})
        compared = "built twice, in two folders, and packed"
    again = out.with_name(out.name + "-again")
    pack(elsewhere, other, again, kinds, environment)
    compare(out, again)
    describe(build, out, version, environment)
    print(f"{out}: {compared}, equal bit by bit")
    if not arguments.draft and not arguments.arch:
        run("git", "-C", ROOT, "tag", "-a", f"v{version}", "-m", f"cufc {version}")
        print(f"tagged v{version}; `git push origin v{version}` and {out} are what is left to hand out")
    return 0


if __name__ == "__main__":
    sys.exit(main())
