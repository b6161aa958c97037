#!/bin/bash
# Messages between the devices of two ranks: mpi_bandwidth.cuf, whose device buffers the MPI layer stages, against its
# twin in C with pinned staging by hand, run in turns. Prints for each case the medians and the median of the paired
# ratios C/cufc, which should be at least 0.95 (above 1: ours is faster).
#
#   [CUFC=path] [MPI=openmpi] [MPIRUN=mpirun] [MPICC=mpicc] [ROUNDS=5] [ONLY=cufc] tests/bench/mpi_bandwidth.sh
#
# Needs a GPU for numbers that mean something; with CUF_DEVICE=host CUF_MPI_BUFFERS=staged ONLY=cufc it shows that the
# program works.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/compilers.sh"
rounds=${ROUNDS:-5}
mpi=${MPI:-openmpi}
if [[ -z ${MPIRUN:-} ]]; then
  case $mpi in
    openmpi) MPIRUN=$(command -v mpirun.openmpi || echo mpirun) ;;
    *) MPIRUN=$(command -v mpiexec.mpich || echo mpiexec) ;;
  esac
fi
if [[ -z ${MPICC:-} ]]; then MPICC=$(command -v "mpicc.$mpi" || echo mpicc); fi
options=()
if [[ $mpi == openmpi ]]; then
  options=(--oversubscribe)
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(cd "$work" && "$cufc" -O3 -Mmpi="$mpi" "$here/mpi_bandwidth.cuf" -o cufc)
programs=(cufc)
if [[ ${ONLY:-} != cufc ]]; then
  toolkit=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
  libraries=$toolkit/lib64
  [[ -d $libraries ]] || libraries=$toolkit/targets/x86_64-linux/lib
  includes=$toolkit/include
  [[ -d $includes ]] || includes=$toolkit/targets/x86_64-linux/include
  "$MPICC" -O3 -I"$includes" "$here/mpi_bandwidth.c" -o "$work/c" -L"$libraries" -lcudart_static -ldl -lrt -lpthread
  programs=(cufc c)
fi

# Runs one program and prints its RESULT lines; anything else is an error.
run_one() {
  local output
  output=$("$MPIRUN" "${options[@]}" -n 2 "$work/$1") || { echo "mpi_bandwidth, $1 failed: $output" >&2; return 1; }
  grep '^RESULT ' <<<"$output" | sed "s/^RESULT /$1 /; s/= */=/g"
}

for ((round = 1; round <= rounds; ++round)); do
  # Alternate which goes first, so that a drift of the clock does not favour one.
  if ((round % 2)); then order=("${programs[@]}"); else order=($(printf '%s\n' "${programs[@]}" | tac)); fi
  for program in "${order[@]}"; do run_one "$program"; done
done >"$work/lines"

python3 - "$work/lines" <<'PYTHON'
import statistics, sys

data = {}  # (pattern, bytes) -> program -> microseconds of each round
for line in open(sys.argv[1]):
    program, pattern, *fields = line.split()
    values = dict(field.split("=") for field in fields)
    data.setdefault((pattern, int(values["bytes"])), {}).setdefault(program, []).append(float(values["us"]))
print(f"{'pattern':<10}{'bytes':>10}{'cufc us':>12}{'C us':>12}{'cufc GB/s':>12}{'C/cufc':>9}{'range':>16}")
for (pattern, size), by in data.items():
    ours = statistics.median(by["cufc"])
    line = f"{pattern:<10}{size:>10}{ours:>12.2f}"
    if "c" in by:
        ratios = sorted(c / f for f, c in zip(by["cufc"], by["c"]))
        line += f"{statistics.median(by['c']):>12.2f}{size / ours / 1e3:>12.3f}{statistics.median(ratios):>9.3f}"
        line += f"{ratios[0]:>9.3f}..{ratios[-1]:.3f}"
    print(line)
PYTHON
