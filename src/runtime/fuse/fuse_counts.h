// What became of launches that follow one another, for people and tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/traffic.h"
#include "runtime/schedule/executor.h"

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace gridspan::runtime::fuse {

/// Why planned groups have no chain, and how many such groups there are; why kernels are in none.
/// Thread safe: at the end of the program, a thread of it may still run launches.
class Refusals {
 public:
  void add(const std::string& reason) {
    const std::scoped_lock lock(mutex_);
    ++groups_[reason];
  }
  std::map<std::string, std::uint64_t> get() const {
    const std::scoped_lock lock(mutex_);
    return groups_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::uint64_t> groups_;
};

struct FuseCounts {
  Counter windows;                        // of two launches or more that were offered
  std::array<Counter, window_ends> ends;  // of windows, those of one launch, too
  Counter held;                           // launches that did not begin when they were called
  Counter groups;                         // sequences that were planned
  Counter chains;                         // groups that ran as chains
  Counter chained;                        // launches in them
  Counter steps;                          // parts of launches in them
  Counter kernels;                        // that ran in the place of several launches
  Counter fused;                          // launches in these
  Counter in_order;                       // launches of planned groups that ran one after the other
  Counter unchecked;     // launches that were not compared: the device had something else to do
  Counter saved;         // bytes that were not read or written again, at most
  Refusals refusals;     // of chains
  Refusals not_kernels;  // of neighbours that are not made one kernel

  /// One line for each count, `name value`, then `windows ended by X: N`, `not chained: N: reason`,
  /// `not one kernel: ...`.
  std::string text() const;
};

}  // namespace gridspan::runtime::fuse
