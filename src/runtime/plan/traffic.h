// Counts what the planner did, for people and tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/cause.h"
#include "runtime/plan/launch_plan.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

namespace gridspan::runtime {

/// Written by one thread, read by any.
class Counter {
 public:
  void add(std::uint64_t amount) {
    value_.store(value_.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

/// Copies, and the bytes they moved.
struct CopyCount {
  Counter copies, bytes;
  void add(std::uint64_t moved) {
    copies.add(1);
    bytes.add(moved);
  }
};

struct Traffic {
  CopyCount from_host, to_host;
  CopyCount between;       // from one device's memory into another's
  CopyCount beside;        // of those with the host, by a device's copiers
  CopyCount within;        // inside one device's memory
  CopyCount merged;        // looked through for changes
  CopyCount combined;      // private copies that were combined
  CopyCount evicted;       // memory that devices gave up
  CopyCount written_back;  // of it, what was copied home before
  CopyCount packed;        // boxes that devices held instead of what they lie in
  Counter parts;
  Counter early;         // parts of which a piece ran before the launch's copies
  Counter changed_over;  // launches that were cut in another way from then on
  Counter in_rounds;     // launches that did not fit and were done in several
  std::array<Counter, rung_count> launches;   // by rung
  std::array<CopyCount, cause_count> causes;  // of all bytes that moved

  /// Looked through or combined for what several devices change.
  std::uint64_t merged_bytes() const { return merged.bytes.get() + combined.bytes.get(); }
  /// Between devices, and looked through or combined for what several of them change.
  std::uint64_t moved_bytes() const { return between.bytes.get() + merged_bytes(); }

  CopyCount& of(Cause cause) { return causes[static_cast<std::size_t>(cause)]; }
  const CopyCount& of(Cause cause) const { return causes[static_cast<std::size_t>(cause)]; }

  /// One line for each count, `name value`.
  std::string text() const;
};

}  // namespace gridspan::runtime
