# Debian or Ubuntu roots in a folder, for tests on a bare system. Sourced; needs root and debootstrap.
# shellcheck shell=bash

# debian_mirror DISTRIBUTION: the first mirror of it that apt uses here; nothing if there is none.
debian_mirror() {
  # shellcheck disable=SC2016   # apt-get fills in the $(…)
  apt-get indextargets --format '$(ORIGIN) $(LABEL) $(SITE)' 'ShortDesc: Packages' 2>/dev/null |
    awk -v name="$1" '$1 == name && $2 == name && !found++ { print $3 }'
}

# make_root SUITE DISTRIBUTION FOLDER: a minimal system, made once.
make_root() {
  local suite=$1 distribution=$2 folder=$3 mirror
  [[ ! -e $folder/.complete ]] || return 0
  mirror=$(debian_mirror "$distribution")
  rm -rf --one-file-system "$folder"
  mkdir -p "$folder"
  if ! debootstrap --variant=minbase "$suite" "$folder" ${mirror:+"$mirror"} >"$folder.log" 2>&1; then
    tail -n 30 "$folder.log" >&2
    return 4
  fi
  touch "$folder/.complete"
}

# can_use_roots: whether this user may make and enter roots.
can_use_roots() {
  ((EUID == 0)) && command -v debootstrap >/dev/null && unshare --mount --pid --fork true 2>/dev/null
}

# in_root FOLDER COMMAND...: the mounts are in a namespace of their own, so they end with the command, however it ends.
in_root() {
  local folder=$1
  shift
  # shellcheck disable=SC2016   # for the inner shell
  unshare --mount --pid --fork --kill-child bash -euc '
    folder=$1; shift
    mount --bind "$folder" "$folder"   # a mount point, so that roots can be entered from within
    mount -t proc proc "$folder/proc"
    mount --rbind /dev "$folder/dev"
    mount -t tmpfs -o mode=1777 tmpfs "$folder/tmp"
    cp -L /etc/resolv.conf "$folder/etc/resolv.conf"
    exec chroot "$folder" /usr/bin/env -i CI="${CI-}" HOME=/root LANG=C.UTF-8 \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
  ' bash "$folder" "$@"
}
