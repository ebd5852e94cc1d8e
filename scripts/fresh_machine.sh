#!/usr/bin/env bash
# fresh_machine.sh [READS]: the README's first command on a Debian 12 that holds nothing but git and make.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The machine is a chroot that debootstrap makes from the mirror this machine's apt uses. It gets a clone of what is
# committed, at the path that the working tree has here, and this machine's ccache and gridcc's cache of device code: where
# the tree was just built, objects are found there, if the compiler and every header are the same. Packages and the bare
# chroot are kept in ~/.cache/gridspan-ci (0.6 GB).
#
# READS is what `without_sdk.sh --reads` wrote of `make test`. Each of these files must be in a package that the fresh
# machine has by then; so setup.sh names everything that build and tests use. Exits with 3 if other files than headers are
# not, which may have been read by something else (packages_read.py).
#
# Needs root and debootstrap; exits with 77, and says so, where this cannot be done.
set -euo pipefail
cannot=77
release=bookworm
reads=${1:-}
tree=$(cd "$(dirname "$0")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/gridspan-ci

say() { echo "fresh_machine.sh: $*"; }
give_up() {
  say "NOT TRIED: $*" >&2
  exit "$cannot"
}

[[ $(id -u) == 0 ]] || give_up "needs root"
command -v debootstrap >/dev/null || give_up "debootstrap is not installed (apt-get install debootstrap)"
unshare --mount true 2>/dev/null || give_up "no right to make a mount namespace"
# Where this machine's apt gets Debian from.
sources=$(apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) $(COMPONENT)' \
  'Created-By: Packages' 'Origin: Debian' | grep -E " $release(-|  *)" | sort -u) || true
mirror=$(sed -nE "s/^deb ([^ ]+) $release main$/\1/p" <<<"$sources" | head -n 1)
[[ -n $mirror ]] || give_up "apt has no source for Debian's $release, or 'apt-get update' has not run"

mkdir -p "$cache/archives/partial" "$cache/debootstrap"
# What a run that was killed left.
find "$cache" -maxdepth 1 -name 'machine.*' -mmin +180 -exec rm -rf --one-file-system {} +
work=$(mktemp -d "$cache/machine.XXXXXX")
machine=$work/root
trap 'rm -rf --one-file-system "$work"' EXIT

# A shell command in the chroot, which sees /proc, /dev and what is kept. Mounts end with it.
in_machine() {
  unshare --mount --pid --fork bash -euo pipefail -c '
    machine=$1 archives=$2 ccache=$3 device=$4 command=$5
    mount -t proc proc "$machine/proc"
    mount --rbind /dev "$machine/dev"
    mount --bind "$archives" "$machine/var/cache/apt/archives"
    mount --bind "$ccache" "$machine/mnt"
    mkdir -p "$machine/root/.cache/gridspan/device"
    mount --bind "$device" "$machine/root/.cache/gridspan/device"
    exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
      CCACHE_DIR=/mnt DEBIAN_FRONTEND=noninteractive chroot "$machine" bash -euo pipefail -c "$command"
  ' - "$machine" "$cache/archives" "$ccache" "$device" "$1"
}
ccache=$(ccache --get-config cache_dir 2>/dev/null) || ccache=$work/ccache
device=${XDG_CACHE_HOME:-$HOME/.cache}/gridspan/device
mkdir -p "$ccache" "$device"

# The bare machine: kept, since it takes a minute and changes only with Debian's point releases.
bare=$cache/$release.tar
if [[ ! -f $bare || -n $(find "$bare" -mtime +30) ]]; then
  say "debootstrap $release"
  if ! debootstrap --variant=minbase --cache-dir="$cache/debootstrap" "$release" "$machine" "$mirror" >"$work/log" 2>&1; then
    tail -n 20 "$work/log" >&2
    give_up "debootstrap failed"
  fi
  tar -C "$machine" -cf "$bare.new" --one-file-system . && mv "$bare.new" "$bare"
else
  mkdir "$machine"
  tar -C "$machine" -xf "$bare"
fi
echo "$sources" >"$machine/etc/apt/sources.list"
cp /etc/resolv.conf "$machine/etc/resolv.conf"
# The archives belong to this machine; how it reaches the mirror is the chroot's way, too.
{
  apt-config dump Acquire::http
  apt-config dump Acquire::https
  echo 'APT::Sandbox::User "root";'
  echo 'Binary::apt-get::APT::Keep-Downloaded-Packages "true";'
} >"$machine/etc/apt/apt.conf.d/99fresh-machine"
rm -f "$machine/etc/apt/apt.conf.d/docker-clean"
if ! in_machine 'apt-get update && apt-get install -y --no-install-recommends git make' >"$work/log" 2>&1; then
  tail -n 20 "$work/log" >&2
  give_up "the mirror does not answer"
fi
say "a machine with git and make is there after $SECONDS s"

git -C "$tree" bundle create --quiet "$machine/root/gridspan.bundle" HEAD
in_machine "git -c advice.detachedHead=false clone --quiet /root/gridspan.bundle $(printf %q "$tree") && cd $(printf %q "$tree") && make build && GRIDSPAN_DEVICE_CACHE=off make demo"
[[ -s $machine$tree/build/demo/hotspot.png ]]
say "make demo passed after $SECONDS s"
in_machine 'apt-get autoclean' >/dev/null

if [[ -n $reads ]]; then
  in_machine "cd $(printf %q "$tree") && scripts/setup.sh all"
  in_machine "dpkg-query -Wf '\${Package}\n'" >"$work/packages"
  python3 "$tree/scripts/packages_read.py" "$reads" "$work/packages"
fi
