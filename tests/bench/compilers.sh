# Sourced by the benchmarks: sets cufc and nvcc, as absolute paths, from CUFC and NVCC or from where
# they usually are. In a checkout cufc is in build/bin, in a packed folder in bin.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# first_program NAME CANDIDATE...: the first candidate that can be run; a name is looked up on PATH.
first_program() {
  local name=$1 candidate found
  shift
  for candidate in "$@"; do
    if [[ -n $candidate ]] && found=$(command -v "$candidate"); then
      realpath -s "$found"
      return
    fi
  done
  echo "error: no $name; looked for: $*" >&2
  return 1
}

if [[ -n ${CUFC:-} ]]; then
  cufc=$(first_program cufc "$CUFC") || exit 2
else
  cufc=$(first_program cufc "$root/build/bin/cufc" "$root/bin/cufc" cufc) || exit 2
fi
if [[ -n ${NVCC:-} ]]; then
  nvcc=$(first_program nvcc "$NVCC") || exit 2
elif [[ -n ${CUDA_HOME:-} ]]; then
  nvcc=$(first_program nvcc "$CUDA_HOME/bin/nvcc") || exit 2
else
  nvcc=$(first_program nvcc nvcc /usr/local/cuda/bin/nvcc) || exit 2
fi
