#!/usr/bin/env python3
"""What -gpu=check costs: five kernels of cpu/ on one thread of the CPU, with and without it, in turns; the best times and their ratio.

Usage: checks.py [--cufc PATH] [--rounds 3] [N M]     vectors of N elements, meshes of M by M (a multiple of 16); 100000 and 128
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
KERNELS = ["triad", "jacobi5", "transpose_tiled", "matmul_tiled", "sum_tree"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cufc", default=os.environ.get("CUFC", HERE.parents[1] / "build/bin/cufc"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("sizes", nargs="*", default=["100000", "128"])
    arguments = parser.parse_args()
    environment = {**os.environ, "CUF_DEVICE": "host", "CUF_HOST_THREADS": "1"}
    best: "dict[tuple[str, str], float]" = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = [HERE / "cpu/barrier_kernels.cuf", HERE / "cpu/kernels.cuf"]
        for kind, flags in (("plain", []), ("checked", ["-gpu=check"])):
            subprocess.run([arguments.cufc, "-O3", "-gpu=host", *flags, *sources, "-o", kind], cwd=folder, check=True)
        for _ in range(arguments.rounds):
            for kind in ("plain", "checked"):
                done = subprocess.run([folder / kind, *arguments.sizes, "2"], env=environment, capture_output=True, text=True, check=False)
                if done.returncode:
                    sys.exit(f"{kind}: {done.stderr}")
                for kernel, milliseconds in re.findall(r"RESULT (\w+) +([\d.]+)", done.stdout):
                    best[kernel, kind] = min(best.get((kernel, kind), float("inf")), float(milliseconds))
    print(f"{'kernel':<18}{'plain ms':>12}{'checked ms':>14}{'ratio':>10}")
    for kernel in KERNELS:
        plain, checked = best[kernel, "plain"], best[kernel, "checked"]
        print(f"{kernel:<18}{plain:>12.4f}{checked:>14.3f}{checked / plain:>10.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
