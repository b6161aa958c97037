"""What CI looks at of long lists: one part, another with each commit, so that all is looked at in time.

Whoever runs `./dev test` sees everything; CI starts on a fresh clone, and has an end.
"""

from __future__ import annotations

import functools
import hashlib
import os
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@functools.lru_cache(None)
def commit() -> str:
    """The commit that is checked out, or nothing where there is no git."""
    done = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def in_ci() -> bool:
    return bool(os.environ.get("CI"))


def least(count: int, parts: int) -> int:
    """How many there are at least of what is that many without CI: four fifths of a part, since parts are not of one size."""
    return count * 4 // (parts * 5) if in_ci() else count


def place(name: str) -> int:
    """A number for it that is another with each commit."""
    return int.from_bytes(hashlib.sha256(f"{commit()} {name}".encode()).digest()[:4], "big")


def is_taken(name: str, parts: int) -> bool:
    """Whether CI takes it, where one of so many parts is enough; without CI all are taken."""
    return not in_ci() or place(name) % parts == 0


def time_is_up() -> bool:
    """Whether nothing more may begin: TESTS_END, in seconds since 1970, is when; `.ci/run` sets it."""
    return time.time() >= float(os.environ.get("TESTS_END") or "inf")
