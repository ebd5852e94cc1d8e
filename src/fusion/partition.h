// Which neighbours in a sequence of launches to make one kernel of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fusion/bytes.h"
#include "fusion/glue.h"
#include "fusion/order.h"

#include <map>
#include <span>
#include <utility>
#include <vector>

namespace gridspan::fusion {

/// Launches from `first` to before `end`.
struct Group {
  unsigned first = 0, end = 0;
  Bytes bytes;
  bool is_one_kernel() const { return end - first > 1; }
};

struct Partition {
  Joined joined;              // whose names formulas have
  std::vector<Group> groups;  // in order; their launches are all
  /// Of each launch and the next one; `bytes` of these alone, `pays` if some would be saved.
  struct Next {
    Order order;
    Bytes bytes;
    bool pays = false;
  };
  std::vector<Next> next;
  std::map<std::pair<unsigned, unsigned>, Glue> glues;  // what was asked: earlier, later
};

/// The groups of neighbours that move the fewest bytes, of those in which each pair may be glued;
/// of equal ones that with the most groups: a kernel that saves nothing is not made. At most
/// `most_launches` launches; limits are those of each. O(launches^2) pairs.
Partition partition(std::span<const Launch> launches, model::ProofLimits limits = {});

/// From the front, as many neighbours as may be one kernel without barriers at all their launches.
/// Bytes are not asked for, which is most of the work.
std::vector<Group> legal_groups(std::span<const Launch> launches, model::ProofLimits limits = {});

inline constexpr std::size_t most_launches = 16;

}  // namespace gridspan::fusion
