# Device code in four files that use each other's: linked as one, in every way that nvcc's users know.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FEATURE: Compiling and linking | relocatable device code: -rdc=true, -dc, -dlink; device functions, extern __device__, __constant__ and __managed__ variables, virtual functions and kernels of other files; static ones of one name in several files
# FEATURE: Compiling and linking | relocatable device code in static libraries and in shared libraries
# FEATURE: Barriers | barriers and shuffles inside device functions of another file
sources="main.cu functions.cu variables.cu shapes.cu"
objects=
for source in $sources; do
  "$GRIDCC" -O2 -std=c++17 -dc -Xcompiler -fPIC $source -o "$OUT/${source%.cu}.o"
  objects+=" $OUT/${source%.cu}.o"
done

# The device link apart, then the platform's own compiler.
"$GRIDCC" -dlink $objects -o "$OUT/device.o"
"$CXX" $objects "$OUT/device.o" -L"$LIB/gridspan/toolkit/lib64" -lcudart -o "$OUT/program"
"$OUT/program"
# The same object beside the others on gridcc's link line: nothing is linked twice.
"$GRIDCC" $objects "$OUT/device.o" -o "$OUT/program"
"$OUT/program"

# A static library. Its members are found by what device code needs and by what host code needs.
rm -f "$OUT/libparts.a"
"$GRIDCC" -lib "$OUT"/{shapes,variables,functions}.o -o "$OUT/libparts.a"
"$GRIDCC" "$OUT/main.o" -L"$OUT" -lparts -lcudadevrt -o "$OUT/program"
"$OUT/program"
"$GRIDCC" -dlink "$OUT/main.o" "$OUT/libparts.a" -o "$OUT/device.o"
"$CXX" "$OUT/main.o" "$OUT/device.o" "$OUT/libparts.a" -L"$LIB" -lgridspan -Wl,-rpath,"$LIB" -o "$OUT/program"
"$OUT/program"

# A shared library of everything but main; a program whose main is in it has no device link.
"$GRIDCC" -shared -Dmain=program_main -rdc=true -Xcompiler -fPIC $sources -o "$OUT/libwhole.so"
echo 'int program_main(); int main() { return program_main(); }' > "$OUT/caller.cpp"
"$GRIDCC" "$OUT/caller.cpp" -L"$OUT" -lwhole -Xlinker -rpath="$OUT" -o "$OUT/program"
"$OUT/program"

# All at once.
"$GRIDCC" -O2 -std=c++17 -rdc=true $sources -o "$OUT/program"
