#!/bin/bash
# Kernels in Fortran beside twins in CUDA C++, with the same algorithms, launches and sizes: the time of
# both and nvcc's over ours, what both computed, and registers and local memory of each kernel.
#
#   [CUFC=path] [NVCC=path] [ARCH=90] [BUILT=folder] tests/bench/gpu/run.sh
#
# BUILT names a folder with programs that were built before (build only: BUILD_ONLY=1). Needs a GPU.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
arch=${ARCH:-90}
names=(grids threads blocks formulas solvers particles differences systems sampling physics fields transforms fluxes climate
  matter tables flows boxes waves)
work=${BUILT:-}
if [[ -z $work ]]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work"
if [[ ! -x $work/grids.cufc ]]; then
  source "$here/../compilers.sh" 2>/dev/null || { cufc=${CUFC:-cufc} nvcc=${NVCC:-nvcc}; }
  for name in "${names[@]}"; do
    sources=("$here/timing.f90" "$here/$name.cuf")
    [[ ! -e $here/${name}_program.cuf ]] || sources+=("$here/${name}_program.cuf")
    (cd "$work" && "$cufc" -O3 -gpu=cc"$arch" "${sources[@]}" -o "$name.cufc")
    "$nvcc" -O3 -arch=sm_"$arch" "$here/$name.cu" -o "$work/$name.nvcc"
  done
fi
[[ -z ${BUILD_ONLY:-} ]] || { trap - EXIT; echo "$work"; exit; }

for round in 1 2 3; do
  for name in "${names[@]}"; do
    for compiler in cufc nvcc; do "$work/$name.$compiler" | sed "s/^/$compiler /"; done
  done
done >"$work/lines"

python3 - "$work/lines" <<'PYTHON'
import math, sys

times, sums = {}, {}
for line in open(sys.argv[1]):
    compiler, kind, name, number = line.split()
    of = (times if kind == "TIME" else sums).setdefault(name, {})
    of[compiler] = min(of.get(compiler, math.inf), float(number))
print(f"{'kernel':<18}{'cufc us':>12}{'nvcc us':>12}{'nvcc/cufc':>12}")
ratios = []
for name, by in times.items():
    ratios.append(by["nvcc"] / by["cufc"])
    print(f"{name:<18}{by['cufc']:>12.2f}{by['nvcc']:>12.2f}{ratios[-1]:>12.3f}")
mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
print(f"{len(ratios)} kernels, geometric mean {mean:.3f}, {sum(r < 0.95 for r in ratios)} below 0.95")
wrong = [n for n, by in sums.items() if abs(by["cufc"] - by["nvcc"]) > 1e-5 * abs(by["nvcc"])]
print("results differ: " + ", ".join(wrong) if wrong else "results agree")
sys.exit(bool(wrong))
PYTHON

for name in "${names[@]}"; do
  for compiler in cufc nvcc; do
    echo "== $name.$compiler"
    cuobjdump -res-usage "$work/$name.$compiler" 2>/dev/null |
      sed -nE 's/^ *Function (.*):$/\1/p; s/^ *REG:([0-9]+) STACK:([0-9]+).*/   \1 registers, \2 bytes of stack/p' | paste - -
  done
done
