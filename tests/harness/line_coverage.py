#!/usr/bin/env python3
"""How many lines of the compiler and of the language server ran in tests of a build with CUFC_COVERAGE: a table by folder.

Usage: line_coverage.py BUILD LLVM_BIN    profiles are in BUILD/profiles; called by ./dev coverage
"""

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    build, tools = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    profiles = sorted((build / "profiles").glob("*.profraw"))
    if not profiles:
        sys.exit(f"error: no profiles in {build / 'profiles'}")
    merged = build / "coverage.profdata"
    subprocess.run([tools / "llvm-profdata", "merge", "-o", merged, *profiles], check=True)
    programs = [build / "bin/cufc", *sorted((build / "tests/unit").glob("test_*"))]
    objects = [word for program in programs[1:] if program.is_file() for word in ("-object", program)]
    done = subprocess.run([tools / "llvm-cov", "export", "-summary-only", f"-instr-profile={merged}", programs[0], *objects],
                          check=True, capture_output=True, text=True)
    lines, ran = defaultdict(int), defaultdict(int)
    for file in json.loads(done.stdout)["data"][0]["files"]:
        path = Path(file["filename"])
        if ROOT not in path.parents or path.relative_to(ROOT).parts[0] not in ("compiler", "lsp"):
            continue
        folder = "/".join(path.relative_to(ROOT).parts[:2])
        for key in (folder, "all"):
            lines[key] += file["summary"]["lines"]["count"]
            ran[key] += file["summary"]["lines"]["covered"]
    print("| folder | lines | that ran |\n|---|---|---|")
    for key in sorted((key for key in lines if lines[key]), key=lambda key: (key == "all", key)):
        print(f"| {key} | {lines[key]:,} | {100 * ran[key] / lines[key]:.1f} % |")


if __name__ == "__main__":
    main()
