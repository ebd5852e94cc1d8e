// Matrix products: naive, with sums kept in memory, and with tiles in local memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

static void multiply(bench::Run& run, const char* name) {
  const int n = bench::matrix, tile = 16;
  const bench::Program program("matmul.cl", bench::macro("TILE", tile));
  const bench::Kernel kernel(program.kernel(name));
  bench::Array<float> a(bench::numbers(n * n, 0, 1)), b(bench::numbers(n * n, 0, 1, 2)), c(n * n);
  const bench::Extent size(tile, tile);
  run.measure([&] {
    kernel(bench::blocks(n, n, size), size, a, b, c, n);
    bench::finish();
  });
  c.report(run);
}

CASE(matmul) { multiply(run, "matmul"); }
CASE(matmul_in_memory) { multiply(run, "matmul_in_memory"); }
CASE(tiled) { multiply(run, "tiled"); }
