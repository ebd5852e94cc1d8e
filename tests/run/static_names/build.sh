# Device variables and kernels that are static in several files under one name, linked as one.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FEATURE: Compiling and linking | static device variables and kernels of one name in several files of a device link
for part in 1 2 3; do
  "$GRIDCC" -O2 -std=c++17 -I.. -dc -DPART=$part part.cu -o "$OUT/part$part.o"
done
"$GRIDCC" -O2 -std=c++17 -I.. -rdc=true main.cu "$OUT"/part{1,2,3}.o -o "$OUT/program"
