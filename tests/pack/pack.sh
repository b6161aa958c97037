#!/usr/bin/env bash
# pack.sh BUILD DIR: fills DIR with all that a machine with a GPU, nvcc, cc and python3 needs to
# compile and run the test programs and benchmarks: run_all.sh there does it. Called by `./dev pack`.
set -euo pipefail

(($# == 2)) || { echo 'usage: pack.sh BUILD DIR' >&2; exit 2; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
readonly build=$1 target=$2

die() { echo "error: $*" >&2; exit 1; }

# Only an empty folder or an earlier pack is overwritten.
if [[ -e $target && -n $(ls -A "$target") && ! -e $target/run_all.sh ]]; then
  die "$target exists and is no packed folder"
fi
[[ -x $build/bin/cufc ]] || die "$build/bin/cufc is missing: run ./dev build"
[[ -d $build/lib/cufc ]] || die "$build/lib/cufc is missing: run ./dev build"

# The other machine has no LLVM: the binary must carry it.
if shared=$(ldd "$build/bin/cufc" 2>/dev/null | grep -oE 'lib(LLVM|MLIR|clang-cpp)[^ ]*'); then
  die "$build/bin/cufc needs shared libraries that another machine lacks: ${shared//$'\n'/ }"
fi

rm -rf "${target:?}"/{bin,lib,tests,docs,build,compiler,run_all.sh}
mkdir -p "$target"/{bin,lib,tests,docs}
cp "$root/tests/pack/run_all.sh" "$target/" # first: it marks the folder as ours
strip -o "$target/bin/cufc" "$build/bin/cufc"
ln "$target/bin/cufc" "$target/bin/cufls" # one program with two names
cp -r "$build/lib/cufc" "$target/lib/"
# Some builds of flang's library hold debug information, most of its size.
strip -g "$target/lib/cufc/libflang_rt.runtime.a"
if [[ -x $build/tests/unit/test_runtime_gpu ]]; then
  mkdir "$target/tests/unit"
  strip -o "$target/tests/unit/test_runtime_gpu" "$build/tests/unit/test_runtime_gpu"
fi
# The harness compares messages with the tables that they are made of.
mkdir -p "$target/compiler/tables/generate"
cp "$root/compiler/tables/protocol_messages.toml" "$target/compiler/tables/"
cp "$root/compiler/tables/generate/protocol_table.py" "$target/compiler/tables/generate/"
for path in tests/run tests/mpi tests/link tests/bench tests/debug tests/gpu tests/harness tests/run_tests.py docs/examples LICENSE; do
  if [[ -e $root/$path ]]; then cp -r "$root/$path" "$target/$path"; fi
done
find "$target/tests" -name __pycache__ -prune -exec rm -rf {} +
echo "$target: $(du -sh "$target" | cut -f1), $(find "$target" -type f | wc -l) files"
