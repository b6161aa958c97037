#!/usr/bin/env python3
"""The predicted bounds of `cufls occupancy` (memory, compute, latency) against what Nsight Compute measures, for the
kernels of the test programs and examples with a prediction. Needs a GPU and ncu.

Measured is `memory` or `compute`, whichever of ncu's throughputs is higher, if it reaches 50 % of its peak, otherwise
`latency`. Each kernel counts once, with its longest launch.

Usage: roofline.py [--cufc PATH] [--chip NAME] [SOURCE...]   by default tests/run/*.cuf and docs/examples/*.cuf
"""

import argparse
import csv
import io
import json
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MEMORY = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
COMPUTE = "sm__throughput.avg.pct_of_peak_sustained_elapsed"
TIME = "gpu__time_duration.sum"
ENOUGH = 50.0  # percent of the peak
LAUNCHES = 60  # of a program, at most


def predictions(cufc: Path, chip: str, source: Path) -> dict:
    command = [cufc.parent / "cufls", "occupancy", "--format=json", f"--gpu={chip}", source]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return {}
    kernels = json.loads(done.stdout)["kernels"]
    return {kernel["symbol"]: kernel["performance"]["bound"] for kernel in kernels if kernel.get("performance")}


def measured(cufc: Path, source: Path, folder: Path) -> dict:
    """For each kernel: duration in ns, memory and compute in percent, of the longest launch."""
    program = folder / source.stem
    if subprocess.run([cufc, "-O3", "-o", program, source], cwd=folder, capture_output=True).returncode != 0:
        return {}
    command = ["ncu", "--csv", "--metrics", f"{MEMORY},{COMPUTE},{TIME}", "--launch-count", str(LAUNCHES), program]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120,
                              env={**os.environ, "CUF_DEVICE": "gpu"})
    except subprocess.TimeoutExpired:
        return {}
    lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
    launches: dict = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines))):
        if row.get("Metric Name"):
            value = float(row["Metric Value"].replace(",", ""))
            if row["Metric Name"] == TIME:
                value *= {"us": 1e3, "usecond": 1e3, "ms": 1e6, "msecond": 1e6}.get(row["Metric Unit"], 1.0)
            launches.setdefault(row["ID"], {"kernel": row["Kernel Name"].split("(")[0]})[row["Metric Name"]] = value
    longest: dict = {}
    for launch in launches.values():
        if {MEMORY, COMPUTE, TIME} <= launch.keys():
            known = longest.get(launch["kernel"])
            if not known or launch[TIME] > known[TIME]:
                longest[launch["kernel"]] = launch
    return longest


def bound(launch: dict) -> str:
    if max(launch[MEMORY], launch[COMPUTE]) < ENOUGH:
        return "latency"
    return "memory" if launch[MEMORY] >= launch[COMPUTE] else "compute"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cufc", type=Path, default=ROOT / "bin/cufc")
    parser.add_argument("--chip", default="H200")
    parser.add_argument("sources", nargs="*", type=Path)
    arguments = parser.parse_args()
    cufc = arguments.cufc.resolve()
    sources = arguments.sources or sorted([*(ROOT / "tests/run").glob("*.cuf"), *(ROOT / "docs/examples").glob("*.cuf")])
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        predicted = dict(zip(sources, pool.map(lambda source: predictions(cufc, arguments.chip, source.resolve()), sources)))
    right = total = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            launches = measured(cufc, source.resolve(), Path(folder)) if predicted[source] else {}
            for kernel, expected in predicted[source].items():
                if kernel not in launches:
                    continue
                launch, found = launches[kernel], bound(launches[kernel])
                total += 1
                right += found == expected
                print(f"{source.name:34} {kernel:44} predicted {expected:8} measured {found:8} memory {launch[MEMORY]:5.1f} % "
                      f"compute {launch[COMPUTE]:5.1f} %  {launch[TIME] / 1e3:9.1f} us", flush=True)
    print(f"{right} of {total} kernels as predicted")


if __name__ == "__main__":
    main()
