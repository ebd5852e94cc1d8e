// All shortest paths: tiles of 64 x 64 nodes, 64 nodes on the way at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <algorithm>

constexpr int tile = 64;

/// to = min(to, left + right) for tiles of a matrix with rows of n; to may be left or right.
static void relax(int* to, const int* left, const int* right, int n) {
  for (int k = 0; k < tile; ++k)
    for (int y = 0; y < tile; ++y) {
      const int way = left[y * n + k];
#pragma omp simd
      for (int x = 0; x < tile; ++x)
        to[y * n + x] = std::min(to[y * n + x], way + right[k * n + x]);
    }
}

/// The same where `to` is neither: a row of it stays in registers.
static void relax_apart(int* to, const int* left, const int* right, int n) {
  for (int y = 0; y < tile; ++y) {
    int best[tile];
    std::copy(to + y * n, to + y * n + tile, best);
    for (int k = 0; k < tile; ++k) {
      const int way = left[y * n + k];
#pragma omp simd
      for (int x = 0; x < tile; ++x) best[x] = std::min(best[x], way + right[k * n + x]);
    }
    std::copy(best, best + tile, to + y * n);
  }
}

static void shortest(int* distance, int n) {
  const int tiles = n / tile;
  const auto at = [&](int row, int col) { return distance + row * tile * n + col * tile; };
#pragma omp parallel
  for (int k = 0; k < tiles; ++k) {
#pragma omp single
    relax(at(k, k), at(k, k), at(k, k), n);
#pragma omp for schedule(static)
    for (int i = 0; i < 2 * tiles; ++i) {
      const int other = i / 2;
      if (other == k) continue;
      if (i % 2 == 0)
        relax(at(k, other), at(k, k), at(k, other), n);
      else
        relax(at(other, k), at(other, k), at(k, k), n);
    }
#pragma omp for collapse(2) schedule(static)
    for (int row = 0; row < tiles; ++row)
      for (int col = 0; col < tiles; ++col)
        if (row != k && col != k) relax_apart(at(row, col), at(row, k), at(k, col), n);
  }
}

CASE(floyd_warshall) {
  const int n = bench::nodes;
  auto edges = bench::integers(n * n, 10000);
  for (int i = 0; i < n; ++i) edges[i * n + i] = 0;
  auto distance = edges;
  run.measure([&] { distance = edges; }, [&] { shortest(distance.data(), n); });
  run.result(distance.data(), distance.size());
}
