#!/bin/bash
# What the compiler's choice of a launch configuration costs: runs CUF kernels with <<<*,*>>> and with
# many configurations picked by hand, and prints for each loop the time of both, the best three by
# hand, and the ratio of our time over the best, which should be at most 1.03.
#
#   [CUFC=path] [ARCH=90] [SHRINK=N] tests/bench/cuf_kernels.sh
#
# Needs a GPU for numbers that mean something; CUF_DEVICE=host SHRINK=4096 shows that the program works.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/compilers.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(cd "$work" && "$cufc" -O3 -gpu=cc"${ARCH:-90}" "$here/cuf_kernels.cuf" -o cuf_kernels)
"$work/cuf_kernels" ${SHRINK:-} >"$work/lines" || { grep -v '^RESULT' "$work/lines"; exit 1; }

python3 - "$work/lines" <<'PYTHON'
import statistics, sys

samples = {}  # case -> configuration -> [microseconds]
for line in open(sys.argv[1]):
    if line.startswith("RESULT "):
        _, case, configuration, time = line.split()
        samples.setdefault(case, {}).setdefault(configuration, []).append(float(time))
print(f"{'loop':<12}{'<<<*,*>>> us':>14}{'by hand us':>12}{'ratio':>8}  best by hand (grid/block)")
reached = 0
for case, by in samples.items():
    median = {configuration: statistics.median(times) for configuration, times in by.items()}
    ours = median.pop("*")
    best = sorted(median, key=median.get)[:3]
    ratio = ours / median[best[0]]
    reached += ratio <= 1.03
    shown = "  ".join(f"{c} {median[c]:.1f}" for c in best)
    print(f"{case:<12}{ours:>14.2f}{median[best[0]]:>12.2f}{ratio:>8.3f}  {shown}{'' if ratio <= 1.03 else '  misses'}")
print(f"{reached} of {len(samples)} loops reach the goal (1.03)")
PYTHON
