#!/bin/bash
# Speed of transfers and launches: builds transfers.cuf with cufc and transfers.cu with nvcc, runs them in turns
# and prints for each case the medians and the median of the paired ratios.
#
#   [CUFC=path] [NVCC=path] [ROUNDS=5] [ARCH=90] [SHRINK=N] [ONLY=cufc] tests/bench/transfers.sh
#
# Transfers: the time of nvcc's program over ours, which should be at least 0.98 (1: as fast, above: ours is
# faster). Launches: our time over nvcc's, which should be at most 1.10. SHRINK=N makes the large sizes N times
# smaller. ONLY=cufc runs no twin, for places without a GPU: it shows that the copies are right.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/compilers.sh"
rounds=${ROUNDS:-5}
arch=${ARCH:-90}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# -arch=native asks the GPU; without one nvcc warns and takes an old default.
nvcc_arch=-arch=sm_$arch
if [ -z "${ARCH:-}" ] && nvidia-smi -L >/dev/null 2>&1; then nvcc_arch=-arch=native; fi

(cd "$work" && "$cufc" -O3 -gpu=cc"$arch" "$here/transfers.cuf" -o cufc)
programs=(cufc)
if [ "${ONLY:-}" != cufc ]; then
  "$nvcc" -O3 "$nvcc_arch" "$here/transfers.cu" -o "$work/nvcc"
  programs=(cufc nvcc)
fi

# Runs one program and prints its RESULT lines; anything else is an error.
run_one() {
  local output
  output=$("$work/$1" ${SHRINK:-}) || { echo "transfers.$1 failed: $(grep -v '^RESULT' <<<"$output")" >&2; return 1; }
  grep '^RESULT ' <<<"$output" | sed "s/^RESULT /$1 /; s/= */=/g"
}

for ((round = 1; round <= rounds; ++round)); do
  # Alternate which goes first, so that a drift of the clock does not favour one.
  if ((round % 2)); then order=("${programs[@]}"); else order=($(printf '%s\n' "${programs[@]}" | tac)); fi
  for program in "${order[@]}"; do run_one "$program"; done
done >"$work/lines"

python3 - "$work/lines" <<'PYTHON'
import statistics, sys

data = {}  # case -> program -> [(bytes, microseconds)]
for line in open(sys.argv[1]):
    program, name, *fields = line.split()
    values = dict(field.split("=") for field in fields)
    data.setdefault(name, {}).setdefault(program, []).append((int(values["bytes"]), float(values["us"])))


def row(name, by):
    """The cells of a case and whether it reaches its goal, which is None without a twin."""
    size = by["cufc"][0][0]
    median = {program: statistics.median(us for _, us in runs) for program, runs in by.items()}
    speed = {program: size / us / 1e3 for program, us in median.items()}
    shown = {program: f"{speed[program]:.2f} GB/s" if size else f"{us:.2f} us" for program, us in median.items()}
    start = f"{name:<34}{size or '':>11}{shown.get('nvcc', '-'):>15}{shown['cufc']:>15}"
    if "nvcc" not in by:
        return start, None
    if {size for size, _ in by["nvcc"]} != {size}:
        sys.exit(f"{name}: the programs copy different amounts")
    ratios = sorted((n / c if size else c / n) for (_, c), (_, n) in zip(by["cufc"], by["nvcc"]))
    ratio = statistics.median(ratios)
    good = ratio >= 0.98 if size else ratio <= 1.10
    return f"{start}{ratio:>9.3f}{ratios[0]:>9.3f}..{ratios[-1]:.3f}{'' if good else '  misses'}", good


print(f"{'what':<34}{'bytes':>11}{'nvcc':>15}{'cufc':>15}{'ratio':>9}{'range':>14}")
goals = []
for name, by in data.items():
    if "cufc" not in by:
        sys.exit(f"{name}: only in transfers.cu")
    text, good = row(name, by)
    print(text)
    goals.append(good)
if None in goals and any(goal is not None for goal in goals):
    sys.exit("some cases are only in transfers.cuf")
if None not in goals:
    print(f"{sum(goals)} of {len(goals)} cases reach their goal (transfers 0.98, launches 1.10)")
PYTHON
