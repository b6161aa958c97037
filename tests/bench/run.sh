#!/bin/bash
# Speed of generated code: builds each benchmark with cufc and its CUDA C twin with nvcc, runs them in turns
# and prints the median of the paired ratios nvcc/cufc (above 1: cufc's code is faster).
#
#   [CUFC=path] [NVCC=path] [ROUNDS=7] [ARCH=90] [SIZE_vadd=N SIZE_transpose=N SIZE_matmul=N] tests/bench/run.sh [name...]
#
# Needs a GPU for numbers that mean something; with CUF_DEVICE=host and small sizes it shows that the programs work.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/compilers.sh"
rounds=${ROUNDS:-7}
arch=${ARCH:-90}
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(vadd transpose matmul)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# -arch=native asks the GPU; without one nvcc warns and takes an old default.
nvcc_arch=-arch=sm_$arch
if [ -z "${ARCH:-}" ] && nvidia-smi -L >/dev/null 2>&1; then nvcc_arch=-arch=native; fi

for name in "${names[@]}"; do
  (cd "$work" && "$cufc" -O3 -gpu=cc"$arch" "$here/$name.cuf" -o "$name.cufc")
  "$nvcc" -O3 "$nvcc_arch" "$here/$name.cu" -o "$work/$name.nvcc"
done

# Runs one program and prints its RESULT line; anything else is an error.
run_one() {
  local size_variable=SIZE_$1 output
  output=$("$work/$1.$2" ${!size_variable:-}) || { echo "$1.$2 failed: $output" >&2; return 1; }
  grep '^RESULT ' <<<"$output" | sed "s/^RESULT /$2 /; s/= */=/g"
}

for name in "${names[@]}"; do
  for ((round = 1; round <= rounds; ++round)); do
    # Alternate which goes first, so that a drift of the clock does not favour one.
    if ((round % 2)); then order=(cufc nvcc); else order=(nvcc cufc); fi
    for compiler in "${order[@]}"; do run_one "$name" "$compiler"; done
  done
done | tee "$work/lines" >/dev/null

python3 - "$work/lines" <<'PYTHON'
import re, statistics, sys

data = {}
for line in open(sys.argv[1]):
    compiler, name, *fields = line.split()
    values = dict(re.match(r"(\w+)=(.*)", field).groups() for field in fields)
    data.setdefault(name, {}).setdefault(compiler, []).append({k: float(v) for k, v in values.items()})
print(f"{'benchmark':<12}{'cufc ms':>12}{'nvcc ms':>12}{'cufc GB/s':>12}{'nvcc GB/s':>12}{'nvcc/cufc':>12}{'range':>18}")
for name, by in data.items():
    pairs = list(zip(by["cufc"], by["nvcc"]))
    ratios = sorted(n["ms"] / c["ms"] for c, n in pairs)
    median = {c: {k: statistics.median(run[k] for run in runs) for k in ("ms", "gbs")} for c, runs in by.items()}
    print(f"{name:<12}{median['cufc']['ms']:>12.4f}{median['nvcc']['ms']:>12.4f}{median['cufc']['gbs']:>12.1f}"
          f"{median['nvcc']['gbs']:>12.1f}{statistics.median(ratios):>12.3f}{ratios[0]:>10.3f}..{ratios[-1]:.3f}")
PYTHON
