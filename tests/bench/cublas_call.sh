#!/bin/bash
# What a call of cublasDgemm costs through module cublas_v2, against C, for 64x64 matrices. The two programs run in turns; prints
# the medians in nanoseconds and the median of the paired ratios cufc/C, which should be at most 1.02.
#
#   [CUFC=path] [NVCC=path] [ROUNDS=9] tests/bench/cublas_call.sh
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/compilers.sh"
rounds=${ROUNDS:-9}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && "$cufc" -O3 "$here/cublas_call.cuf" -o cufc && "$nvcc" -O3 "$here/cublas_call.c" -lcublas -o c)
for ((round = 0; round < rounds; ++round)); do
  echo "$("$work/c") $("$work/cufc")"
done | python3 -c '
import statistics, sys
pairs = [tuple(map(float, line.split())) for line in sys.stdin]
print("C    %10.1f ns" % statistics.median(c for c, _ in pairs))
print("cufc %10.1f ns" % statistics.median(f for _, f in pairs))
print("cufc/C   %6.3f" % statistics.median(f / c for c, f in pairs))'
