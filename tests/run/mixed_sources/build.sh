# C, C++ and CUDA in one command; -x cu; objects and sources mixed; a response file.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FEATURE: Compiling and linking | .c, .cpp and .cu in one command line, objects and sources mixed, -x cu, response files
"$GRIDCC" -x cu -c cuda_as_cpp.cpp -o "$OUT/extra.o"
"$GRIDCC" -O2 -I. kernel.cu launch_by_api.cpp sum.c "$OUT/extra.o" -o "$OUT/program"
"$OUT/program"
echo "-O1 -g -DUNUSED=1 kernel.cu sum.c" > "$OUT/arguments"
"$GRIDCC" @"$OUT/arguments" launch_by_api.cpp -lm -o "$OUT/program"
