#!/usr/bin/env bash
# check_without_sdk.sh WITHOUT_SDK WORK: an SDK in a home folder is hidden, and what is read of /usr is listed.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
script=$1 work=$2
rm -rf "$work"
mkdir -p "$work"/home/{cuda-9.9/bin,own} "$work/here"
printf '#!/bin/sh\n' >"$work/home/cuda-9.9/bin/nvcc"
cp "$work/home/cuda-9.9/bin/nvcc" "$work/home/own/ptxas"
chmod +x "$work"/home/*/ptxas "$work"/home/*/bin/nvcc
touch "$work/home/own/kept" "$work/home/cuda-9.9/version.txt"
cd "$work/here"

inside() {
  HOME=$work/home CUDA_HOME=$work/home/cuda-9.9 LD_LIBRARY_PATH=/nowhere "$script" "$@"
}
status=0
inside --reads "$work/reads" bash -c '
  set -e
  test -d "$HOME/cuda-9.9" && test ! -e "$HOME/cuda-9.9/version.txt"
  test ! -x "$HOME/own/ptxas" && test -f "$HOME/own/kept"
  test -z "${CUDA_HOME-}${LD_LIBRARY_PATH-}"
  cat /usr/include/zlib.h >/dev/null
  exit 5' || status=$?
if (( status == 77 )); then exit 77; fi
[[ $status == 5 ]]  # the command's own
grep -Fx /usr/include/zlib.h "$work/reads"
if grep -F /usr/include/zconf.h "$work/reads"; then exit 1; fi
# Outside nothing has changed.
test -x "$work/home/own/ptxas" && test -e "$work/home/cuda-9.9/version.txt"
echo "without_sdk.sh works"
