#!/usr/bin/env python3
"""Images for containers in the OCI's layout, without a daemon.

oci.py make FILE --version V --architecture amd64 LAYER.tar...   a layout, packed as a tar, of these layers from the lowest up
oci.py check FILE                                                does it hold what it says? digests, sizes, types, layers
oci.py unpack FILE FOLDER                                        the files of the image, as a runtime would lay them out

A layout is a folder of blobs that are named after their SHA-256: compressed layers, the configuration (what runs, and the
digests of the layers' contents), a manifest that names both, and an index that names the manifest. `podman load`, `docker load` (25 and later)
and `skopeo copy oci-archive:FILE` read it.
"""
from __future__ import annotations

import argparse
import datetime
import gzip
import hashlib
import io
import json
import os
import shutil
import sys
import tarfile
from pathlib import Path

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
INDEX = "application/vnd.oci.image.index.v1+json"
ANNOTATIONS = "org.opencontainers.image."


def digest(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def to_json(value: object) -> bytes:
    return json.dumps(value, indent=1, sort_keys=True).encode() + b"\n"


class Layout:
    def __init__(self) -> None:
        self.blobs: "dict[str, bytes]" = {}

    def add(self, media_type: str, data: bytes, **more: object) -> dict:
        name = digest(data)
        self.blobs[name] = data
        return {"mediaType": media_type, "digest": name, "size": len(data), **more}

    def write(self, file: Path, index: bytes, time: int) -> None:
        entries = {"index.json": index, "oci-layout": to_json({"imageLayoutVersion": "1.0.0"})}
        entries |= {"blobs/" + name.replace(":", "/"): data for name, data in self.blobs.items()}
        with tarfile.open(file, "w", format=tarfile.GNU_FORMAT) as archive:
            for folder in ("blobs", "blobs/sha256"):
                archive.addfile(described(folder, time, tarfile.DIRTYPE, 0o755))
            for name, data in sorted(entries.items()):
                entry = described(name, time, tarfile.REGTYPE, 0o644)
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))


def described(name: str, time: int, kind: bytes, mode: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.mtime, entry.type, entry.mode = time, kind, mode
    return entry


def make(file: Path, version: str, architecture: str, layers: "list[Path]") -> None:
    time = int(os.environ["SOURCE_DATE_EPOCH"])
    created = datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    labels = {f"{ANNOTATIONS}{name}": value for name, value in (
        ("title", "cufc"), ("version", version), ("created", created), ("licenses", "Apache-2.0 WITH LLVM-exception"),
        ("description", "Compiler and language server for CUDA Fortran, on a small Debian with g++ and make"))}
    layout = Layout()
    contents = [layer.read_bytes() for layer in layers]
    descriptors = [layout.add(LAYER, gzip.compress(data, 6, mtime=0)) for data in contents]
    config = layout.add(CONFIG, to_json({
        "created": created, "architecture": architecture, "os": "linux",
        "config": {"Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"],
                   "Cmd": ["bash"], "WorkingDir": "/work", "Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": [digest(data) for data in contents]},
        "history": [{"created": created, "created_by": layer.name} for layer in layers]}))
    manifest = layout.add(MANIFEST, to_json({"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": descriptors,
                                             "annotations": labels}),
                          platform={"os": "linux", "architecture": architecture},
                          annotations={f"{ANNOTATIONS}ref.name": version})
    layout.write(file, to_json({"schemaVersion": 2, "mediaType": INDEX, "manifests": [manifest]}), time)


class Broken(Exception):
    """What the image says of itself is not so."""


class Image:
    def __init__(self, file: Path) -> None:
        self.archive = tarfile.open(file)
        self.names = set(self.archive.getnames())
        if json.loads(self.entry("oci-layout")).get("imageLayoutVersion") != "1.0.0":
            raise Broken("oci-layout: not version 1.0.0")

    def entry(self, name: str) -> bytes:
        if name not in self.names:
            raise Broken(f"{name}: is not there")
        stream = self.archive.extractfile(name)
        assert stream
        return stream.read()

    def blob(self, descriptor: dict, media_type: str) -> bytes:
        name = descriptor["digest"]
        if descriptor["mediaType"] != media_type:
            raise Broken(f"{name}: is called {descriptor['mediaType']}")
        data = self.entry("blobs/" + name.replace(":", "/"))
        if len(data) != descriptor["size"]:
            raise Broken(f"{name}: {len(data)} bytes, {descriptor['size']} are said")
        if digest(data) != name:
            raise Broken(f"{name}: the content has another digest")
        return data

    def layers(self) -> "list[bytes]":
        """Checks all that leads to them, and them."""
        index = json.loads(self.entry("index.json"))
        if index["schemaVersion"] != 2 or len(index["manifests"]) != 1:
            raise Broken("index.json: one manifest is expected")
        head = index["manifests"][0]
        manifest = json.loads(self.blob(head, MANIFEST))
        config = json.loads(self.blob(manifest["config"], CONFIG))
        if config["architecture"] != head["platform"]["architecture"] or config["os"] != "linux":
            raise Broken("index and configuration name different platforms")
        contents = [gzip.decompress(self.blob(each, LAYER)) for each in manifest["layers"]]
        if config["rootfs"]["diff_ids"] != [digest(data) for data in contents]:
            raise Broken("the configuration names other layers")
        named = {head["digest"], manifest["config"]["digest"], *(each["digest"] for each in manifest["layers"])}
        unnamed = {name for name in self.names if name.startswith("blobs/sha256/")} - {"blobs/" + name.replace(":", "/") for name in named}
        if unnamed:
            raise Broken(f"{sorted(unnamed)[0]}: nothing names it")
        return contents


def unpack(image: Image, folder: Path) -> None:
    folder.mkdir(parents=True)
    for data in image.layers():
        with tarfile.open(fileobj=io.BytesIO(data)) as layer:
            for entry in layer:
                base = os.path.basename(entry.name)
                if base.startswith(".wh."):
                    hidden = folder / os.path.dirname(entry.name) / base.removeprefix(".wh.")
                    shutil.rmtree(hidden) if hidden.is_dir() and not hidden.is_symlink() else hidden.unlink(missing_ok=True)
                    continue
                layer.extract(entry, folder, filter="fully_trusted") if hasattr(tarfile, "fully_trusted_filter") \
                    else layer.extract(entry, folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    making.add_argument("file", type=Path)
    making.add_argument("--version", required=True)
    making.add_argument("--architecture", required=True)
    making.add_argument("layers", type=Path, nargs="+")
    checking = commands.add_parser("check")
    checking.add_argument("file", type=Path)
    unpacking = commands.add_parser("unpack")
    unpacking.add_argument("file", type=Path)
    unpacking.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "make":
        make(arguments.file, arguments.version, arguments.architecture, arguments.layers)
        return 0
    try:
        image = Image(arguments.file)
        unpack(image, arguments.folder) if arguments.command == "unpack" else image.layers()
    except (Broken, KeyError, ValueError, EOFError, OSError, tarfile.TarError) as problem:
        print(f"{arguments.file}: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
