#!/usr/bin/env bash
# Installs the Debian package in a minimal root of this release, and uses it there: deb_in_root.sh BUILD_FOLDER
# Exits with 77 where no root can be made. The bare root is kept beside the build folders.
set -euo pipefail

build=$1
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=../../scripts/debian-root.sh
source "$here/../../scripts/debian-root.sh"

can_use_roots || { echo "skipped: needs root, debootstrap and namespaces" && exit 77; }

distribution_and_suite() { ( . /etc/os-release && echo "${NAME%% *} $VERSION_CODENAME" ); }
read -r distribution suite < <(distribution_and_suite)

bare=$(realpath "$build/..")/root-$suite
root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT

make_root "$suite" "$distribution" "$bare"
cp -a "$bare/." "$root"
mkdir "$root/packages"
cp "$build"/packages/*.deb "$root/packages"

in_root "$root" bash -euxc '
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update
  apt-get -qq install --no-install-recommends -y /packages/*.deb >/dev/null
  vmatrix --version
  vmatrix matrix show rx7900
  vmatrix --quiet matrix lint
  test -s /usr/share/man/man1/vmatrix.1.gz
  test -s /usr/share/zsh/vendor-completions/_vmatrix
  apt-get -qq purge -y vmatrix >/dev/null
  ! test -e /usr/share/vmatrix
'
