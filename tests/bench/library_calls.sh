#!/bin/bash
# What a call of a CUDA library costs through our modules, against C (library_calls.cuf). Prints the medians in nanoseconds of as many runs as
# ROUNDS says, and their ratio, which should be at most 1.02 (on an H100 with CUDA 13.0: 0.98 to 1.01 for cublasDgemm, 1.00 for cufftExecZ2Z).
#
#   [CUFC=path] [CC=cc] [ROUNDS=5] tests/bench/library_calls.sh
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/compilers.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"${CC:-cc}" -O3 -c "$here/library_calls.c" -o c.o
"$cufc" -O3 "$here/library_calls.cuf" c.o -o library_calls
for ((round = 0; round < ${ROUNDS:-5}; ++round)); do ./library_calls; done
