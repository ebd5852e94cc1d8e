// Hulls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/outline.h"

#include <algorithm>

namespace gridspan::runtime {

using regions::Box;

Box hull_of(std::span<const Box> boxes) {
  if (boxes.empty()) return {};
  Box hull = boxes.front();
  for (const Box& box : boxes) {
    for (int i = 0; i < hull.rank; ++i) {
      hull[i] = {std::min(hull[i].begin, box[i].begin), std::max(hull[i].end, box[i].end)};
    }
  }
  return hull;
}

std::vector<Box> outline(std::span<const Box> boxes) {
  constexpr std::size_t few = 8;
  if (boxes.size() <= few) return {boxes.begin(), boxes.end()};
  return {hull_of(boxes)};
}

}  // namespace gridspan::runtime
