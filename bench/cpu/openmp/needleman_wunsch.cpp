// Alignment of sequences: diagonals of large tiles in parallel, the rows of a tile in two passes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <algorithm>

constexpr int tile = 128, gap = 4;

/// What comes from above goes in vectors; what comes from the left is a chain.
static void align(const int* left, const int* top, int* corner, int width) {
  for (int y = 0; y < tile; ++y) {
    const int *above = corner + y * width, letter = left[y];
    int *row = corner + (y + 1) * width, best[tile];
#pragma omp simd
    for (int x = 0; x < tile; ++x)
      best[x] = std::max(above[x] + (letter == top[x] ? 5 : -3), above[x + 1] - gap);
    int last = row[0];
    for (int x = 0; x < tile; ++x) row[x + 1] = last = std::max(best[x], last - gap);
  }
}

CASE(needleman_wunsch) {
  const int n = bench::sequence, width = n + 1, tiles = n / tile;
  const auto left = bench::integers(n, 4), top = bench::integers(n, 4, 2);
  std::vector<int> score(width * width);
  for (int i = 1; i <= n; ++i) score[i] = score[i * width] = -gap * i;
  run.measure([&] {
#pragma omp parallel
    for (int diagonal = 0; diagonal < 2 * tiles - 1; ++diagonal) {
      const int first = std::max(0, diagonal - tiles + 1), last = std::min(diagonal, tiles - 1);
#pragma omp for schedule(dynamic)
      for (int tx = first; tx <= last; ++tx) {
        const int ty = diagonal - tx;
        align(&left[ty * tile], &top[tx * tile], &score[ty * tile * width + tx * tile], width);
      }
    }
  });
  run.result(score.data(), score.size());
}
