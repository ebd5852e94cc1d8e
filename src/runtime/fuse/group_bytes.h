// Bytes that steps move to and from memory: apart, as one kernel, as a chain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a step reads counts once, what it writes counts once. As one kernel, what an earlier step
// has surely written, or read, is not read again; bytes that nobody reads afterwards, before they
// are freed or surely written again, are not written. A chain runs the blocks as they are: it
// writes them, but each byte once.
#pragma once

#include "runtime/fuse/steps.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gridspan::runtime::fuse {

struct DeadArray {
  std::string name;
  std::string why;
  std::uint64_t bytes = 0;
};

using StepSet = std::set<std::size_t>;

/// Of all steps of a window.
class GroupBytes {
 public:
  /// `freed`: bases of buffers that are given back within the window, or right behind it.
  GroupBytes(const Steps& steps, const std::set<std::uintptr_t>& freed);

  /// Of one step, by itself; and whether that is what it touches, not more.
  std::uint64_t apart(std::size_t step) const;
  bool is_exact(std::size_t step) const { return is_exact_[step]; }

  /// Of steps [first, end) as a chain.
  std::uint64_t chained(std::size_t first, std::size_t end) const;
  /// As one kernel, without those of them in `before`, which run before it.
  std::uint64_t glued(std::size_t first, std::size_t end, const StepSet& before = {}) const;
  /// What that kernel need not write.
  std::vector<DeadArray> dead(std::size_t first, std::size_t end, const StepSet& before = {}) const;

  /// By buffer, whether that kernel writes to it and need not.
  std::vector<bool> dead_buffers(std::size_t first, std::size_t end) const;

  /// They may not change places.
  bool are_ordered(std::size_t one, std::size_t other) const;

 private:
  struct Fate;
  Fate fate_of(std::size_t first, std::size_t end, const StepSet& before) const;
  void find_dead(Fate& fate, std::size_t end) const;

  const Steps& steps_;
  const std::set<std::uintptr_t>& freed_;
  std::vector<std::vector<Access>> accesses_;  // by step, of all of it
  std::vector<bool> is_exact_;
};

}  // namespace gridspan::runtime::fuse
