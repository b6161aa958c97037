#!/usr/bin/env python3
"""The bill of materials of a release, as SPDX 2.3 in JSON: sbom.py BUILD FOLDER VERSION FILE [--verify]

FOLDER holds the artefacts, which are described with their digests; what is linked into them says components.py. --verify reads FILE
and compares it with the rules of SPDX that matter to readers, and with the artefacts.
"""
from __future__ import annotations

import datetime
import hashlib
import json
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import components  # noqa: E402

OWN_LICENCE = "Apache-2.0 WITH LLVM-exception"
ADDRESS = "https://github.com/cufls/cufc"
SUFFIXES = (".tar.xz", ".deb", ".vsix", ".tar")
REQUIRED = ("SPDXID", "name", "downloadLocation", "licenseConcluded", "licenseDeclared", "copyrightText")


def artefacts(folder: Path) -> "list[Path]":
    return sorted(file for file in folder.iterdir() if file.name.endswith(SUFFIXES))


def checksum(file: Path, name: str) -> str:
    return hashlib.new(name, file.read_bytes()).hexdigest()


def package(identity: str, name: str, version: str, address: str, licence: str, **more: object) -> dict:
    return {"SPDXID": f"SPDXRef-{identity}", "name": name, "versionInfo": version, "downloadLocation": address, "filesAnalyzed": False,
            "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}


def relation(one: str, kind: str, other: str) -> dict:
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


def bill(build: Path, folder: Path, version: str) -> dict:
    created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    own = package("cufc", "cufc", version, ADDRESS, OWN_LICENCE, supplier="Organization: cufc developers", primaryPackagePurpose="APPLICATION")
    packages, relations = [own], [relation("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-cufc")]
    for each in components.find_components(build):
        origin = ", ".join(f"{name} {number}" for name, number in sorted(each.found.items()))
        packages.append(package(each.id, each.name, each.version(), each.address, each.licence, sourceInfo=f"Debian packages {origin}",
                                **({"licenseComments": each.note} if each.note else {})))
        relations.append(relation("SPDXRef-cufc", "STATIC_LINK" if each.linked() else "DEPENDS_ON", f"SPDXRef-{each.id}"))
    for file in artefacts(folder):
        identity = "artefact-" + re.sub(r"[^A-Za-z0-9.-]", "-", file.name)
        packages.append(package(identity, file.name, version, "NOASSERTION", OWN_LICENCE, packageFileName=file.name,
                                checksums=[{"algorithm": "SHA256", "checksumValue": checksum(file, "sha256")}],
                                primaryPackagePurpose="CONTAINER" if "-oci-" in file.name else "ARCHIVE"))
        relations.append(relation(f"SPDXRef-{identity}", "CONTAINS", "SPDXRef-cufc"))
    digests = "".join(checksum(file, "sha256") for file in artefacts(folder)).encode()
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"cufc-{version}",
            "documentNamespace": f"{ADDRESS}/spdx/{version}-{hashlib.sha256(digests).hexdigest()[:16]}",
            "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Organization: cufc developers", "Tool: cufc-sbom"]},
            "packages": packages, "relationships": relations}


def faults(document: dict, folder: Path) -> "list[str]":
    found = []
    if document.get("spdxVersion") != "SPDX-2.3" or document.get("dataLicense") != "CC0-1.0" or not document.get("documentNamespace"):
        found.append("the head of an SPDX 2.3 document is not complete")
    identities = [each["SPDXID"] for each in document["packages"]]
    found += [f"{name} is there twice" for name in set(identities) if identities.count(name) > 1]
    found += [f"{name} is no identifier of SPDX" for name in identities if not re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", name)]
    for each in document["packages"]:
        found += [f"{each.get('name')}: no {key}" for key in REQUIRED if not each.get(key)]
    for each in document["relationships"]:
        for end in (each["spdxElementId"], each["relatedSpdxElement"]):
            if end not in (*identities, "SPDXRef-DOCUMENT"):
                found.append(f"a relationship names {end}, which is not there")
    said = {each["packageFileName"]: each["checksums"][0]["checksumValue"] for each in document["packages"] if "packageFileName" in each}
    there = {file.name: checksum(file, "sha256") for file in artefacts(folder)}
    found += [f"{name}: described otherwise than it is" for name in {*said, *there} if said.get(name) != there.get(name)]
    return found


def main() -> int:
    build, folder, version, file = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
    if "--verify" in sys.argv:
        found = faults(json.loads(file.read_text()), folder)
        print("\n".join(found) or "ok")
        return 1 if found else 0
    file.write_text(json.dumps(bill(build, folder, version), indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
