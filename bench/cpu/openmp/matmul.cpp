// A matrix product: a small part of the result in registers, panels of b packed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <cstring>

static void multiply(const float* a, const float* b, float* c, int n) {
#if defined(__AVX512F__)
  constexpr int height = 4, width = 64;
#else
  constexpr int height = 6, width = 16;  // twelve of sixteen vector registers
#endif
#pragma omp parallel for schedule(static)
  for (int panel = 0; panel < n / width; ++panel) {
    const int col = panel * width;
    static thread_local std::vector<float> packed;
    packed.resize(static_cast<std::size_t>(n) * width);
    for (int k = 0; k < n; ++k)
      std::memcpy(&packed[static_cast<std::size_t>(k * width)], b + k * n + col,
                  width * sizeof(float));
    const float* p = packed.data();
    const auto rows_from = [&](auto count, int row) {
      constexpr int rows = decltype(count)::value;
      float sum[rows][width] = {};
      for (int k = 0; k < n; ++k)
        for (int r = 0; r < rows; ++r)
#pragma omp simd
          for (int x = 0; x < width; ++x) sum[r][x] += a[(row + r) * n + k] * p[k * width + x];
      for (int r = 0; r < rows; ++r) std::memcpy(c + (row + r) * n + col, sum[r], sizeof sum[r]);
    };
    int row = 0;
    for (; row + height <= n; row += height) rows_from(std::integral_constant<int, height>(), row);
    for (; row < n; ++row) rows_from(std::integral_constant<int, 1>(), row);
  }
}

static void product(bench::Run& run) {
  const int n = bench::matrix;
  const auto a = bench::numbers(n * n, 0, 1), b = bench::numbers(n * n, 0, 1, 2);
  std::vector<float> c(n * n);
  run.measure([&] { multiply(a.data(), b.data(), c.data(), n); });
  run.result(c.data(), c.size());
}

CASE(matmul) { product(run); }
CASE(matmul_in_memory) { product(run); }
CASE(tiled) { product(run); }
CASE(register_tiles) { product(run); }
