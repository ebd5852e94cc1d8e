// Writes of blocks that a cut separates.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/verify/group_writes.h"

#include <algorithm>

namespace gridspan::runtime::verify {

namespace {

/// Writes with one claim and value. Of those seen so far only the one that reaches farthest counts,
/// and the one that does among the other groups.
struct Front {
  const Written* farthest;
  const Written* other = nullptr;

  bool holds(const Written& write) const {
    if (farthest->claim != write.claim) return false;
    if (!farthest->value || !write.value) return farthest->value == write.value;
    return *farthest->value == *write.value;
  }
  const Written* rival_of(const Written& next, const Groups& groups) const {
    return groups.of(next.block) == groups.of(farthest->block) ? other : farthest;
  }
  void add(const Written& next, const Groups& groups) {
    const bool same_group = groups.of(next.block) == groups.of(farthest->block);
    if (next.bytes.end > farthest->bytes.end) {
      if (!same_group) other = farthest;
      farthest = &next;
    } else if (!same_group && (!other || next.bytes.end > other->bytes.end)) {
      other = &next;
    }
  }
};

/// Where the two do what they claim nobody does; 0 if nowhere.
std::uintptr_t conflict(const Written& one, const Written& next) {
  const Interval both{next.bytes.begin, std::min(one.bytes.end, next.bytes.end)};
  if (both.begin >= both.end) return 0;
  const bool may_meet = one.claim == Written::Claim::same && next.claim == Written::Claim::same;
  if (!may_meet) return both.begin;
  return one.value && next.value ? first_difference(*one.value, *next.value, both) : 0;
}

}  // namespace

std::uint32_t Groups::of(const abi::Dim& block) const {
  return (axis == 0 ? block.x : axis == 1 ? block.y : block.z) / granularity;
}

std::optional<Contradiction> find_contradiction(const std::vector<Written>& writes, Groups groups) {
  std::vector<Front> fronts;
  for (const Written& next : writes) {
    std::erase_if(
        fronts, [&](const Front& front) { return front.farthest->bytes.end <= next.bytes.begin; });
    Front* mine = nullptr;
    for (Front& front : fronts) {
      if (front.holds(next)) mine = &front;
      const Written* rival = front.rival_of(next, groups);
      const std::uintptr_t address = rival ? conflict(*rival, next) : 0;
      if (address != 0) return Contradiction{rival, &next, address};
    }
    if (mine)
      mine->add(next, groups);
    else
      fronts.push_back({&next});
  }
  return std::nullopt;
}

}  // namespace gridspan::runtime::verify
