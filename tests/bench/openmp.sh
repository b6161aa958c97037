#!/bin/bash
# Speed of OpenMP loops on the host: builds openmp.f90 with cufc -mp -O3 and with gfortran -fopenmp -O3, runs
# them in turns and prints for each loop the median of the paired ratios gfortran/cufc (above 1: cufc is faster).
#
#   [CUFC=path] [GFORTRAN=path] [ROUNDS=7] [OMP_NUM_THREADS=N] tests/bench/openmp.sh
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cufc=${CUFC:-$here/../../build/bin/cufc}
rounds=${ROUNDS:-7}

(cd "$work" && "$cufc" -mp -O3 "$here/openmp.f90" -o loops.cufc)
(cd "$work" && "${GFORTRAN:-gfortran}" -fopenmp -O3 "$here/openmp.f90" -o loops.gfortran)
for ((round = 1; round <= rounds; ++round)); do
  # Alternate which goes first, so that a drift of the clock does not favour one.
  if ((round % 2)); then order=(cufc gfortran); else order=(gfortran cufc); fi
  for compiler in "${order[@]}"; do "$work/loops.$compiler" | sed "s/^/$compiler /"; done
done >"$work/lines"

python3 - "$work/lines" <<'PYTHON'
import statistics, sys

times, values = {}, set()
for line in open(sys.argv[1]):
    compiler, kind, *rest = line.split()
    if kind == "RESULT":
        times.setdefault(rest[0], {}).setdefault(compiler, []).append(float(rest[1]))
    elif kind == "VALUES":
        values.add((f"{float(rest[0]):.9e}", rest[1]))
print(f"{'loop':<12}{'cufc ms':>12}{'gfortran ms':>14}{'gfortran/cufc':>16}{'range':>18}")
for loop, by in times.items():
    ratios = sorted(g / c for c, g in zip(by["cufc"], by["gfortran"]))
    print(f"{loop:<12}{statistics.median(by['cufc']):>12.3f}{statistics.median(by['gfortran']):>14.3f}"
          f"{statistics.median(ratios):>16.3f}{ratios[0]:>10.3f}..{ratios[-1]:.3f}")
if len(values) != 1:
    sys.exit(f"the results differ: {sorted(values)}")
PYTHON
