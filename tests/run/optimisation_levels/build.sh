# Programs at every optimisation level, with debug information and in other language versions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FEATURE: Compiling and linking | -O0 to -O3, -g, -G, -lineinfo; -std=c++17 and c++20; flags of nvcc without effect here
try() {
  test=$1
  shift
  "$GRIDCC" "$@" ../$test.cu -o "$OUT/program"
  "$OUT/program"
  GRIDSPAN_CPU=interpret "$OUT/program"
}
try barrier_live_values -O0 -std=c++17
try warp_partial -g -G
try algorithms -O1 -g
try barrier_branches -O3 -lineinfo -Xptxas -v -maxrregcount=64 --std c++20
try atomics_float -O2 -gencode arch=compute_80,code=sm_80 -Xcompiler -Wall,-Wextra
