// Sets of bytes as disjoint intervals of addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gridspan::runtime::verify {

/// Bytes [begin, end).
struct Interval {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Fill with `add`, then `normalise`; everything else expects normal form: sorted, not touching.
class IntervalSet {
 public:
  /// Neighbours of the bytes added last cost nothing. Now and then it brings itself into normal
  /// form, so that memory stays near what the final set needs.
  void add(std::uintptr_t begin, std::uintptr_t end) {
    if (!parts_.empty()) {
      Interval& last = parts_.back();
      if (begin >= last.begin && begin <= last.end) {
        if (end > last.end) last.end = end;
        return;
      }
      if (begin < last.begin && end >= last.begin && end <= last.end) {
        last.begin = begin;
        return;
      }
    }
    append(begin, end);
  }
  void add(const IntervalSet& other);
  void normalise();
  void clear() { parts_.clear(); }

  bool empty() const { return parts_.empty(); }
  std::span<const Interval> parts() const { return parts_; }
  std::uint64_t bytes() const;
  bool contains(std::uintptr_t address) const;
  std::size_t memory() const { return parts_.capacity() * sizeof(Interval); }
  void shrink_to_fit() { parts_.shrink_to_fit(); }

  IntervalSet minus(const IntervalSet& other) const;
  IntervalSet intersection(const IntervalSet& other) const;

 private:
  static constexpr std::size_t first_limit = 4096;
  void append(std::uintptr_t begin, std::uintptr_t end);

  std::vector<Interval> parts_;
  std::size_t limit_ = first_limit;  // normalise when there are more parts
};

}  // namespace gridspan::runtime::verify
