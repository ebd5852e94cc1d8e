#!/usr/bin/env bash
# check_program.sh SOURCE BUILD WORK LIBRARY...: compiles a test of a library, and runs it on one device, on several, on GPUs of the fake
# driver (tests/devices/gpu_tests.py takes it to real ones), with verification and in the interpreter. It checks its results itself; those it
# prints are the same everywhere.
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
fake=(GRIDSPAN_MEASURE=off FAKE_CUDA_GPUS=2 LD_LIBRARY_PATH="$build/lib:$build/tests/devices/fake_cuda/lib")
for devices in cuda cuda:0x3 cuda:0x2+cpu; do run "$devices" GRIDSPAN_DEVICES="$devices" "${fake[@]}"; done
same=few
run few GRIDSPAN_DEVICES=cpu TEST_FEW=1
for devices in cpu:2 cpu:4 cpu:5 cpu:6 cpu:7; do run "few.$devices" GRIDSPAN_DEVICES="$devices" TEST_FEW=1; done
# Of copies to the host, here and there one, in each of which a byte is wrong (library_check.h): of those that the test looks at, it has to
# notice that.
copies=$(GRIDSPAN_DEVICES=cpu TEST_FEW=1 TEST_BROKEN=0 "$work/program" | sed -n 's/ copies to the host$//p')
noticed=0
for copy in $(seq $((copies / 16 + 1)) $((copies / 8 + 1)) "$copies"); do
  GRIDSPAN_DEVICES=cpu TEST_FEW=1 TEST_BROKEN=$copy "$work/program" >"$work/broken.txt" 2>&1 && cmp -s "$work/few.txt" "$work/broken.txt" ||
    noticed=$((noticed + 1))
done
echo "$noticed wrong copies of $copies were noticed"
((noticed >= 2))
run verify GRIDSPAN_VERIFY=1 TEST_FEW=1
grep -E 'gridspan verify: .* 0 differences' "$work/verify.log"
run interpret GRIDSPAN_CPU=interpret TEST_FEW=1
