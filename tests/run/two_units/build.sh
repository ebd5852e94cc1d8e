# Two translation units with equal static names, compiled apart, linked with a host-only main.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FEATURE: Compiling and linking | several translation units, same-named static kernels and variables, the same template instance in both, kernels launched from another unit
# FEATURE: Compiling and linking | -c, then linking objects; .cpp and .cu mixed
"$GRIDCC" -O2 -c first.cu -o "$OUT/first.o"
"$GRIDCC" -O2 -c second.cu -o "$OUT/second.o"
"$GRIDCC" -O2 -c main.cpp -o "$OUT/main.o"
"$GRIDCC" "$OUT/second.o" "$OUT/main.o" "$OUT/first.o" -o "$OUT/program"
