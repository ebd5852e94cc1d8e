// Boxes of numbers, and what is left of several of them: for measuring, not for proofs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/isl.h"

namespace gridspan::model {

/// From `first` to before `end`. Number: long, or Samples below.
template <class Number>
struct RangeOf {
  Number first{}, end{};
  bool is_empty() const { return !(first < end); }
  friend bool operator==(const RangeOf&, const RangeOf&) = default;
};

template <class Number>
using BoxOf = std::vector<RangeOf<Number>>;

using Range = RangeOf<long>;
using Box = BoxOf<long>;

/// A number as it is in several cases; the first case says how it compares to others.
struct Samples {
  std::vector<long> in;
  friend bool operator<(const Samples& a, const Samples& b) { return a.in.front() < b.in.front(); }
  friend bool operator==(const Samples&, const Samples&) = default;
};

/// Ends that a set does not have are this far off.
constexpr long endless = 1L << 40;

/// The smallest box around a set without parameters; nothing if it is empty.
std::optional<Box> box_around(const isl::set& set);

/// Are all elements of the box in the set? Both without parameters, of as many dimensions.
bool is_filled(const Box& box, const isl::set& set);

template <class Number>
BoxOf<Number> meet(const BoxOf<Number>& one, const BoxOf<Number>& other) {
  BoxOf<Number> both;
  for (std::size_t i = 0; i < one.size(); ++i)
    both.push_back({std::max(one[i].first, other[i].first), std::min(one[i].end, other[i].end)});
  return both;
}

template <class Number>
bool is_empty(const BoxOf<Number>& box) {
  for (const RangeOf<Number>& range : box)
    if (range.is_empty()) return true;
  return false;
}

/// Do the others have all elements of the box?
bool is_covered(const Box& box, const std::vector<Box>& others);

/// The same elements as boxes that have none in common, few if that is easy.
template <class Number>
std::vector<BoxOf<Number>> apart(const std::vector<BoxOf<Number>>& boxes);

extern template std::vector<Box> apart(const std::vector<Box>& boxes);
extern template std::vector<BoxOf<Samples>> apart(const std::vector<BoxOf<Samples>>& boxes);

}  // namespace gridspan::model
