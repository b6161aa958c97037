#!/usr/bin/env python3
"""What `cufls occupancy` says, against the driver of the GPU in this machine, for the kernels of the test programs.

Loads the machine code that cufc makes of each source and compares registers, static shared and local memory with
cuFuncGetAttribute (what cudaFuncGetAttributes asks), and the active blocks of block sizes 32 to 1024 with
cuOccupancyMaxActiveBlocksPerMultiprocessor. Needs a GPU, a driver and ptxas; neither nvcc nor other Python packages.

Usage: occupancy.py [--cufc PATH] [SOURCE...]     by default tests/run/*.cuf and docs/examples/*.cuf
"""

import argparse
import ctypes
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED, LOCAL, REGISTERS, MOST_DYNAMIC = 1, 3, 4, 8  # CUfunction_attribute
PLAIN_SHARED = 48 << 10  # bytes of a block that need not be asked for
MAJOR, MINOR = 75, 76  # CUdevice_attribute


class Driver:
    """Functions of libcuda, whose errors are exceptions."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        self.device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(self.device), 0)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status != 0:
            raise RuntimeError(f"{name}: CUDA error {status}")

    def gpu(self):
        values = [ctypes.c_int() for _ in range(2)]
        for value, which in zip(values, (MAJOR, MINOR)):
            self.call("cuDeviceGetAttribute", ctypes.byref(value), which, self.device)
        return f"cc{values[0].value}{values[1].value}"

    def load(self, image):
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), image)
        return module

    def function(self, module, symbol):
        found = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(found), module, symbol.encode())
        return found

    def attribute(self, function, which):
        value = ctypes.c_int()
        self.call("cuFuncGetAttribute", ctypes.byref(value), which, function)
        return value.value

    def active_blocks(self, function, size, dynamic):
        blocks = ctypes.c_int()
        self.call("cuOccupancyMaxActiveBlocksPerMultiprocessor", ctypes.byref(blocks), function, size,
                  ctypes.c_size_t(dynamic))
        return blocks.value


def measured(cufc, source, gpu, folder):
    """What cufls says of a source's kernels, and their machine code; None where it has none or needs other files."""
    cufls = cufc.with_name("cufls")
    said = subprocess.run([cufls, "occupancy", "--format=json", f"--gpu={gpu}", source], text=True, capture_output=True, check=False)
    if said.returncode != 0:
        return None
    kernels = [each for each in json.loads(said.stdout)["kernels"] if "problem" not in each]
    cubin = folder / f"{source.stem}.cubin"
    made = subprocess.run([cufc, "--emit=cubin", f"-gpu={gpu}", source, "-o", cubin], text=True, capture_output=True, check=False)
    return (kernels, cubin.read_bytes()) if made.returncode == 0 and kernels else None


def compare(driver, source, kernels, image):
    """(comparisons, differences) of one source."""
    module = driver.load(image)
    compared, different = 0, []

    def equal(kernel, what, ours, theirs):
        nonlocal compared
        compared += 1
        if ours != theirs:
            different.append(f"{source.name}: {kernel['name']}: {what}: {ours}, the driver says {theirs}")

    for kernel in kernels:
        function = driver.function(module, kernel["symbol"])
        for field, which in (("registers", REGISTERS), ("sharedBytes", SHARED), ("localBytes", LOCAL)):
            equal(kernel, field, kernel[field], driver.attribute(function, which))
        dynamic = kernel["dynamicSharedBytes"]
        if kernel["sharedBytes"] + dynamic > PLAIN_SHARED:
            driver.call("cuFuncSetAttribute", function, MOST_DYNAMIC, dynamic)
        for point in kernel["curves"]["blockSize"]:
            equal(kernel, f"active blocks of {point['x']} threads", point["activeBlocksPerSM"],
                  driver.active_blocks(function, point["x"], dynamic))
    driver.call("cuModuleUnload", module)
    return compared, different


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cufc", type=Path, default=ROOT / "build/bin/cufc")
    parser.add_argument("sources", nargs="*", type=Path)
    options = parser.parse_args()
    sources = options.sources or sorted([*(ROOT / "tests/run").glob("*.cuf"), *(ROOT / "docs/examples").glob("*.cuf")])
    try:
        driver = Driver()
    except (OSError, RuntimeError) as error:
        print(f"skipped: there is no GPU that can be used ({error})")
        return 77
    gpu = driver.gpu()
    kernels = comparisons = 0
    differences = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(cpu_count()) as pool:
        results = pool.map(lambda source: measured(options.cufc.resolve(), source.resolve(), gpu, Path(folder)), sources)
        for source, result in zip(sources, results):
            if result:
                compared, different = compare(driver, source, *result)
                kernels += len(result[0])
                comparisons += compared
                differences += different
    print("\n".join(differences[:40]))
    print(f"{gpu}: {kernels} kernels, {comparisons} numbers compared, {len(differences)} differ")
    return 1 if differences or not kernels else 0


if __name__ == "__main__":
    sys.exit(main())
