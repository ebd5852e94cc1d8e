# The same sources at every optimisation level, with debug information and in several language versions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FEATURE: Compiling and linking | -O0 to -O3, -g, -G, -lineinfo; -std=c++17 and c++20; flags of nvcc without effect here
for flags in "-O0" "-O1 -g" "-g -G" "-O3 -lineinfo -Xptxas -v -maxrregcount=64" \
    "-O2 -gencode arch=compute_80,code=sm_80 -Xcompiler -Wall,-Wextra"; do
  for test in algorithms barrier_live_values warp_partial; do
    "$GRIDCC" $flags -std=c++17 ../$test.cu -o "$OUT/program"
    "$OUT/program"
    GRIDSPAN_CPU=interpret "$OUT/program"
  done
done
"$GRIDCC" -O2 -std=c++20 ../barrier_loops.cu -o "$OUT/program"
