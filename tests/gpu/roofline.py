#!/usr/bin/env python3
"""The predicted bounds of `cufls occupancy` (memory, compute, latency) against what Nsight Compute measures: by default
for the kernels with large arrays of tests/gpu/roofline/. Needs a GPU and ncu.

Measured is `memory` or `compute`, whichever of ncu's throughputs is higher, if it reaches 50 % of its peak, otherwise
`latency`. Each kernel counts once, with its longest launch. Kernels of which nothing is predicted are listed and not
counted, nor are those whose grid is not constant. Times, registers and occupancy stand beside it.

Usage: roofline.py [--cufc PATH] [--chip NAME] [--all] [SOURCE...]   --all: the test programs and examples, too
"""

import argparse
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MEMORY = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
COMPUTE = "sm__throughput.avg.pct_of_peak_sustained_elapsed"
TIME = "gpu__time_duration.sum"
DRAM = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"
OCCUPANCY = "sm__warps_active.avg.pct_of_peak_sustained_active"
REGISTERS = "launch__registers_per_thread"
METRICS = [MEMORY, COMPUTE, TIME, DRAM, OCCUPANCY, REGISTERS]
ENOUGH = 50.0  # percent of the peak
LAUNCHES = 60  # of a program, at most


def predictions(cufc: Path, chip: str, source: Path) -> dict:
    """Of each kernel by its symbol: what `cufls occupancy` says."""
    command = [cufc.parent / "cufls", "occupancy", "--format=json", f"--gpu={chip}", source, "--", "-O3"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{source.name}: cufls occupancy failed: {done.stderr.strip()[:300]}")
        return {}
    return {kernel["symbol"]: kernel for kernel in json.loads(done.stdout)["kernels"]}


def bound_of(kernel: dict) -> str:
    return (kernel.get("performance") or {}).get("bound", "unknown")


def measured(cufc: Path, source: Path, folder: Path) -> dict:
    """For each kernel: duration in ns, memory and compute in percent, of the longest launch."""
    program = folder / source.stem
    if subprocess.run([cufc, "-O3", "-o", program, source], cwd=folder, capture_output=True).returncode != 0:
        print(f"{source.name}: does not compile")
        return {}
    command = ["ncu", "--csv", "--metrics", ",".join(METRICS), "--launch-count", str(LAUNCHES), program]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240,
                              env={**os.environ, "CUF_DEVICE": "gpu"})
    except subprocess.TimeoutExpired:
        print(f"{source.name}: not done in 240 s")
        return {}
    except FileNotFoundError:
        sys.exit("ncu is not installed")
    if done.returncode != 0 or "FAIL" in done.stdout:
        print(f"{source.name}: {(done.stdout + done.stderr).strip()[-400:]}")
    lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
    launches: dict = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines))):
        if row.get("Metric Name"):
            try:
                value = float(row["Metric Value"].replace(",", ""))
            except ValueError:
                continue
            if row["Metric Name"] == TIME:
                value *= {"us": 1e3, "usecond": 1e3, "ms": 1e6, "msecond": 1e6}.get(row["Metric Unit"], 1.0)
            launches.setdefault(row["ID"], {"kernel": row["Kernel Name"].split("(")[0]})[row["Metric Name"]] = value
    longest: dict = {}
    for launch in launches.values():
        if {MEMORY, COMPUTE, TIME} <= launch.keys():  # other metrics may be called otherwise by another version
            known = longest.get(launch["kernel"])
            if not known or launch[TIME] > known[TIME]:
                longest[launch["kernel"]] = launch
    return longest


def bound(launch: dict) -> str:
    if max(launch[MEMORY], launch[COMPUTE]) < ENOUGH:
        return "latency"
    return "memory" if launch[MEMORY] >= launch[COMPUTE] else "compute"


def report(name: str, kernel: dict, launch: dict) -> bool:
    """One line; whether the bound is as predicted."""
    expected, found = bound_of(kernel), bound(launch)
    verdict = "not predicted" if expected == "unknown" else "right" if expected == found else "WRONG"
    print(f"{name:24} {kernel['name']:36} predicted {expected:8} measured {found:8} {verdict:13} memory {launch[MEMORY]:5.1f} % "
          f"(DRAM {launch.get(DRAM, 0):5.1f} %) compute {launch[COMPUTE]:5.1f} % warps {launch.get(OCCUPANCY, 0):5.1f} % "
          f"of {100 * kernel['occupancy']:5.1f} % registers {launch.get(REGISTERS, 0):.0f}/{kernel['registers']} "
          f"{launch[TIME] / 1e3:9.1f} us", flush=True)
    return expected == found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cufc", type=Path, default=ROOT / "bin/cufc")
    parser.add_argument("--chip", default="H200")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("sources", nargs="*", type=Path)
    arguments = parser.parse_args()
    cufc = arguments.cufc.resolve()
    folders = ["tests/gpu/roofline", *(["tests/run", "docs/examples"] if arguments.all else [])]
    sources = arguments.sources or [path for folder in folders for path in sorted((ROOT / folder).glob("*.cuf"))]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        predicted = dict(zip(sources, pool.map(lambda source: predictions(cufc, arguments.chip, source.resolve()), sources)))
    right = total = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            known = {symbol: kernel for symbol, kernel in predicted[source].items() if "problem" not in kernel}
            if all(bound_of(kernel) == "unknown" for kernel in known.values()):
                continue
            launches = measured(cufc, source.resolve(), Path(folder))
            for symbol, kernel in known.items():
                if symbol not in launches:
                    print(f"{source.name:24} {kernel['name']:36} predicted {bound_of(kernel):8} not measured")
                    continue
                total += bound_of(kernel) != "unknown"
                right += report(source.name, kernel, launches[symbol])
    print(f"{right} of {total} kernels as predicted")


if __name__ == "__main__":
    main()
