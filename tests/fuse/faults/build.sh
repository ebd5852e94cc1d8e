# The program, and a library of its that it opens and closes, with the kernels that gridcc made of several.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"$GRIDCC" -O2 -std=c++17 -shared -fPIC pair.cu -o "$OUT/libpair.so"
# Its kernels are made while it runs, or come from the cache.
"$GRIDCC" -O2 -std=c++17 --without=fusion main.cu -o "$OUT/program" -ldl
"$CXX" -std=c++17 -O1 -shared -fPIC count.cpp -o "$OUT/libcount.so"
