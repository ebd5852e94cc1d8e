// Proportional cuts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/cut.h"

#include <algorithm>
#include <numeric>

namespace gridspan::runtime {

std::uint32_t extent(const abi::Dim& grid, unsigned axis) {
  return axis == 0 ? grid.x : axis == 1 ? grid.y : grid.z;
}

std::vector<CutPart> cut(const abi::Dim& grid, unsigned axis, std::uint32_t granularity,
                         std::span<const std::uint32_t> speeds) {
  const std::uint64_t blocks = extent(grid, axis);
  const std::uint64_t unit = std::max<std::uint64_t>(granularity, 1);
  const std::uint64_t units = (blocks + unit - 1) / unit;
  const std::uint64_t all = std::accumulate(speeds.begin(), speeds.end(), std::uint64_t{0});
  std::vector<CutPart> parts;
  std::uint64_t before = 0;  // speeds of the devices before this one
  for (unsigned device = 0; device < speeds.size(); ++device) {
    // Rounded to the nearest unit, so that equal devices differ by one unit at most. Units and
    // speeds are both below 2^32.
    const std::uint64_t begin = (2 * units * before + all) / (2 * all);
    before += speeds[device];
    const std::uint64_t end = (2 * units * before + all) / (2 * all);
    if (begin == end) continue;
    const auto first = static_cast<std::uint32_t>(begin * unit);
    const auto count = static_cast<std::uint32_t>(std::min(end * unit, blocks) - begin * unit);
    BlockBox box{{0, 0, 0}, grid};
    (axis == 0 ? box.first.x : axis == 1 ? box.first.y : box.first.z) = first;
    (axis == 0 ? box.count.x : axis == 1 ? box.count.y : box.count.z) = count;
    parts.push_back({device, box});
  }
  return parts;
}

}  // namespace gridspan::runtime
