#!/usr/bin/env bash
# newer.sh SUITE FOLDER [gdb]: Neovim, or gdb, of another Debian suite (trixie, sid, ...), unpacked into FOLDER with
# that suite's own C library, so that nothing of this system changes. FOLDER/nvim, or FOLDER/gdb, starts it. Needs patchelf.
set -euo pipefail

readonly suite=$1 program=${3:-nvim}
mkdir -p "$2"
folder=$(realpath "$2")
readonly folder state=$folder/apt tree=$folder/tree
mkdir -p "$state"/{lists,cache/archives}/partial "$tree"
: >"$state/status"
# From where this system gets its own packages.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 '/debian/*$')
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$state/sources.list"
cat >"$state/apt.conf" <<CONF
Dir::Etc::sourcelist "$state/sources.list";
Dir::Etc::sourceparts "-";
Dir::State "$state";
Dir::State::status "$state/status";
Dir::Cache "$state/cache";
APT::Sandbox::User "root";
CONF
export APT_CONFIG=$state/apt.conf
apt-get -qq update
apt-get -qq -y --download-only --no-install-recommends install "${program/nvim/neovim}"
for package in "$state"/cache/archives/*.deb; do dpkg-deb -x "$package" "$tree"; done

# Neovim starts itself again for its terminal interface, so the loader must be in the program.
loader=$(find -L "$tree" -name 'ld-linux-x86-64.so.2' | head -n 1)
patchelf --set-interpreter "$loader" --force-rpath --set-rpath "$tree/usr/lib/x86_64-linux-gnu" "$tree/usr/bin/$program"
if [[ $program == gdb ]]; then
  cat >"$folder/gdb" <<SCRIPT
#!/bin/sh
PYTHONHOME=$tree/usr exec $tree/usr/bin/gdb --data-directory=$tree/usr/share/gdb "\$@"
SCRIPT
else
  cat >"$folder/nvim" <<SCRIPT
#!/bin/sh
export VIMRUNTIME=$tree/usr/share/nvim/runtime
export LUA_PATH="$tree/usr/share/lua/5.1/?.lua;$tree/usr/share/lua/5.1/?/init.lua;;"
export LUA_CPATH="$tree/usr/lib/x86_64-linux-gnu/lua/5.1/?.so;;"
exec $tree/usr/bin/nvim "\$@"
SCRIPT
fi
chmod +x "$folder/$program"
rm -rf "$state"
"$folder/$program" --version | head -n 1
