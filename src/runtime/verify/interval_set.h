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
  /// Takes bytes that overlap or touch. False if they do not.
  bool extend(std::uintptr_t from, std::uintptr_t to) {
    if (from > end || to < begin) return false;
    if (from < begin) begin = from;
    if (to > end) end = to;
    return true;
  }
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Fill with `add`, then `normalise`; everything else expects normal form: sorted, not touching.
class IntervalSet {
 public:
  /// Now and then it brings itself into normal form, so that memory stays near what the final set
  /// needs.
  void add(std::uintptr_t begin, std::uintptr_t end) {
    if (!extend(begin, end)) append(begin, end);
  }
  /// The same if that is cheap and takes no memory: for neighbours of the bytes added last, and of
  /// the piece behind. (Threads that walk down a column one after the other touch the pieces that
  /// the thread before has left in the same order.)
  bool extend(std::uintptr_t begin, std::uintptr_t end) {
    if (parts_.empty()) return false;
    if (parts_[hint_].extend(begin, end)) return true;
    const std::size_t next = hint_ + 1 < parts_.size() ? hint_ + 1 : 0;
    if (!parts_[next].extend(begin, end)) return false;
    hint_ = next;
    return true;
  }
  void add(const IntervalSet& other);
  void normalise();
  void clear() {
    parts_.clear();
    hint_ = 0;
  }

  bool empty() const { return parts_.empty(); }
  std::span<const Interval> parts() const { return parts_; }
  std::uint64_t bytes() const;
  bool contains(std::uintptr_t address) const;
  std::size_t memory() const { return parts_.capacity() * sizeof(Interval); }
  void shrink_to_fit() { parts_.shrink_to_fit(); }

  bool contains(const IntervalSet& other) const { return other.minus(*this).empty(); }
  IntervalSet minus(const IntervalSet& other) const;
  IntervalSet intersection(const IntervalSet& other) const;

 private:
  static constexpr std::size_t first_limit = 4096;
  void append(std::uintptr_t begin, std::uintptr_t end);

  std::vector<Interval> parts_;
  std::size_t hint_ = 0;             // where bytes were added last
  std::size_t limit_ = first_limit;  // normalise when there are more parts
};

}  // namespace gridspan::runtime::verify
