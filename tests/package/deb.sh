#!/usr/bin/env bash
# Makes the Debian package and asks lintian: deb.sh BUILD_FOLDER
set -euo pipefail

build=$1

rm -rf "$build/packages"
(cd "$build" && cpack -G DEB)
mapfile -t packages < <(find "$build/packages" -maxdepth 1 -name '*.deb')
((${#packages[@]} == 1)) || { echo "expected one package, found ${#packages[@]}" && exit 1; }
dpkg-deb --info "${packages[0]}"
dpkg-deb --contents "${packages[0]}" | awk '{ print $1, $2, $6 }' | grep -v '\.yaml$'

# A package outside Debian has no bug report to close in its changelog.
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "${packages[0]}"
