#!/usr/bin/env python3
"""Everything that can go wrong around the compiler and the server: a table of faults, each with what the user sees and what is lost. Nothing
may crash, hang, or be lost; messages say what the matter is.

Usage: faults.py [--all] [--only WORD] [--builds N] [--docs]    CUFC in the environment is the compiler. --all tries each fault in all its sizes (half an hour or
more); without it a sample of each. --docs writes the table into docs/faults.md, which must be as it is written.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import caches  # noqa: E402,F401
import disk  # noqa: E402,F401
import environment  # noqa: E402,F401
import sources  # noqa: E402,F401
import tools  # noqa: E402,F401
from place import FAULTS, CannotTry, Place  # noqa: E402

PAGE = Path(__file__).resolve().parent.parent.parent / "docs/faults.md"
HEAD = """# When something goes wrong

What `cufc` and `cufls` do when a disk is full, a tool hangs or a file is no file. Each row is tried by `tests/faults/faults.py`, a sample of
each in `./dev test` and all sizes, kinds and moments by `./dev faults`; this page is written by it.

| fault | what you see | what is lost |
|---|---|---|
"""


FOOT = """
## Measured

On 28 November 2026, on two cores and, where it says so, on a machine with 32 cores and two H200; the commands say it again.

| what | how often | wrong |
|---|---|---|
| builds killed by `kill -9`, half of them followed by a build that must be right (`./dev faults --only "kill -9" --builds 1000`) | 1,000 within 411 s | 0 |
| limits of 4 to 20, 24 and 32 descriptors, six commands each (`./dev faults --only "6 descriptors"`) | 114 | 0 |
| checks and diagnostics left out in turn (`./dev mutate`) | 125 within 14 s; 11 more cannot be | 0 not noticed |
| constructs of the guide [by place](places.md), on the CPU and on an H200 | 119,952 cells on each | 0 |
| random kernels beside host code and gfortran, 3,723 programs at -O0 and -O3, 1,199 of them at -O2 and with `-gpu=check` too (`tests/fuzz/programs.py`) | 11,163 kernels on the CPU | 0 |
| the same on an H200, at -O0, -O2, -O3 and with `-gpu=check` | 675 kernels of 224 programs | 0 |
"""


def page() -> str:
    return HEAD + "".join(f"| {fault.name} | {fault.sees} | {fault.lost} |\n" for fault in FAULTS) + FOOT


def in_own_mounts() -> None:
    """Starts again where file systems can be mounted that nobody else sees."""
    if "CUFLS_FAULTS_MOUNT" in os.environ:
        return
    command = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-r", "-m"]
    try:
        works = subprocess.run([*command, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0
    except OSError:
        works = False
    os.environ["CUFLS_FAULTS_MOUNT"] = "yes" if works else "no"
    if works:
        os.execvp(command[0], [*command, sys.executable, *sys.argv])


def attempt(fault, cufc: Path, whole: bool, builds: int) -> "str | None":
    """What is wrong, or nothing; CannotTry goes on to the caller."""
    with tempfile.TemporaryDirectory(prefix="faults-", ignore_cleanup_errors=True) as folder:
        try:
            fault.run(Place(Path(folder).resolve(), cufc, whole, builds))
        except CannotTry:
            raise
        except Exception as error:  # also a server that is gone, or does not answer
            return f"{type(error).__name__}: {error}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--docs", action="store_true")
    parser.add_argument("--builds", type=int, default=1000, help="how many are killed with --all")
    options = parser.parse_args()
    if options.docs:
        PAGE.write_text(page())
        return 0
    in_own_mounts()
    cufc = Path(os.path.abspath(shutil.which(os.environ.get("CUFC", "cufc")) or "cufc"))
    failed = 0
    if PAGE.exists() and PAGE.read_text() != page():
        print("docs/faults.md differs from the table: tests/faults/faults.py --docs")
        failed = 1
    for fault in FAULTS:
        if options.only not in fault.name or not (fault.quick or options.all or options.only):
            continue
        begin = time.monotonic()
        try:
            problem = attempt(fault, cufc, options.all, options.builds)
        except CannotTry as reason:
            print(f"skipped {fault.name}: {reason}", flush=True)
            continue
        failed += problem is not None
        print(f"{'FAILED ' if problem else 'ok     '} {fault.name} ({time.monotonic() - begin:.1f} s){': ' + problem if problem else ''}", flush=True)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
