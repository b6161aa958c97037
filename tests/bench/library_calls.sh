#!/bin/bash
# What a call of a CUDA library costs through our module, against C: cublasDgemm for 64x64 matrices through cublas_v2, and cufftExecZ2Z for
# 4096 points through cufft. The two programs of each run in turns; prints the fastest and the median of the rounds in nanoseconds, and the
# ratio cufc/C of the fastest ones, which should be at most 1.02: what else runs on the processor makes some rounds slower by half.
#
#   [CUFC=path] [NVCC=path] [ROUNDS=15] tests/bench/library_calls.sh
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/compilers.sh"
rounds=${ROUNDS:-15}
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
c, cufc = zip(*pairs)
for name, times in (("C", c), ("cufc", cufc)):
    print(f"{sys.argv[1]:8} {name:5} fastest {min(times):10.1f} ns   median {statistics.median(times):10.1f} ns")
print(f"{sys.argv[1]:8} cufc/C {min(cufc) / min(c):6.3f}")' "$library"
done
