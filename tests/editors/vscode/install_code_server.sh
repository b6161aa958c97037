#!/usr/bin/env bash
# install_code_server.sh DIR: installs code-server, which is VS Code for a browser, from npm into DIR/code-server.
# The package's own installation wants a user that is not root, downloads ripgrep and builds more than is
# needed, so its scripts are left out and three modules are built by hand. A finished one is left alone.
set -euo pipefail
readonly version=4.100.3 target=$1/code-server
[[ ! -e $target/installed-$version ]] || exit 0
rm -rf "$target"
mkdir -p "$target"
cd "$target"
echo '{"name": "editors", "private": true}' >package.json
export npm_config_yes=true # node-pty runs node-gyp by npx
install() { npm install --ignore-scripts --no-audit --no-fund --loglevel=error "$@"; }
install "code-server@$version"
npm rebuild argon2 --loglevel=error
cd node_modules/code-server/lib/vscode
install --omit=dev
npm rebuild node-pty @vscode/spdlog native-watchdog --loglevel=error
mkdir -p node_modules/@vscode/ripgrep/bin
ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
ln -sfn node_modules node_modules.asar
ln -sf code-linux.sh bin/remote-cli/code-server
ln -sf browser-linux.sh bin/helpers/browser.sh
cd extensions
install --omit=dev
touch "$target/installed-$version"
