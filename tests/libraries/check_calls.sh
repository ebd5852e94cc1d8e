#!/usr/bin/env bash
# check_calls.sh COMPILER BUILD WORK: compiles calls.c with a compiler, links it by NVIDIA's names, and runs it on one device
# and on several.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
compiler=$1 build=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
toolkit=$build/lib/gridspan/toolkit
libraries=(-lcudnn -lnccl -lcusolver -lcusparse -lcufft -lcurand -lcublas)
unset LD_LIBRARY_PATH
rm -rf "$work"
mkdir -p "$work"
case $compiler in
  gcc) gcc -std=c99 -Wall -Wextra -Werror -Wno-int-to-pointer-cast -I"$toolkit/include" "$here/calls.c" -o "$work/calls" -L"$toolkit/lib64" "${libraries[@]}" -lcudart ;;
  g++) g++ -std=c++11 -Wall -Wextra -Werror -I"$toolkit/include" -x c++ "$here/calls.c" -x none -o "$work/calls" -L"$toolkit/lib64" "${libraries[@]}" -lcudart ;;
  gridcc) "$build/bin/gridcc" -x cu "$here/calls.c" -o "$work/calls" "${libraries[@]}" ;;
  gridcc_static) "$build/bin/gridcc" -cudart static -x cu "$here/calls.c" -o "$work/calls" "${libraries[@]/%/_static}" -lculibos ;;
esac
for name in blas rand fft sparse solver nccl dnn; do
  readelf -d "$work/calls" | grep -E "NEEDED.*libgridspan_$name.so" >/dev/null || { echo "FAILED: not linked with $name"; exit 1; }
done
for devices in cpu cpu:3; do
  GRIDSPAN_DEVICES=$devices "$work/calls" | tee "$work/said"
  grep -xE '([0-9]+) of \1 right' "$work/said"
done
GRIDSPAN_DEVICES=cuda GRIDSPAN_MEASURE=off FAKE_CUDA_GPUS=2 LD_LIBRARY_PATH=$build/lib:$build/tests/devices/fake_cuda/lib "$work/calls"
