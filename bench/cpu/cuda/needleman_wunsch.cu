// Alignment of sequences: tiles of one diagonal in a launch, a barrier for each diagonal of a tile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

constexpr int tile = 32, gap = 4;

__global__ void align(const int* left, const int* top, int* score, int n, int diagonal, int first) {
  __shared__ int s[tile + 1][tile + 1], letters[tile];
  int t = threadIdx.x, width = n + 1;
  int tx = first + blockIdx.x, ty = diagonal - tx;
  int* corner = score + ty * tile * width + tx * tile;
  s[0][t + 1] = corner[t + 1];
  s[t + 1][0] = corner[(t + 1) * width];
  if (t == 0) s[0][0] = corner[0];
  letters[t] = left[ty * tile + t];
  int letter = top[tx * tile + t];
  __syncthreads();
  for (int step = 0; step < 2 * tile - 1; ++step) {
    int y = step - t;
    if (y >= 0 && y < tile) {
      int both = s[y][t] + (letters[y] == letter ? 5 : -3);
      s[y + 1][t + 1] = max(both, max(s[y][t + 1], s[y + 1][t]) - gap);
    }
    __syncthreads();
  }
  for (int y = 0; y < tile; ++y) corner[(y + 1) * width + t + 1] = s[y + 1][t + 1];
}

CASE(needleman_wunsch) {
  const int n = bench::sequence, width = n + 1, tiles = n / tile;
  bench::Array<int> left(bench::integers(n, 4)), top(bench::integers(n, 4, 2));
  std::vector<int> start(width * width);
  for (int i = 1; i <= n; ++i) start[i] = start[i * width] = -gap * i;
  bench::Array<int> score(start);
  run.measure([&] {
    for (int diagonal = 0; diagonal < 2 * tiles - 1; ++diagonal) {
      const int first = max(0, diagonal - tiles + 1), last = min(diagonal, tiles - 1);
      align<<<last - first + 1, tile>>>(left, top, score, n, diagonal, first);
    }
    bench::finish();
  });
  score.report(run);
}
