#!/bin/bash
# What a call of a CUDA library costs through our module, against C: cublasDgemm for 64x64 matrices through cublas_v2, and cufftExecZ2Z for
# 4096 points through cufft. The two programs of each run in turns; prints the medians in nanoseconds and the median of the paired ratios
# cufc/C, which should be at most 1.02.
#
#   [CUFC=path] [NVCC=path] [ROUNDS=9] tests/bench/library_calls.sh
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/compilers.sh"
rounds=${ROUNDS:-9}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for library in cublas cufft; do
  "$cufc" -O3 "$here/${library}_call.cuf" -o "$library-cufc"
  "$nvcc" -O3 "$here/${library}_call.c" "-l$library" -o "$library-c"
  for ((round = 0; round < rounds; ++round)); do
    echo "$("./$library-c") $("./$library-cufc")"
  done | python3 -c '
import statistics, sys
pairs = [tuple(map(float, line.split())) for line in sys.stdin]
c, cufc = (statistics.median(column) for column in zip(*pairs))
ratio = statistics.median(f / c for c, f in pairs)
print(f"{sys.argv[1]:8} C {c:10.1f} ns   cufc {cufc:10.1f} ns   cufc/C {ratio:6.3f}")' "$library"
done
