// Boxes of array indices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/regions/box.h"

namespace gridspan::runtime::regions {

std::int64_t Box::volume() const {
  std::int64_t bytes = 1;
  for (int i = 0; i < rank; ++i) bytes *= (*this)[i].length();
  return bytes;
}

bool Box::contains(const Box& other) const {
  if (other.is_empty()) return true;
  for (int i = 0; i < rank; ++i)
    if (!(*this)[i].contains(other[i])) return false;
  return true;
}

Box byte_range(std::int64_t begin, std::int64_t end) {
  Box box;
  box[0] = {begin, end};
  return box;
}

bool join(Box& box, const Box& other) {
  if (box.contains(other)) return true;
  if (other.contains(box)) {
    box = other;
    return true;
  }
  int apart = -1;  // the one dimension in which they differ
  for (int i = 0; i < box.rank; ++i) {
    if (box[i] == other[i]) continue;
    if (apart >= 0) return false;
    apart = i;
  }
  Range& range = box[apart];
  if (range.begin > other[apart].end || other[apart].begin > range.end) return false;
  range = {std::min(range.begin, other[apart].begin), std::max(range.end, other[apart].end)};
  return true;
}

void join_along(std::vector<Box>& boxes, int dimension) {
  const auto order_of_others = [dimension](const Box& a, const Box& b) {
    for (int i = 0; i < a.rank; ++i) {
      if (i == dimension) continue;
      if (const auto order = a[i] <=> b[i]; order != 0) return order;
    }
    return std::strong_ordering::equal;
  };
  const auto is_before = [&](const Box& a, const Box& b) {
    const auto order = order_of_others(a, b);
    return order == 0 ? a[dimension] < b[dimension] : order < 0;
  };
  if (!std::ranges::is_sorted(boxes, is_before)) std::ranges::sort(boxes, is_before);
  std::size_t kept = 0;
  for (const Box& box : boxes) {
    Box* const last = kept > 0 ? &boxes[kept - 1] : nullptr;
    if (last && (*last)[dimension].end >= box[dimension].begin && order_of_others(*last, box) == 0)
      (*last)[dimension].end = std::max((*last)[dimension].end, box[dimension].end);
    else
      boxes[kept++] = box;
  }
  boxes.resize(kept);
}

void join_all(std::vector<Box>& boxes) {
  if (boxes.empty()) return;
  for (int i = boxes.front().rank - 1; i >= 0 && boxes.size() > 1; --i) join_along(boxes, i);
  std::ranges::sort(boxes);
}

void subtract(const Box& box, const Box& hole, std::vector<Box>& rest) {
  if (box.is_empty()) return;
  const Box common = box.intersection(hole);
  if (common.is_empty()) {
    rest.push_back(box);
    return;
  }
  // Dimension by dimension, what lies before the hole is cut off; the core that is left shrinks to
  // the hole. What lies behind follows on the way back, which keeps the corners in order.
  Box core = box;
  for (int i = 0; i < box.rank; ++i) {
    Box before = core;
    before[i].end = common[i].begin;
    if (!before.is_empty()) rest.push_back(before);
    core[i] = common[i];
  }
  for (int i = box.rank - 1; i >= 0; --i) {
    core[i] = box[i];
    Box behind = core;
    behind[i].begin = common[i].end;
    if (!behind.is_empty()) rest.push_back(behind);
  }
}

}  // namespace gridspan::runtime::regions
