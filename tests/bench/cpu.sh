#!/bin/bash
# Speed of kernels on the CPU: builds cpu/*.cuf with cufc and their OpenMP twins with gfortran, runs them in
# turns and prints for each kernel the ratio of the best times gfortran/cufc (above 1: cufc is faster).
#
#   [CUFC=path] [GFORTRAN=path] [ROUNDS=3] [THREADS=N] [FLAGS=...] tests/bench/cpu.sh [n m repetitions]
#
# n is the length of vectors, m the side of meshes (a multiple of 16); `tests/bench/cpu.sh 20000 64 2` is a short run.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cufc=${CUFC:-$here/../../build/bin/cufc}
export CUF_DEVICE=host CUF_HOST_THREADS=${THREADS:-$(nproc)} OMP_NUM_THREADS=${THREADS:-$(nproc)}

cd "$work"
ulimit -s unlimited # private arrays of the twins
"$cufc" -O3 ${FLAGS:-} -gpu=host "$here/cpu/barrier_kernels.cuf" "$here/cpu/kernels.cuf" -o kernels.cufc
programs=(kernels blocks fluids particles batched warps images meshes weather continua molecules signals chips searches multigrids sweeps games studies surveys)
for program in "${programs[@]:1}"; do
  sources=("$here/cpu/timing.f90" "$here/cpu/$program.cuf")
  [[ ! -e $here/cpu/${program}_program.cuf ]] || sources+=("$here/cpu/${program}_program.cuf")
  "$cufc" -O3 ${FLAGS:-} -gpu=host "${sources[@]}" -o "$program.cufc"
done
twin=("${GFORTRAN:-gfortran}" -O3 -march=native -fopenmp)
"${twin[@]}" "$here/cpu/timing.f90" "$here/cpu/twins.f90" -o kernels.gfortran
for program in "${programs[@]:1}"; do
  "${twin[@]}" "$here/cpu/timing.f90" "$here/cpu/${program}_twins.f90" -o "$program.gfortran"
done
for ((round = 1; round <= ${ROUNDS:-3}; ++round)); do
  for program in "${programs[@]}"; do
    for compiler in cufc gfortran; do
      ./$program.$compiler "$@" 2>errors | sed "s/^ */$compiler /" || { cat errors >&2; exit 1; }
    done
  done
done >lines

python3 - lines <<'PYTHON'
import math, sys

best, values = {}, {}
for line in open(sys.argv[1]):
    compiler, kind, name, milliseconds, value = line.split()
    times = best.setdefault(name, {})
    times[compiler] = min(times.get(compiler, math.inf), float(milliseconds))
    values.setdefault(name, {})[compiler] = float(value)
wrong = []
print(f"{'kernel':<18}{'cufc ms':>12}{'gfortran ms':>14}{'gfortran/cufc':>16}")
for name, times in best.items():
    print(f"{name:<18}{times['cufc']:>12.4f}{times['gfortran']:>14.4f}{times['gfortran'] / times['cufc']:>16.3f}")
    ours, twin = values[name]["cufc"], values[name]["gfortran"]
    if abs(ours - twin) > 1e-5 * max(1, abs(twin)) and "forces" not in name:  # single precision, another order
        wrong.append(name)
ratios = [times["gfortran"] / times["cufc"] for times in best.values()]
print(f"geometric mean of {len(ratios)}: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.3f}")
if wrong:
    sys.exit("results differ: " + ", ".join(wrong))
PYTHON
