#!/usr/bin/env python3
"""Writes a ZIP file anew so that its bits depend on its files alone: zip_order.py FILE

Entries are sorted by name and have the time SOURCE_DATE_EPOCH, in UTC; owners and other system's fields are dropped.
"""
from __future__ import annotations

import os
import sys
import time
import zipfile
from pathlib import Path

EARLIEST = (1980, 1, 1, 0, 0, 0)  # of the format


def main() -> int:
    file = Path(sys.argv[1])
    moment = max(time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6], EARLIEST)
    fresh = file.with_suffix(".new")
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(fresh, "w") as new:
        for entry in sorted(old.infolist(), key=lambda each: each.filename):
            if entry.is_dir():
                continue
            written = zipfile.ZipInfo(entry.filename, moment)
            written.create_system = 3  # Unix
            written.external_attr = (0o755 if (entry.external_attr >> 16) & 0o100 else 0o644) << 16
            written.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(written, old.read(entry), compresslevel=9)
    fresh.replace(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
