# Shared memory of kernels in several files, beside one that calls through a pointer.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FEATURE: Compiling and linking | a device link of kernels whose shared memory is more than a block has in sum, and of calls through pointers
for part in 1 2; do
  "$GRIDCC" -O2 -std=c++17 -I.. -dc -DPART=$part part.cu -o "$OUT/part$part.o"
done
"$GRIDCC" -O2 -std=c++17 -I.. -rdc=true main.cu "$OUT"/part{1,2}.o -o "$OUT/program"
