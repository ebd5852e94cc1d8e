// Matrix products: naive, with sums kept in memory, and with tiles in local memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

constexpr int tile = 16;

static void multiply(bench::Run& run, const char* name, const bench::Extent& size,
                     const bench::Extent& numbers) {
  const int n = bench::matrix;
  const bench::Program program("matmul.cl", bench::macro("TILE", tile));
  const bench::Kernel kernel(program.kernel(name));
  bench::Array<float> a(bench::numbers(n * n, 0, 1)), b(bench::numbers(n * n, 0, 1, 2)), c(n * n);
  run.measure([&] {
    kernel(bench::blocks(n, n, numbers), size, a, b, c, n);
    bench::finish();
  });
  c.report(run);
}

static void multiply(bench::Run& run, const char* name) {
  multiply(run, name, {tile, tile}, {tile, tile});
}

CASE(matmul) { multiply(run, "matmul"); }
CASE(matmul_in_memory) { multiply(run, "matmul_in_memory"); }
CASE(tiled) { multiply(run, "tiled"); }
CASE(register_tiles) { multiply(run, "register_tiles", {256, 1}, {128, 128}); }
