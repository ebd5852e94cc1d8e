#!/usr/bin/env bash
# check_beside_sdk.sh SOURCES GRIDCC WORK: programs compiled beside this machine's SDK take nothing of it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
sources=$1 gridcc=$2 work=$3
nvcc=$(python3 "$sources/tests/sdk.py" nvcc) || { echo "SKIPPED: $nvcc"; exit 77; }
# `nvcc` may be a script that starts it.
sdk=$("$nvcc" -v nothing.cu 2>&1 | sed -nE 's/^#\$ TOP=//p' | head -n 1 || true)
rm -rf "$work"
mkdir -p "$work"
cd "$work"
cat >program.cu <<'END'
#include <cstdio>
#if __has_include(<nvjpeg.h>) || __has_include(<npp.h>)
#error headers of a library that Gridspan does not have
#endif
__global__ void k(int* p) { p[threadIdx.x] += threadIdx.x; }
int main() {
  int* p;
  cudaMallocManaged(&p, 37 * sizeof(int));
  for (int i = 0; i < 37; ++i) p[i] = 5;
  k<<<1, 37>>>(p);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::printf("%d\n", p[36]);
}
END
for way in "" "-I$sdk/include" "-isystem $sdk/include"; do
  rm -f program
  # shellcheck disable=SC2086
  CPATH="$sdk/include" CPLUS_INCLUDE_PATH="$sdk/include" "$gridcc" $way -MD program.cu -o program -L"$sdk/lib64" -lcudart
  [[ $(./program) == 41 ]]
  [[ -s program.d ]]
  for file in $(sed 's/^[^:]*://; s/\\$//' program.d); do
    case $(realpath "$file") in "$(realpath "$sdk")"/*) echo "FAILED: $file is the SDK's"; exit 1 ;; esac
  done
  if ldd program | grep -F libcudart; then exit 1; fi
done
if "$gridcc" program.cu -o program -L"$sdk/lib64" -lnvjpeg 2>said; then exit 1; fi
cat said
grep -E "is of an installed CUDA SDK|-lnvjpeg: Gridspan does not have this library" said
