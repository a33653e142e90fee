# Debian and Ubuntu packages that the project needs, and how they get installed. Sourced by the other scripts.
# The names are the same in Debian 12, Debian 13 and Ubuntu 24.04; versions differ (catch2 is 2 in Debian 12, then 3).
# shellcheck shell=bash

# shellcheck disable=SC2034   # used by the scripts that source this file
build_packages=(cmake g++ libcli11-dev libexpected-dev libkainjow-mustache-dev libsqlite3-dev libtomlplusplus-dev libyaml-cpp-dev ninja-build nlohmann-json3-dev)
# shellcheck disable=SC2034
test_packages=(
  catch2 debian-archive-keyring debootstrap dpkg-dev file fish git gzip librapidcheck-dev lintian mandoc
  python3 python3-jsonschema python3-packaging python3-yaml shellcheck zsh
)
# Without these the stages fuzz and tidy are skipped.
# shellcheck disable=SC2034
clang_packages=(clang-19 clang-tidy-19 libclang-rt-19-dev)
# The solvers that the benchmarks compare with; each is optional.
# shellcheck disable=SC2034
bench_packages=(clasp gringo python3-resolvelib python3-solv)

# missing_packages NAME...: those that are not installed.
missing_packages() {
  local status name
  local -A installed=()
  while read -r status name; do
    [[ $status != installed ]] || installed[$name]=yes
  done < <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for name in "$@"; do
    [[ -n ${installed[$name]-} ]] || printf '%s\n' "$name"
  done
}

as_root() {
  if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 "$@" </dev/null
}

# install_packages NAME...: installs what is missing. Returns 4, with the command to type on stderr, when it cannot.
install_packages() {
  local missing log failed=0
  command -v dpkg-query >/dev/null || return 0   # no Debian: the build will say what it does not find
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} > 0)) || return 0
  if as_root true 2>/dev/null; then
    log=$(mktemp)
    [[ ! -t 2 ]] || echo "installing: ${missing[*]}" >&2
    # A repository of someone else's that cannot be reached must not stop us: only the installation counts.
    apt_get update >"$log" 2>&1 || true
    apt_get install --no-install-recommends -y "${missing[@]}" >>"$log" 2>&1 || failed=1
    ((failed == 0)) || tail -n 30 "$log" >&2
    rm -f "$log"
    ((failed == 1)) || return 0
  fi
  echo "error: packages are missing" >&2
  echo "  hint: sudo apt-get install --no-install-recommends ${missing[*]}" >&2
  return 4
}
