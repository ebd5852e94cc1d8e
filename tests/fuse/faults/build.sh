# The program, and a library of its that it opens and closes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"$GRIDCC" -O2 -std=c++17 -shared -fPIC pair.cu -o "$OUT/libpair.so"
"$GRIDCC" -O2 -std=c++17 main.cu -o "$OUT/program" -ldl
"$CXX" -std=c++17 -O1 -shared -fPIC count.cpp -o "$OUT/libcount.so"
