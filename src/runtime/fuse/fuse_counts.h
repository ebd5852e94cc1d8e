// What became of launches that follow one another, for people and tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/traffic.h"

#include <map>
#include <string>

namespace gridspan::runtime::fuse {

struct FuseCounts {
  Counter windows;   // of two launches or more that were offered
  Counter groups;    // sequences that were planned
  Counter chains;    // groups that ran as chains
  Counter chained;   // launches in them
  Counter steps;     // parts of launches in them
  Counter in_order;  // launches of planned groups that ran one after the other
  Counter saved;     // bytes that chains did not read or write again, at most
  /// Why a planned group has no chain, and how many such groups there are.
  std::map<std::string, std::uint64_t> refusals;

  /// One line for each count, `name value`, then `not chained: N: reason`.
  std::string text() const;
};

}  // namespace gridspan::runtime::fuse
