#!/usr/bin/env bash
# without_sdk.sh [--reads FILE] COMMAND...: runs a command where no CUDA SDK can be seen.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Clang, CMake, linkers and the loader look for an SDK in many places and take what they find, so a machine that has
# one cannot tell whether Gridspan needs it. Here the command runs in a mount namespace of its own in which every SDK is
# covered: whole folders by an empty file system, single files among a system's own by an empty file. The environment is
# a fresh machine's. Needs root; exits with 77, and says so, where this cannot be done.
#
# --reads FILE: afterwards FILE lists what the command read of /usr, one path a line. In the namespace /usr is mounted so
# that each read leaves its time, which costs nothing; others who use the machine at the same time may add to the list.
set -euo pipefail
cannot=77

# What every SDK has, whether NVIDIA's installer, Debian, conda or pip brought it; Triton has an assembler of its own.
find_sdk_files() {
  local places=() place
  for place in /usr /opt /srv /home "$HOME" "${CUDA_HOME:-}" "${CUDA_PATH:-}"; do
    [[ -d $place ]] && places+=("$place")
  done
  find "${places[@]}" -path "$PWD" -prune -o \( -name nvcc -o -name ptxas -o -name nvlink -o -name fatbinary \
    -o -name cudafe++ -o -name cuobjdump -o -name nvdisasm -o -name 'libdevice*.bc' -o -name 'libcudart*' -o -name 'libnvrtc*' -o -name 'libcublas*' \
    -o -name 'libnvJitLink*' -o -path '*/crt/host_runtime.h' -o -path '*/include/cuda_runtime.h' \) -print 2>/dev/null | sort -u
}

# The folder to cover for a file: the first whose name says CUDA. None if it is a folder that the command needs.
folder_of() {
  local path=$1 folder=
  local IFS=/
  for part in ${path#/}; do
    folder+=/$part
    case ${part,,} in
      *cuda* | *nvidia* | *hpc_sdk* | triton)
        [[ -d $folder && $PWD/ != "$folder"/* ]] && echo "$folder"
        return 0 ;;
    esac
  done
}

cover() {
  local file folder
  while read -r file; do
    [[ -e $file ]] || continue  # lies in a folder that is covered by now
    file=$(realpath "$file")
    folder=$(folder_of "$file")
    if [[ -n $folder ]]; then
      mount -t tmpfs -o size=4k,mode=755 none "$folder"
      echo "without_sdk.sh: covered $folder"
    elif [[ $file != "$PWD"/* ]]; then
      mount --bind /dev/null "$file"
      echo "without_sdk.sh: covered $file"
    fi
  done < <(find_sdk_files)
  local IFS=:
  for folder in $PATH; do
    if [[ -x $folder/nvcc || -x $folder/ptxas ]]; then
      echo "without_sdk.sh: an SDK can still be seen in $folder" >&2
      exit "$cannot"
    fi
  done
}

if [[ ${1-} != --inside ]]; then
  if [[ $(id -u) != 0 ]] || ! unshare --mount true 2>/dev/null; then
    echo "without_sdk.sh: no mount namespace (needs root, and the right to make one): the SDKs of this machine cannot be hidden" >&2
    exit "$cannot"
  fi
  # A fresh machine's environment, besides where things are kept.
  kept=(HOME="$HOME" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
  for name in LANG TERM TMPDIR CCACHE_DIR CUDA_HOME CUDA_PATH TESTS_UNTIL TESTS_NOT_RUN; do
    [[ -n ${!name-} ]] && kept+=("$name=${!name}")
  done
  exec env -i "${kept[@]}" unshare --mount "$0" --inside "$@"
fi
shift

reads=
if [[ $1 == --reads ]]; then
  reads=$(realpath -m "$2")
  shift 2
  mount --bind /usr /usr
  mount -o remount,bind,strictatime /usr
fi
cover
unset CUDA_HOME CUDA_PATH
[[ -n $reads ]] || exec "$@"

begin=$(mktemp)
sleep 0.1
status=0
"$@" || status=$?
# A link is "read" by who only asks whether there is such a file.
find /usr -xdev -anewer "$begin" -type f >"$reads"
rm -f "$begin"
exit "$status"
