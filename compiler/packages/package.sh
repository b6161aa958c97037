#!/usr/bin/env bash
# package.sh BUILD OUT [tar] [deb] [vsix] [oci]: makes packages of what ./dev build left in BUILD, the first three
# kinds unless some are named. Called by `./dev package`. Everything in them lies below one prefix
# (bin, lib/cufc, share), since cufc finds its files relative to itself:
#   OUT/cufc-VERSION-linux-x86_64.tar.xz   unpack anywhere; nothing else is needed to check sources
#   OUT/cufc_VERSION_amd64.deb             below /usr; depends on g++, which links programs
#   OUT/cufls-linux-x64-VERSION.vsix       the extension for VS Code with the server in it
#   OUT/cufls-VERSION.vsix                 the extension alone
#   OUT/cufc-VERSION-oci-amd64.tar         an image for containers: a small Debian with g++, make and cufc
# The names are those of the machine that the build is for: aarch64, arm64, linux-arm64 (./dev package --arch=aarch64).
# PACK_LEVEL=1 packs in a third of the time, for tests. The same build gives the same bits: files are in order and have the time SOURCE_DATE_EPOCH, or that of the last commit.
set -euo pipefail

(($# >= 2)) || { echo 'usage: package.sh BUILD OUT [tar] [deb] [vsix] [oci]' >&2; exit 2; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
kinds=${*:3}
readonly root build out kinds=${kinds:-tar deb vsix}
version=$(sed -n 's/^project(.*VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
readonly version stage=$out/stage packages=$root/compiler/packages
readonly level=${PACK_LEVEL:-6}
readonly glibc=2.28 # what archive and extension run with; CUFC_OLDEST_GLIBC of the build
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
export LC_ALL=C
umask 022

die() { echo "error: $*" >&2; exit 1; }

# The names of the processor: in archives, in Debian, in VS Code. A build for another machine has its C library below a
# folder of its own, and this machine's strip does not know its files.
sysroot=$(sed -n 's/^CUFC_SYSROOT:[A-Z]*=//p' "$build/CMakeCache.txt")
processor=$(sed -n 's/^set(CMAKE_SYSTEM_PROCESSOR "\(.*\)")/\1/p' "$build"/CMakeFiles/*/CMakeSystem.cmake)
case $processor in
  x86_64) readonly machine=x86_64 debian=amd64 node=x64 ;;
  aarch64) readonly machine=aarch64 debian=arm64 node=arm64 ;;
  *) die "no packages are made for $processor" ;;
esac
strip=strip
[[ -z $sysroot ]] || strip=/usr/lib/llvm-22/bin/llvm-strip
readonly sysroot strip

check_binary() {
  [[ -x $build/bin/cufc && -d $build/lib/cufc/modules ]] || die "no compiler in $build: run ./dev build"
}

# The prefix, at $1.
fill_prefix() {
  local prefix=$1 file doc=$1/share/doc/cufc
  mkdir -p "$prefix"/{bin,lib/cufc,share/cufc,share/man/man1} "$doc"
  "$strip" -o "$prefix/bin/cufc" "$build/bin/cufc"
  ln -s cufc "$prefix/bin/cufls"
  for file in "$build"/lib/cufc/*; do
    [[ -L $file ]] || cp -r "$file" "$prefix/lib/cufc/"
  done
  # libcufc_host.a and libcufc_gpu.a are scripts of the linker.
  for file in "$prefix"/lib/cufc/*.a; do
    if [[ $(head -c 7 "$file") == '!<arch>' ]]; then "$strip" -D -g "$file"; fi
  done
  for file in "$prefix"/lib/cufc/lib{omp.so.5,archer.so}; do
    [[ ! -f $file ]] || python3 "$packages/glibc/lower_versions.py" "$file" "$glibc" \
      ${sysroot:+"$sysroot/lib/$machine-linux-gnu/libc.so.6"}
  done
  python3 "$packages/glibc/versions.py" "$prefix" --newest "$glibc" >"$stage.versions" \
    || { cat "$stage.versions" >&2; die "programs of the package need a newer C library than $glibc"; }
  rm -f "$stage.versions"
  cp -r "$packages/cmake" "$packages/recipes/pkgconfig" "$root/docs/examples" "$root/lsp/editors" "$prefix/share/cufc/"
  mv "$prefix/share/cufc/pkgconfig" "$prefix/share/pkgconfig"
  sed -i "s/@VERSION@/$version/" "$prefix/share/pkgconfig/cufc.pc"
  cp "$root/LICENSE" "$root/README.md" "$doc/"
  python3 "$packages/components.py" "$build" --copyright "$doc/copyright" --licences "$doc/licences"
  cp -r "$root/docs" "$doc/docs"
  rm -rf "$doc/docs"/{site,examples}
  ln -s ../../../cufc/examples "$doc/docs/examples"
  python3 "$root/compiler/tables/generate/options_docs.py" --man "$root/compiler/tables" \
    | gzip -9n >"$prefix/share/man/man1/cufc.1.gz"
  find "$prefix" -name __pycache__ -prune -exec rm -rf {} +
  chmod -R u=rwX,go=rX "$prefix"
}

# pack FOLDER NAME: the entry NAME of FOLDER as a tar, on standard output.
pack() {
  tar -C "$1" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime=@"$SOURCE_DATE_EPOCH" -c "$2"
}

fresh_stage() { rm -rf "$stage" && mkdir -p "$stage"; }

make_tar() {
  local name=cufc-$version-linux-$machine
  fresh_stage
  fill_prefix "$stage/$name"
  # Several threads cut the data into blocks; how many of them work on those does not matter, one alone would not cut.
  pack "$stage" "$name" | xz -T4 "-$level" >"$out/$name.tar.xz"
  report "$out/$name.tar.xz"
}

make_deb() {
  local name=cufc_${version}_$debian.deb
  fresh_stage
  mkdir -p "$stage/deb/DEBIAN"
  fill_prefix "$stage/deb/usr"
  cat >"$stage/deb/DEBIAN/control" <<CONTROL
Package: cufc
Version: $version
Architecture: $debian
Section: devel
Priority: optional
Maintainer: cufc developers <cufc@localhost>
Installed-Size: $(installed_size "$stage/deb/usr")
Depends: libc6 (>= $glibc), g++
Suggests: cmake, gdb, lld
Description: compiler and language server for CUDA Fortran
 cufc compiles CUDA Fortran to programs that run on NVIDIA GPUs, and on the CPU of machines without
 one. cufls checks and builds projects and is the language server for editors.
 .
 Code for GPUs needs NVIDIA's CUDA Toolkit 12 or 13, which is not part of Debian.
CONTROL
  (cd "$stage/deb" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  dpkg-deb -Zxz "-z$level" --threads-max=1 --root-owner-group -b "$stage/deb" "$out/$name" >/dev/null
  report "$out/$name"
}

# In KiB, each file rounded up, as Debian counts: what `du` says depends on the file system.
installed_size() { find "$1" -printf '%y %s\n' | awk '{ n += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print n }'; }

make_vsix() {
  local extension=$root/vscode-extension log=$out/vsix.log name
  if ! command -v npm >/dev/null; then
    echo 'no npm: the extension for VS Code is not packed' >&2
    return
  fi
  fresh_stage
  fill_prefix "$stage/server"
  # A registry that cannot be reached is no fault of this project, so the others are made without the .vsix.
  export npm_config_fetch_timeout=60000 npm_config_fetch_retries=1
  # What the extension is made with is fetched beside a copy, and the checkout stays as it is.
  cp -r "$extension" "$stage/vscode-extension"
  cp "$root/LICENSE" "$stage/"
  mkdir -p "$stage/docs" "$stage/compiler"
  cp -r "$root/docs/examples" "$root/docs/pictures" "$stage/docs/"
  cp -r "$root/compiler/tables" "$stage/compiler/"
  rm -f "$out"/cufls-*.vsix
  if ! (cd "$stage/vscode-extension" \
    && { [[ -d node_modules ]] || npm install --no-audit --no-fund --no-package-lock; }) >"$log" 2>&1; then
    [[ $kinds != vsix ]] || { tail -n 20 "$log" >&2; die 'npm cannot fetch what the extension is made with'; }
    echo "npm cannot fetch what the extension is made with, so it is not packed ($log)" >&2
    return
  fi
  pack_extension "cufls-linux-$node-$version.vsix" --server "$stage/server" --target "linux-$node"
  pack_extension "cufls-$version.vsix" --schema "$build/lib/cufc/cufls.schema.json"
}

# pack_extension NAME OPTION...: what package.mjs makes with these options.
pack_extension() {
  local name=$1 log=$out/vsix.log
  if ! (cd "$stage/vscode-extension" && STRIP=$strip node package.mjs --out "$out/$name" "${@:2}") >>"$log" 2>&1; then
    tail -n 20 "$log" >&2
    die 'the extension could not be packed'
  fi
  python3 "$packages/zip_order.py" "$out/$name"
  report "$out/$name"
}

make_oci() {
  local name=cufc-$version-oci-$debian.tar base=$build/package/image-base
  if [[ -n $sysroot ]]; then
    [[ $kinds != oci ]] || die "the image for $machine is made on such a machine"
    echo 'the image for containers is not made for another machine' >&2
    return
  fi
  if ! command -v mmdebstrap >/dev/null || ((EUID != 0)); then
    [[ $kinds != oci ]] || die 'the image needs mmdebstrap, as root'
    echo 'no mmdebstrap, or not root: the image is not made' >&2
    return
  fi
  # The base is kept: it is the same for all packages of a day, and Debian's own updates change it.
  if [[ ! -f $base.tar ]]; then
    mkdir -p "$base.new"
    mmdebstrap --quiet --variant=apt --include=g++,make,ca-certificates \
      --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
      --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
      bookworm "$base.new/root.tar"
    mv "$base.new/root.tar" "$base.tar"
    rmdir "$base.new"
  fi
  fresh_stage
  fill_prefix "$stage/usr"
  pack "$stage" usr >"$stage/cufc.tar"
  python3 "$packages/oci.py" make "$out/$name" --version "$version" --architecture "$debian" "$base.tar" "$stage/cufc.tar"
  report "$out/$name"
}

report() { echo "$1: $(du -h --apparent-size "$1" | cut -f1)"; }

check_binary
for kind in $kinds; do
  case $kind in
    tar | deb | vsix | oci) "make_$kind" ;;
    *) die "unknown kind of package: $kind" ;;
  esac
done
rm -rf "$stage"
