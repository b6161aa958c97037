#!/usr/bin/env bash
# run_all.sh [RESULTS]: runs the runtime's own test on the GPU; compiles every test program and
# example with bin/cufc, runs each on the GPU and on the host device and prints a table; then runs the
# benchmarks of generated code, of transfers and launches, and of the time to compile. All of it also
# goes to the file RESULTS.
# Fails if anything fails. Needs a GPU, nvcc, cc and python3 (3.8 or later).
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

# The runtime library without the compiler.
run_unit_test() {
  local test=tests/unit/test_runtime_gpu
  [[ -x $test ]] || { echo 'this folder was packed without a CUDA toolkit: no test of the runtime'; return 0; }
  "$test" --gtest_brief=1 || (($? == 77)) # 77: it said why it cannot run here
}

run_benchmarks() {
  local status=0
  CUFC=bin/cufc tests/bench/run.sh || status=1
  echo
  CUFC=bin/cufc tests/bench/transfers.sh || status=1
  echo
  CUFC=bin/cufc tests/bench/cuf_kernels.sh || status=1
  echo
  CUFC=bin/cufc tests/bench/compile_time.sh || status=1
  echo
  if command -v mpicc >/dev/null; then
    CUFC=bin/cufc tests/bench/mpi_bandwidth.sh || status=1
  else
    echo 'no mpicc: messages between devices are not measured'
  fi
  return $status
}

# Costs of kernels against the driver.
run_occupancy() {
  python3 tests/gpu/occupancy.py --cufc bin/cufc || (($? == 77))
}

run_everything() {
  local status=0
  describe_machine
  echo
  run_unit_test || status=1
  echo
  run_programs || status=1
  echo
  run_occupancy || status=1
  echo
  run_benchmarks || status=1
  return $status
}

run_everything 2>&1 | tee "$results"
