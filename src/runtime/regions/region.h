// Sets of bytes as disjoint boxes of one view.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/regions/box.h"

#include <span>
#include <vector>

namespace gridspan::runtime::regions {

/// A set of bytes as disjoint boxes of one rank; the operations of BBMM, Table I. Meant for what
/// one part of a launch touches, some boxes up to some hundred: an operation on regions of n and m
/// boxes takes O(n * m). Which boxes make up a set depends on its history; `coalesce` forgets that.
class Region {
 public:
  Region() = default;
  explicit Region(const Box& box) { add(box); }

  /// Union.
  void add(const Box& box);
  void add(const Region& other);
  /// Union with what the caller knows to be disjoint from the region. O(1).
  void add_disjoint(const Box& box);
  /// Difference.
  void subtract(const Box& box);
  void subtract(const Region& other);

  Region intersection(const Box& box) const;
  Region intersection(const Region& other) const;
  bool contains(const Box& box) const;
  bool contains(const Region& other) const;
  bool meets(const Box& box) const;

  /// Gives equal sets equal boxes, few and in order of their first corners. Cuts along the
  /// outermost dimension first, as in RegionMap, and then joins boxes that together are one,
  /// innermost dimension first. O(n^2 log n) at worst.
  void coalesce();

  bool empty() const { return boxes_.empty(); }
  std::span<const Box> boxes() const { return boxes_; }
  std::int64_t volume() const;  // bytes
  void clear() { boxes_.clear(); }

  /// Equal as sets.
  friend bool operator==(const Region& a, const Region& b) {
    return a.contains(b) && b.contains(a);
  }

  /// Null, or what is wrong with the region.
  const char* check() const;

 private:
  std::vector<Box> boxes_;  // disjoint, not empty, of one rank
};

}  // namespace gridspan::runtime::regions
