#!/bin/bash
# Speed of host code: builds host/*.f90 with cufc, flang and gfortran, runs them in turns and prints for each benchmark the
# ratios of the best times flang/cufc and gfortran/cufc (above 1: cufc is faster).
#
#   [CUFC=path] [FLANG=flang-22] [GFORTRAN=path] [ROUNDS=5] [FLAGS=...] tests/bench/host.sh [n m repetitions]
#
# `tests/bench/host.sh 2000 20 1` is a short run.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CUF_DEVICE=host

cd "$work"
build() { # compiler command...
  local compiler=$1 program
  shift
  mkdir "$compiler"
  for program in arrays programs; do
    (cd "$compiler" && "$@" "$here/cpu/timing.f90" "$here/host/$program.f90" -o $program)
  done
}
build cufc "${CUFC:-$here/../../build/bin/cufc}" -O3 -tp=native ${FLAGS:-}
build flang "${FLANG:-flang-22}" -O3 -march=native
build gfortran "${GFORTRAN:-gfortran}" -O3 -march=native -w
for ((round = 1; round <= ${ROUNDS:-5}; ++round)); do
  for program in arrays programs; do
    for compiler in cufc flang gfortran; do
      "$compiler/$program" "$@" 2>errors | sed "s/^RESULT/$compiler/" || { cat errors >&2; exit 1; }
    done
  done
done >lines

python3 - lines <<'PYTHON'
import math, sys

best, values = {}, {}
for line in open(sys.argv[1]):
    compiler, name, milliseconds, value = line.split()
    times = best.setdefault(name, {})
    times[compiler] = min(times.get(compiler, math.inf), float(milliseconds))
    values.setdefault(name, {})[compiler] = float(value)
others = ("flang", "gfortran")
print(f"{'benchmark':<16}{'cufc ms':>10}" + "".join(f"{other + ' ms':>14}" for other in others)
      + "".join(f"{other + '/cufc':>16}" for other in others))
for name, times in best.items():
    print(f"{name:<16}{times['cufc']:>10.3f}" + "".join(f"{times[other]:>14.3f}" for other in others)
          + "".join(f"{times[other] / times['cufc']:>16.2f}" for other in others))
for other in others:
    ratios = [times[other] / times["cufc"] for times in best.values()]
    print(f"geometric mean of {len(ratios)}, {other}/cufc: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.3f}")
wrong = [name for name, found in values.items()
         if max(found.values()) - min(found.values()) > 1e-6 * max(1, abs(found["cufc"]))]
if wrong:
    sys.exit("results differ: " + ", ".join(wrong))
PYTHON
