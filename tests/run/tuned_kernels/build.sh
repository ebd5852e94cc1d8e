# The same kernels compiled with settings a search may find: none of them changes results.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FEATURE: Compiling and linking | gridcc --tune-file: settings of each kernel (rows, vectors, joined blocks, optimisations left out)
setting() {
  for kernel in _ZL7productPKfS0_Pfiii _ZL7stencilPKfPfii _ZL6strideifPKfPf _ZL4sumsPKiPii; do
    echo "{\"kernel\": \"$kernel\", \"cpu\": \"$CPU\", \"settings\": {$2}}"
  done > "$OUT/$1.tune"
  "$GRIDCC" -O3 -std=c++17 -I.. -DSETTING="$1" --tune-file="$OUT/$1.tune" -c kernels.cu -o "$OUT/$1.o"
  OBJECTS="$OBJECTS $OUT/$1.o"
}
OBJECTS=
CPU=x86-64-v3
setting v3_two_rows '"rows": 2, "joined_width": 96, "joined_height": 17'
CPU=x86-64-v4
setting two_rows '"rows": 2, "joined_width": 96, "joined_height": 17'
setting six_rows '"rows": 6, "joined_width": 65536, "joined_height": 65536'
setting lone_rows '"rows": 1, "joined_height": 1'
setting eight_rows_narrow '"rows": 8, "vector_bits": 256'
setting narrowest '"vector_bits": 128'
setting plain '"without": ["vectors", "rows", "panels", "wide", "blocks", "warps", "guards", "joins", "prefetches", "distinct"]'
setting no_panels '"without": ["panels", "wide"], "rows": 4'
"$GRIDCC" -O2 -std=c++17 -I.. main.cu $OBJECTS -o "$OUT/program"
