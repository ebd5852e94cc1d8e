# Shared libraries with kernels: one linked, one loaded with dlopen.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FEATURE: Compiling and linking | shared libraries with kernels inside (-shared, -fPIC, -Xcompiler -fPIC)
# FEATURE: Compiling and linking | libraries with kernels loaded and unloaded with dlopen and dlclose
"$GRIDCC" -O2 -shared -fPIC -DNUMBER=100 -DCONCATENATED=add_linked kernels.cu -o "$OUT/liblinked.so"
"$GRIDCC" -O2 -c -Xcompiler -fPIC -DNUMBER=10000 -DCONCATENATED=add_loaded kernels.cu -o "$OUT/loaded.o"
"$GRIDCC" -shared "$OUT/loaded.o" -o "$OUT/libloaded.so"
"$GRIDCC" -O2 main.cu -L"$OUT" -llinked -Xlinker -rpath -Xlinker '$ORIGIN' -ldl -o "$OUT/program"
