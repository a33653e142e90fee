#!/usr/bin/env bash
# Installs a build into an empty folder: install.sh BUILD_FOLDER. The program must find its data there, wherever the folder is.
set -euo pipefail

build=$1
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
unset VMATRIX_MATRIX

expect_files() {
  local file
  for file in "$@"; do
    [[ -s $prefix/$file ]] || { echo "not installed: $file" && exit 1; }
  done
}

cmake --install "$build" --prefix "$prefix" >"$prefix/install.log"
expect_files bin/vmatrix share/vmatrix/matrix/components.yaml share/man/man1/vmatrix.1.gz \
  share/bash-completion/completions/vmatrix share/zsh/site-functions/_vmatrix share/fish/vendor_completions.d/vmatrix.fish \
  share/doc/vmatrix/copyright share/doc/vmatrix/LICENSE
"$prefix/bin/vmatrix" --version
"$prefix/bin/vmatrix" --quiet matrix lint
