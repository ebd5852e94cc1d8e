#!/usr/bin/env bash
# check_program.sh SOURCE BUILD WORK LIBRARY...: compiles a test of a library, and runs it on one device, on several, on two GPUs of the fake
# driver, with verification and in the interpreter. It checks its results itself; those it prints are the same everywhere.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
source=$1 build=$2 work=$3 libraries=("${@:4}")
rm -rf "$work"
mkdir -p "$work"
"$build/bin/gridcc" -O1 -std=c++20 -Wall -Wextra "$source" "${libraries[@]/#/-l}" -o "$work/program"
run() {  # NAME VARIABLE=VALUE...
  local name=$1
  shift
  echo "== $name"
  env "$@" "$work/program" >"$work/$name.txt" 2>"$work/$name.log" || { tail -n 30 "$work/$name.txt" "$work/$name.log"; exit 1; }
  grep -xE '([0-9]+) of \1 right' "$work/$name.txt"
  cmp "$work/$same.txt" "$work/$name.txt"
}
same=cpu
for devices in cpu cpu:3; do run "$devices" GRIDSPAN_DEVICES="$devices"; done
run cuda GRIDSPAN_DEVICES=cuda GRIDSPAN_MEASURE=off FAKE_CUDA_GPUS=2 LD_LIBRARY_PATH="$build/lib:$build/tests/devices/fake_cuda/lib"
run mixed GRIDSPAN_DEVICES=cuda+cpu GRIDSPAN_MEASURE=off FAKE_CUDA_GPUS=2 LD_LIBRARY_PATH="$build/lib:$build/tests/devices/fake_cuda/lib"
same=few
run few GRIDSPAN_DEVICES=cpu TEST_FEW=1
run verify GRIDSPAN_VERIFY=1 TEST_FEW=1
grep -E 'gridspan verify: .* 0 differences' "$work/verify.log"
run interpret GRIDSPAN_CPU=interpret TEST_FEW=1
