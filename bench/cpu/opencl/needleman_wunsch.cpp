// Alignment of sequences: tiles of one diagonal in a launch, a barrier for each diagonal of a tile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

#include <algorithm>

CASE(needleman_wunsch) {
  const int n = bench::sequence, width = n + 1, tile = 32, tiles = n / tile, gap = 4;
  const bench::Program program("needleman_wunsch.cl",
                               bench::macro("TILE", tile) + bench::macro("GAP", gap));
  const bench::Kernel align(program.kernel("align"));
  bench::Array<int> left(bench::integers(n, 4)), top(bench::integers(n, 4, 2));
  std::vector<int> start(width * width);
  for (int i = 1; i <= n; ++i) start[i] = start[i * width] = -gap * i;
  bench::Array<int> score(start);
  run.measure([&] {
    for (int diagonal = 0; diagonal < 2 * tiles - 1; ++diagonal) {
      const int first = std::max(0, diagonal - tiles + 1), last = std::min(diagonal, tiles - 1);
      align(static_cast<std::size_t>(last - first + 1), tile, left, top, score, n, diagonal, first);
    }
    bench::finish();
  });
  score.report(run);
}
