# A static library with kernels, used by a C++ program that the system's compiler links.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FEATURE: Compiling and linking | static libraries with kernels inside
# FEATURE: Compiling and linking | objects linked by the platform's C++ compiler with -lgridspan
"$GRIDCC" -O2 -c kernels.cu -o "$OUT/kernels.o"
ar rcs "$OUT/libkernels.a" "$OUT/kernels.o"
"$GRIDCC" -O2 main.cpp -L"$OUT" -lkernels -lcudart -o "$OUT/program"
"$OUT/program"
"$GRIDCC" -c main.cpp -o "$OUT/main.o"
"$CXX" "$OUT/main.o" "$OUT/libkernels.a" -L"$LIB" -lgridspan -Wl,-rpath,"$LIB" -o "$OUT/program"
