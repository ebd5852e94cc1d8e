// Sets of bytes as disjoint intervals of addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/verify/interval_set.h"

#include <algorithm>

namespace gridspan::runtime::verify {

namespace {

/// The first part that ends behind `address`.
auto first_reaching(const std::vector<Interval>& parts, std::uintptr_t address) {
  return std::partition_point(parts.begin(), parts.end(),
                              [&](const Interval& part) { return part.end <= address; });
}

}  // namespace

void IntervalSet::append(std::uintptr_t begin, std::uintptr_t end) {
  if (begin >= end) return;
  if (parts_.size() >= limit_) {
    normalise();
    limit_ = std::max(first_limit, 2 * parts_.size());
  }
  parts_.push_back({begin, end});
  hint_ = parts_.size() - 1;
}

void IntervalSet::add(const IntervalSet& other) {
  for (const Interval& part : other.parts_) add(part.begin, part.end);
}

void IntervalSet::normalise() {
  const auto starts_before = [](const Interval& a, const Interval& b) { return a.begin < b.begin; };
  if (!std::is_sorted(parts_.begin(), parts_.end(), starts_before))
    std::sort(parts_.begin(), parts_.end(), starts_before);
  std::size_t kept = 0;
  for (const Interval& part : parts_) {
    if (kept > 0 && part.begin <= parts_[kept - 1].end) {
      parts_[kept - 1].end = std::max(parts_[kept - 1].end, part.end);
    } else {
      parts_[kept++] = part;
    }
  }
  parts_.resize(kept);
  hint_ = 0;
}

std::uint64_t IntervalSet::bytes() const {
  std::uint64_t sum = 0;
  for (const Interval& part : parts_) sum += part.end - part.begin;
  return sum;
}

bool IntervalSet::contains(std::uintptr_t address) const {
  const auto after = std::upper_bound(
      parts_.begin(), parts_.end(), address,
      [](std::uintptr_t value, const Interval& part) { return value < part.begin; });
  return after != parts_.begin() && address < std::prev(after)->end;
}

IntervalSet IntervalSet::minus(const IntervalSet& other) const {
  IntervalSet rest;
  if (parts_.empty()) return rest;
  auto hole = first_reaching(other.parts_, parts_.front().begin);
  for (Interval part : parts_) {
    while (hole != other.parts_.end() && hole->end <= part.begin) ++hole;
    for (auto at = hole; at != other.parts_.end() && at->begin < part.end; ++at) {
      if (part.begin < at->begin) rest.parts_.push_back({part.begin, at->begin});
      part.begin = std::max(part.begin, at->end);
      if (part.begin >= part.end) break;
    }
    if (part.begin < part.end) rest.parts_.push_back(part);
  }
  return rest;
}

IntervalSet IntervalSet::intersection(const IntervalSet& other) const {
  IntervalSet common;
  if (parts_.empty()) return common;
  auto b = first_reaching(other.parts_, parts_.front().begin);
  for (auto a = parts_.begin(); a != parts_.end() && b != other.parts_.end();) {
    const std::uintptr_t begin = std::max(a->begin, b->begin);
    const std::uintptr_t end = std::min(a->end, b->end);
    if (begin < end) common.parts_.push_back({begin, end});
    if (a->end < b->end)
      ++a;
    else
      ++b;
  }
  return common;
}

}  // namespace gridspan::runtime::verify
