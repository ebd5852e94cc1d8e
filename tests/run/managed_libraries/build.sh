# Managed variables of libraries that are opened while the program runs.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FEATURE: Device variables | __managed__ variables of libraries, known to all calls from dlopen to dlclose
"$GRIDCC" -O2 -shared -Xcompiler -fPIC -DNUMBER=10 library.cu -o "$OUT/libfirst.so"
"$GRIDCC" -O2 -shared -Xcompiler -fPIC -DNUMBER=20 library.cu -o "$OUT/libsecond.so"
"$GRIDCC" -O2 -dc -Xcompiler -fPIC -DSECOND_FILE library.cu -o "$OUT/part2.o"
"$GRIDCC" -O2 -dc -Xcompiler -fPIC -DNUMBER=30 library.cu -o "$OUT/part1.o"
"$GRIDCC" -shared -Xcompiler -fPIC "$OUT/part1.o" "$OUT/part2.o" -o "$OUT/liblinked.so"
"$GRIDCC" -O2 -std=c++17 main.cu -ldl -o "$OUT/program"
