// Sets of bytes as disjoint boxes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/regions/region.h"

namespace gridspan::runtime::regions {

namespace {

using Boxes = std::vector<Box>;

/// What of `box` lies outside of all `holes`.
Boxes remainder(const Box& box, std::span<const Box> holes) {
  Boxes left{box}, next;
  for (const Box& hole : holes) {
    if (left.empty()) break;
    if (!hole.meets(box)) continue;
    next.clear();
    for (const Box& piece : left) regions::subtract(piece, hole, next);
    left.swap(next);
  }
  return left;
}

/// Where boxes begin or end in a dimension, ascending, once each.
std::vector<std::int64_t> cuts_of(const Boxes& boxes, int dimension) {
  std::vector<std::int64_t> cuts;
  for (const Box& box : boxes) {
    cuts.push_back(box[dimension].begin);
    cuts.push_back(box[dimension].end);
  }
  std::ranges::sort(cuts);
  const auto [first, last] = std::ranges::unique(cuts);
  cuts.erase(first, last);
  return cuts;
}

bool are_same_inside(std::span<const Box> a, std::span<const Box> b, int dimension) {
  const auto same = [&](const Box& x, const Box& y) {
    return std::equal(x.ranges.begin() + dimension, x.ranges.end(), y.ranges.begin() + dimension);
  };
  return std::ranges::equal(a, b, same);
}

/// Cuts disjoint boxes into bands of one dimension, and the bands again in the next. Equal sets
/// give equal boxes. Ranges of the dimensions before `dimension` do not matter and stay.
Boxes banded(const Boxes& boxes, int dimension) {
  if (boxes.empty() || dimension == boxes[0].rank) return boxes;  // at most one: they are disjoint
  const std::vector<std::int64_t> cuts = cuts_of(boxes, dimension);
  Boxes bands;
  std::size_t last_band = 0;  // where the last band's boxes begin
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const Range range{cuts[i], cuts[i + 1]};
    Boxes inside;
    for (const Box& box : boxes) {
      if (!box[dimension].meets(range)) continue;
      inside.push_back(box);
      inside.back()[dimension] = range;
    }
    inside = banded(inside, dimension + 1);
    const std::span<Box> last = std::span(bands).subspan(last_band);
    const bool touches = !last.empty() && last[0][dimension].end == range.begin;
    if (touches && are_same_inside(last, inside, dimension + 1)) {
      for (Box& box : last) box[dimension].end = range.end;
    } else if (!inside.empty()) {
      last_band = bands.size();
      bands.insert(bands.end(), inside.begin(), inside.end());
    }
  }
  return bands;
}

}  // namespace

void Region::add(const Box& box) {
  if (box.is_empty()) return;
  if (!meets(box)) return boxes_.push_back(box);
  const Boxes rest = remainder(box, boxes_);
  boxes_.insert(boxes_.end(), rest.begin(), rest.end());
}

void Region::add(const Region& other) {
  for (const Box& box : other.boxes_) add(box);
}

void Region::add_disjoint(const Box& box) {
  if (!box.is_empty()) boxes_.push_back(box);
}

void Region::subtract(const Box& box) {
  Boxes rest;
  for (const Box& piece : boxes_) regions::subtract(piece, box, rest);
  boxes_ = std::move(rest);
}

void Region::subtract(const Region& other) {
  for (const Box& box : other.boxes_) subtract(box);
}

Region Region::intersection(const Box& box) const {
  Region common;
  for (const Box& piece : boxes_) common.add_disjoint(piece.intersection(box));
  return common;
}

Region Region::intersection(const Region& other) const {
  Region common;
  for (const Box& a : boxes_)
    for (const Box& b : other.boxes_) common.add_disjoint(a.intersection(b));
  return common;
}

bool Region::contains(const Box& box) const {
  return box.is_empty() || remainder(box, boxes_).empty();
}

bool Region::contains(const Region& other) const {
  return std::ranges::all_of(other.boxes_, [&](const Box& box) { return contains(box); });
}

bool Region::meets(const Box& box) const {
  return std::ranges::any_of(boxes_, [&](const Box& piece) { return piece.meets(box); });
}

void Region::coalesce() {
  if (boxes_.empty()) return;
  const int rank = boxes_[0].rank;
  boxes_ = banded(boxes_, 0);
  for (int i = rank - 1; i >= 0; --i) join_along(boxes_, i);
  std::ranges::sort(boxes_);
}

std::int64_t Region::volume() const {
  std::int64_t bytes = 0;
  for (const Box& box : boxes_) bytes += box.volume();
  return bytes;
}

const char* Region::check() const {
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    if (boxes_[i].is_empty()) return "a box is empty";
    if (boxes_[i].rank != boxes_[0].rank) return "boxes differ in rank";
    for (std::size_t j = 0; j < i; ++j)
      if (boxes_[i].meets(boxes_[j])) return "boxes overlap";
  }
  return nullptr;
}

}  // namespace gridspan::runtime::regions
