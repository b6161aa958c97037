#!/usr/bin/env bash
# package.sh BUILD OUT [tar] [deb] [vsix]: makes packages of what ./dev build left in BUILD, all three
# kinds unless some are named. Called by `./dev package`. Everything in them lies below one prefix
# (bin, lib/cufc, share), since cufc finds its files relative to itself:
#   OUT/cufc-VERSION-linux-x86_64.tar.xz   unpack anywhere; nothing else is needed to check sources
#   OUT/cufc_VERSION_amd64.deb             below /usr; depends on g++, which links programs
#   OUT/cufls-linux-x64-VERSION.vsix       the extension for VS Code with the server in it
set -euo pipefail

(($# >= 2)) || { echo 'usage: package.sh BUILD OUT [tar] [deb] [vsix]' >&2; exit 2; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
kinds=${*:3}
readonly root build out kinds=${kinds:-tar deb vsix}
version=$(sed -n 's/^project(.*VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
readonly version stage=$build/package/stage

die() { echo "error: $*" >&2; exit 1; }

check_binary() {
  [[ -x $build/bin/cufc && -d $build/lib/cufc/modules ]] || die "no compiler in $build: run ./dev build"
  local shared
  shared=$(ldd "$build/bin/cufc" | grep -oE '^\s*lib[^ ]+' | grep -vE 'lib(c|m)\.so|libpthread|libdl|librt' || true)
  [[ -z $shared ]] || die "$build/bin/cufc needs libraries that other machines lack: ${shared//$'\n'/ }"
}

# The prefix, at $1.
fill_prefix() {
  local prefix=$1 file
  mkdir -p "$prefix"/{bin,lib/cufc,share/cufc,share/doc/cufc,share/man/man1}
  strip -o "$prefix/bin/cufc" "$build/bin/cufc"
  ln -s cufc "$prefix/bin/cufls"
  for file in "$build"/lib/cufc/*; do
    [[ -L $file ]] || cp -r "$file" "$prefix/lib/cufc/"
  done
  # libcufc_host.a and libcufc_gpu.a are scripts of the linker.
  for file in "$prefix"/lib/cufc/*.a; do
    if [[ $(head -c 7 "$file") == '!<arch>' ]]; then strip -g "$file"; fi
  done
  cp -r "$root/compiler/packages/cmake" "$root/docs/examples" "$prefix/share/cufc/"
  cp -r "$root/lsp/editors" "$prefix/share/cufc/"
  cp "$root/LICENSE" "$root/README.md" "$root/compiler/packages/copyright" "$prefix/share/doc/cufc/"
  cp -r "$root/docs" "$prefix/share/doc/cufc/docs"
  rm -rf "$prefix/share/doc/cufc/docs"/{site,examples}
  ln -s ../../../cufc/examples "$prefix/share/doc/cufc/docs/examples"
  python3 "$root/compiler/tables/generate/options_docs.py" --man "$root/compiler/tables" \
    | gzip -9n >"$prefix/share/man/man1/cufc.1.gz"
  chmod -R u=rwX,go=rX "$prefix"
}

make_tar() {
  local name=cufc-$version-linux-x86_64
  rm -rf "$stage" && mkdir -p "$stage"
  fill_prefix "$stage/$name"
  tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@"$(timestamp)" \
    -c "$name" | xz -T0 -6 >"$out/$name.tar.xz"
  report "$out/$name.tar.xz"
}

# Of the last commit, so that the same sources give the same package.
timestamp() { git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s; }

make_deb() {
  local name=cufc_${version}_amd64.deb
  rm -rf "$stage" && mkdir -p "$stage/deb/DEBIAN"
  fill_prefix "$stage/deb/usr"
  cat >"$stage/deb/DEBIAN/control" <<CONTROL
Package: cufc
Version: $version
Architecture: amd64
Section: devel
Priority: optional
Maintainer: cufc developers <cufc@localhost>
Installed-Size: $(du -sk "$stage/deb/usr" | cut -f1)
Depends: libc6 (>= $(newest_glibc)), g++
Suggests: cmake, gdb, lld
Description: compiler and language server for CUDA Fortran
 cufc compiles CUDA Fortran to programs that run on NVIDIA GPUs, and on the CPU of machines without
 one. cufls checks and builds projects and is the language server for editors.
 .
 Code for GPUs needs NVIDIA's CUDA Toolkit 12 or 13, which is not part of Debian.
CONTROL
  (cd "$stage/deb" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  SOURCE_DATE_EPOCH=$(timestamp) dpkg-deb -Zxz --root-owner-group -b "$stage/deb" "$out/$name" >/dev/null
  report "$out/$name"
}

# The newest version of the C library that the compiler asks for.
newest_glibc() { objdump -T "$build/bin/cufc" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -1 | cut -d_ -f2; }

make_vsix() {
  local extension=$root/vscode-extension name=cufls-linux-x64-$version.vsix log=$build/package/vsix.log
  if ! command -v npm >/dev/null; then
    echo 'no npm: the extension for VS Code is not packed' >&2
    return
  fi
  rm -rf "$stage" && mkdir -p "$stage"
  fill_prefix "$stage/server"
  # A registry that cannot be reached is no fault of this project, so the others are made without the .vsix.
  export npm_config_fetch_timeout=60000 npm_config_fetch_retries=1
  # What the extension is made with is fetched beside a copy, and the checkout stays as it is.
  cp -r "$extension" "$stage/vscode-extension"
  cp "$root/LICENSE" "$stage/"
  mkdir -p "$stage/docs" "$stage/compiler"
  cp -r "$root/docs/examples" "$root/docs/pictures" "$stage/docs/"
  cp -r "$root/compiler/tables" "$stage/compiler/"
  rm -f "$out/$name"
  if ! (cd "$stage/vscode-extension" \
    && { [[ -d node_modules ]] || npm install --no-audit --no-fund --no-package-lock; }) >"$log" 2>&1; then
    [[ $kinds != vsix ]] || { tail -n 20 "$log" >&2; die 'npm cannot fetch what the extension is made with'; }
    echo "npm cannot fetch what the extension is made with, so it is not packed ($log)" >&2
    return
  fi
  if ! (cd "$stage/vscode-extension" \
    && node package.mjs --out "$out/$name" --server "$stage/server" --target linux-x64) >>"$log" 2>&1; then
    tail -n 20 "$log" >&2
    die 'the extension could not be packed'
  fi
  report "$out/$name"
}

report() { echo "$1: $(du -h "$1" | cut -f1)"; }

check_binary
for kind in $kinds; do
  case $kind in
    tar | deb | vsix) "make_$kind" ;;
    *) die "unknown kind of package: $kind" ;;
  esac
done
rm -rf "$stage"
