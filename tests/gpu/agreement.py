#!/usr/bin/env python3
"""How far the CUDA libraries' results on the CPU are from those on a GPU, as a page of the documentation.

The programs of tests/run that call the libraries write what they got to the file that CUF_RESULTS names (tests/run/results.inc), each into
its own folder. `gather` puts these files together, `table` compares two such collections:

    CUF_RESULTS=results.txt tests/run_tests.py --devices host run/     and on a GPU with --devices gpu
    tests/gpu/agreement.py gather build > host.txt                     and > gpu.txt there
    tests/gpu/agreement.py table host.txt gpu.txt > docs/library-agreement.md

The difference of two results is the largest of their elements' differences, over the largest element. Exit status 1: one is more than the
tolerance, or a result of one device is not there on the other; a module whose library is not installed there is left out.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path

PROGRAMS = {
    "cublas_types": "cublas_v2",
    "cublas_half_grouped.cuf": "cublas_v2",
    "cublas_batched.cuf": "cublas_v2",
    "cublas_settings.cuf": "cublas_v2",
    "cublas_mixed_vectors.cuf": "cublas_v2",
    "cublas_typed_updates.cuf": "cublas_v2",
    "cublasxt_types": "cublasxt",
    "cufft_plans.cuf": "cufft",
    "cufft_extended.cuf": "cufftxt",
    "curand_sequences.cuf": "curand",
    "cusolver_types": "cusolverdn",
    "cusparse_types": "cusparse",
    "cusparse_older": "cusparse",
    "cutensor_operations.cuf": "cutensor_v2",
    "nccl_one_rank.cuf": "nccl",
}
# By module, in half, single and double precision.
TOLERANCES = {
    "cublas_v2": (1e-3, 1e-6, 1e-14),
    "cublasxt": (None, 1e-6, 1e-14),
    "cufft": (None, 1e-6, 1e-14),
    "cufftxt": (None, 1e-6, 1e-14),
    "curand": (None, 1e-6, 1e-14),
    "cusolverdn": (None, 1e-4, 1e-12),
    "cusparse": (None, 1e-6, 1e-14),
    "cutensor_v2": (None, 1e-6, 1e-14),
    "nccl": (None, 0.0, 0.0),
}
# Routines that may differ by more, since they are approximations with random numbers.
LOOSE = {"Xgesvdr": (None, 1e-3, 1e-12)}
COLUMNS = "HSDCZI"
PRECISION = {"H": 0, "S": 1, "C": 1, "D": 2, "Z": 2}
HEAD = """# Agreement of the CPU and the GPU

Programs call the routines of the CUDA libraries' modules on the CPU and on a GPU with the same numbers: here on x86-64 with Debian's OpenBLAS,
LAPACK and FFTW, and on an H100 with CUDA 13.0. The table has the largest difference of an element, over the largest element of the result, by the
type of the result: half (H), single (S), double (D), single complex (C) and double complex (Z) precision, and integers (I). Zero is equality of
all bits, which `curand` promises for the sequences of its generators.

Names are those of the C functions without library and type; the eigenvalues of complex matrices are real numbers. Eigenvectors and singular
vectors are not unique: the programs put each device's into their equation, and the values are compared here. `tests/gpu/agreement.py` makes this
page.
"""


def gather(build: Path) -> None:
    for program, module in PROGRAMS.items():
        found = build / "test-output/run" / program / "results.txt"
        if not found.exists():
            print(f"{found} is not there", file=sys.stderr)
            continue
        for line in found.read_text().splitlines():
            print(f"{module}|{line}")


def read(path: str) -> "dict[tuple, list[float]]":
    """By module, check, type, whether all bits must be equal, and how often the check came before: the numbers."""
    times: "dict[tuple, int]" = defaultdict(int)
    results = {}
    for line in Path(path).read_text().splitlines():
        module, check, letter, most, *numbers = line.split("|")
        key = (module, check.strip(), precise(letter, float(most)), float(most) == 0)
        times[key] += 1
        results[*key, times[key]] = [float(number) for number in numbers]
    return results


def precise(letter: str, most: float) -> str:
    """Numbers that a program widened before it compared them have the type that their tolerance says."""
    if letter in "DZ" and most > 1e-3:
        return "H"
    return {"D": "S", "Z": "C"}.get(letter, letter) if most > 5e-7 else letter


def routine(module: str, check: str) -> str:
    """The routine that a check is about, without library and type."""
    name = re.split(r", | to the device| on the device| of the device| by | with | of several| of complex| of half| backwards| forward| inverse| in place",
                    re.sub(r"^(vectors of|complex) ", "", check))[0]
    name = re.sub(r"^(cublas|cufft)(?=[A-Z])", "", name)
    return f"Exec{name.upper()}" if module == "cufft" else f"Generate, {name}" if name.startswith(("PSEUDO", "QUASI")) else name


def difference(ours: "list[float]", theirs: "list[float]") -> float:
    largest = max(map(abs, ours), default=0)
    most = max((abs(a - b) for a, b in zip(ours, theirs)), default=0)
    return most / largest if largest else most


def table(host: str, gpu: str) -> int:
    ours, theirs = read(host), read(gpu)
    both = {key[0] for key in ours} & {key[0] for key in theirs}
    wrong = [f"{key[0]} {key[1]} {key[2]}: on one device only" for key in sorted(ours.keys() ^ theirs.keys()) if key[0] in both]
    rows: "dict[str, dict[str, dict[str, float]]]" = defaultdict(lambda: defaultdict(dict))
    compared: "dict[str, int]" = defaultdict(int)
    for key in ours:
        if key not in theirs:
            continue
        module, check, letter, exact, _ = key
        if len(ours[key]) != len(theirs[key]):
            wrong.append(f"{module} {check}: {len(ours[key])} numbers and {len(theirs[key])}")
        found = difference(ours[key], theirs[key])
        name = routine(module, check)
        allowed = 0.0 if exact or letter not in PRECISION else LOOSE.get(name, TOLERANCES[module])[PRECISION[letter]]
        if not found <= allowed:
            wrong.append(f"{module} {check} {letter}: {found:.1e} where {allowed:.0e} is allowed")
        row = rows[module][name]
        row[letter] = max(found, row.get(letter, 0.0))
        compared[module] += len(ours[key])
    print(HEAD)
    for module, routines in rows.items():
        letters = [letter for letter in COLUMNS if any(letter in row for row in routines.values())]
        loose = "".join(f" Of {name}, which uses random numbers: {words_of(LOOSE[name])}." for name in routines if name in LOOSE)
        print(f"## {module}\n\nTolerance: {words_of(TOLERANCES[module])}.{loose} {compared[module]} numbers are compared.\n")
        print("| routine |" + "".join(f" {letter} |" for letter in letters) + "\n|---|" + "---|" * len(letters))
        for name, row in routines.items():
            print(f"| {name} |" + "".join(f" {shown(row.get(letter))} |" for letter in letters))
        print()
    print("\n".join(wrong), file=sys.stderr)
    return 1 if wrong else 0


def words_of(tolerances: tuple) -> str:
    words = [f"{tolerance:.0e} in {name} precision" for name, tolerance in zip(("half", "single", "double"), tolerances) if tolerance]
    return ", ".join(words) or "none"


def shown(value: "float | None") -> str:
    return "" if value is None else "0" if value == 0 else f"{value:.0e}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["gather"]:
        gather(Path(sys.argv[2]))
    else:
        sys.exit(table(*sys.argv[2:]))
