#!/usr/bin/env python3
"""Validates what `cufls check --format=sarif` and `cufc -fdiagnostics-format=sarif` write with the schema of SARIF 2.1.0.

The schema is no part of this tree: it comes with the package @microsoft/jest-sarif of the npm registry, which is kept
beside the build. Skipped (status 77) without npm, the registry, or Python's jsonschema; tests/formats/output_formats.py
has the same rules in our own words, for everywhere.

Usage: sarif_official.py [--cufc PATH]; CUFC in the environment is the default
"""

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "@microsoft/jest-sarif@1.0.0-beta.0"
MEMBER = "package/lib/schemas/sarif-2.1.0-rtm.5.json"
SKIPPED = 77
KERNEL = """module m
contains
  attributes(global) subroutine k(a)
    real :: a(*)
    integer, save :: kept{comment}
    open (10)
    a(1) = host(1)  ! äöü€
  end subroutine
  integer function host(i)
    integer, value :: i
    host = i
  end function
end module
"""


def skip(reason):
    print(reason)
    sys.exit(SKIPPED)


def schema(cache):
    path = cache / "sarif-2.1.0.json"
    if not path.exists():
        with tempfile.TemporaryDirectory() as folder:
            try:
                done = subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, capture_output=True, timeout=60,
                                      check=False)
            except (OSError, subprocess.TimeoutExpired) as error:
                skip(f"npm: {error}")
            archives = list(Path(folder).glob("*.tgz"))
            if done.returncode != 0 or not archives:
                skip(f"npm has no {PACKAGE}: {done.stderr.decode(errors='replace')[:200]}")
            with tarfile.open(fileobj=io.BytesIO(archives[0].read_bytes())) as archive:
                content = archive.extractfile(MEMBER).read()
        cache.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return json.loads(path.read_text(encoding="utf-8"))


def write_sources(folder):
    for name, text in (("plain.cuf", KERNEL.format(comment="")), ("dir ü/na me%#?+.cuf", KERNEL.format(comment="")),
                       ("allowed.cuf", KERNEL.format(comment=" ! cufls: allow CUF0250 because it is known")),
                       ("crlf.cuf", KERNEL.format(comment="").replace("\n", "\r\n")),
                       ("broken.cuf", "module b\n  x = (\n"), ("empty.cuf", ""),
                       ("unused.cuf", "subroutine s\n  integer :: unused\nend subroutine\n")):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    (folder / "b\udcff.cuf").write_bytes(b"subroutine s()\n  print *, '\xff\xe9', x\xe9y\n#\xff\nend subroutine s\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cufc", default=os.environ.get("CUFC", ROOT / "build/bin/cufc"))
    cufc = Path(parser.parse_args().cufc).resolve()
    cufls = cufc.parent / "cufls"
    try:
        import jsonschema
    except ImportError:
        skip("Python has no jsonschema")
    definition = schema(cufc.parent.parent / "sarif-schema")
    kind = jsonschema.validators.validator_for(definition)
    validator = kind(definition, format_checker=jsonschema.FormatChecker())
    failures, results = [], 0
    goldens = sorted((ROOT / "tests/diagnostics").glob("*.[cCf]*"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_sources(folder)
        for command in ([cufls, "check", "--format=sarif", *goldens], [cufls, "check", "--format=sarif"],
                        [cufls, "check", "--format=sarif", "nowhere.cuf"], [cufls, "check", "--format=sarif", "--frob"],
                        [cufls, "check", "--format=sarif", "empty.cuf"],
                        [cufls, "build", "--format=sarif", "nowhere"],
                        [cufc, "-fdiagnostics-format=sarif", "-c", "plain.cuf", "broken.cuf"],
                        [cufc, "-fdiagnostics-format=sarif", "--frob"]):
            done = subprocess.run(list(map(os.fspath, command)), cwd=folder, capture_output=True, timeout=300, check=False)
            log = json.loads((done.stderr if command[0] == cufc else done.stdout).decode("utf-8"))
            results += sum(len(run["results"]) for run in log["runs"])
            failures += [f"{[Path(c).name for c in command[:4]]}: {list(error.absolute_path)}: {error.message[:200]}"
                         for error in validator.iter_errors(log)][:10]
    if results < len(goldens):
        failures.append(f"{results} results only")
    print("\n".join(failures) or f"logs with {results} results are valid")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
