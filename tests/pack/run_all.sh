#!/usr/bin/env bash
# run_all.sh [RESULTS]: compiles every test program and example with bin/cufc, runs each on the GPU
# and on the host device, prints a table, then runs the benchmarks. All of it also goes to the file
# RESULTS. Fails if a program fails. Needs a GPU, nvcc, cc and python3 (3.8 or later).
set -uo pipefail
results=$(realpath -m "${1:-results.txt}")
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2

for tool in python3 cc; do
  command -v "$tool" >/dev/null || { echo "error: $tool is not installed" >&2; exit 2; }
done

describe_machine() {
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || echo 'no GPU found'
  nvcc --version 2>/dev/null | grep release || echo 'no nvcc on PATH'
  echo "$(nproc) CPU cores"
  bin/cufc --version
}

# Joins the rows "NAME@DEVICE result seconds" of one program into one row.
print_table() {
  printf '%-36s %-16s %-16s\n' program gpu host
  awk -F'\t' '
    { split($1, part, "@"); row[part[1]]; cell[part[1], part[2]] = $2 " " $3 " s" }
    END { for (name in row) printf "%-36s %-16s %-16s\n", name, cell[name, "gpu"], cell[name, "host"] }
  ' "$1" | sort
}

run_programs() {
  local table status
  table=$(mktemp)
  python3 tests/run_tests.py --devices gpu,host --jobs 1 --timeout 120 --table "$table"
  status=$?
  print_table "$table"
  rm -f "$table"
  return $status
}

run_benchmarks() {
  [[ -x tests/bench/run.sh ]] || { echo 'no benchmarks in this folder'; return 0; }
  CUFC=$PWD/bin/cufc tests/bench/run.sh
}

run_everything() {
  local status=0
  describe_machine
  echo
  run_programs || status=1
  echo
  run_benchmarks || status=1
  return $status
}

run_everything 2>&1 | tee "$results"
