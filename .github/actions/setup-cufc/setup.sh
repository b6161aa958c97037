#!/usr/bin/env bash
# Fetches the archive of a release, compares its digest, and puts cufc on PATH for the steps that follow.
set -euo pipefail
machine=$(uname -m)
[[ $(uname -s) == Linux && ($machine == x86_64 || $machine == aarch64) ]] \
  || { echo "::error::cufc's releases are for Linux on x86-64 and aarch64"; exit 1; }
name=cufc-$CUFC_VERSION-linux-$machine
folder=${RUNNER_TOOL_CACHE:-$RUNNER_TEMP}/cufc
mkdir -p "$folder"
if [[ ! -x $folder/$name/bin/cufc ]]; then
  work=$(mktemp -d "$folder/fetch.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  fetch() { curl -fsSL --retry 3 -o "$work/$1" "$CUFC_RELEASES/v$CUFC_VERSION/$1"; }
  fetch "$name.tar.xz"
  if [[ -z $CUFC_SHA256 ]]; then
    fetch SHA256SUMS
    CUFC_SHA256=$(awk -v name="$name.tar.xz" '$2 == name { print $1 }' "$work/SHA256SUMS")
  fi
  echo "$CUFC_SHA256  $work/$name.tar.xz" | sha256sum --check --quiet \
    || { echo "::error::the archive of cufc $CUFC_VERSION is not the one that was released"; exit 1; }
  tar -C "$work" -xf "$work/$name.tar.xz"
  mv "$work/$name" "$folder/$name"
fi
echo "$folder/$name/bin" >>"$GITHUB_PATH"
echo "FC=$folder/$name/bin/cufc" >>"$GITHUB_ENV"
echo "prefix=$folder/$name" >>"$GITHUB_OUTPUT"
"$folder/$name/bin/cufls" doctor || true
