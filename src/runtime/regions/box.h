// Boxes of array indices: the unit in which the run time says what lies where.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <vector>

namespace gridspan::runtime::regions {

/// Dimensions a box may have. Arrays of more fold their outermost ones (view.h).
inline constexpr int max_rank = 4;

/// Indices [begin, end); empty if end <= begin.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  bool is_empty() const { return end <= begin; }
  std::int64_t length() const { return is_empty() ? 0 : end - begin; }
  bool contains(const Range& other) const { return begin <= other.begin && other.end <= end; }
  bool meets(const Range& other) const { return begin < other.end && other.begin < end; }
  Range intersection(const Range& other) const {
    return {std::max(begin, other.begin), std::min(end, other.end)};
  }
  friend auto operator<=>(const Range&, const Range&) = default;
};

/// Both and what lies between them; an empty one adds nothing.
inline Range hull_of(const Range& a, const Range& b) {
  if (a.is_empty()) return b;
  if (b.is_empty()) return a;
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

/// A box: one range for each dimension, outermost first. The innermost dimension counts *bytes*, so
/// that the size of an element plays no part. Ranges behind `rank` stay {0, 0}. The order is that
/// of the first corners, outermost dimension first (lexicographic).
struct Box {
  int rank = 1;  // 1..max_rank
  std::array<Range, max_rank> ranges{};

  Range& operator[](int dimension) { return ranges[static_cast<std::size_t>(dimension)]; }
  const Range& operator[](int dimension) const {
    return ranges[static_cast<std::size_t>(dimension)];
  }
  bool is_empty() const {
    return std::any_of(ranges.begin(), ranges.begin() + rank,
                       [](const Range& range) { return range.is_empty(); });
  }
  /// Bytes: the product of the lengths.
  std::int64_t volume() const;
  bool contains(const Box& other) const;
  /// They have a byte in common.
  bool meets(const Box& other) const {
    for (int i = 0; i < rank; ++i)
      if ((*this)[i].intersection(other[i]).is_empty()) return false;
    return true;
  }
  Box intersection(const Box& other) const {
    Box common;
    common.rank = rank;
    for (int i = 0; i < rank; ++i) common[i] = (*this)[i].intersection(other[i]);
    return common;
  }
  friend auto operator<=>(const Box&, const Box&) = default;
};

/// A byte interval as a box of rank 1.
Box byte_range(std::int64_t begin, std::int64_t end);

/// Makes `box` both, if both together are a box; neither is empty. True if it did.
bool join(Box& box, const Box& other);

/// Joins boxes, all of one rank, that touch or overlap in `dimension` and agree in all others. They
/// are sorted. O(n log n).
void join_along(std::vector<Box>& boxes, int dimension);
/// The same bytes in fewer boxes, in order of their first corners: joined along each dimension, the
/// innermost first. What overlaps otherwise still does. O(n log n).
void join_all(std::vector<Box>& boxes);

/// Adds what of `box` lies outside of `hole`: at most 2 * rank disjoint boxes, in order of their
/// first corners (bb_subtract of BBMM, Table I).
void subtract(const Box& box, const Box& hole, std::vector<Box>& rest);

}  // namespace gridspan::runtime::regions
