# threadIdx and its like across files that are linked, and without optimisation.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FEATURE: Compiling and linking | relocatable device code: references to threadIdx and its like that other files return and keep
for flags in "-O0" "-G -g" "-rdc=true"; do
  "$GRIDCC" -std=c++17 $flags ../builtin_variables.cu -o "$OUT/program"
  "$OUT/program"
done
for flags in "-G -g" "-O0" "-O2"; do
  for source in main other; do
    "$GRIDCC" -std=c++17 $flags -dc $source.cu -o "$OUT/$source.o"
  done
  "$GRIDCC" $flags "$OUT/main.o" "$OUT/other.o" -o "$OUT/program"
  "$OUT/program"
  GRIDSPAN_CPU=interpret "$OUT/program"
done
