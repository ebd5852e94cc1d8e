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
