// Notes which memory there is when a command runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/memory/allocation_table.h"
#include "runtime/record/recorder.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <set>

namespace gridspan::runtime::record {

class MemoryNotes {
 public:
  MemoryNotes(Recorder& recorder, const AllocationTable& table)
      : recorder_(recorder), table_(table) {}

  /// Any thread: the memory at `base` was given back.
  void released(std::uintptr_t base);

  /// Writes what came and went since the last call. Adds the bases of variables that came to
  /// `variables`. For the holder of the queue's role, like the rest.
  void update(std::set<std::uintptr_t>& variables);

  /// Writes what stands in memory that the program may change without a word.
  void write_contents();
  /// Whether there is such memory.
  bool has_host_memory() const;

  /// Whether the program may touch `address` by itself.
  bool is_host(const void* address) const;

 private:
  void write(const Allocation& allocation, bool held);

  Recorder& recorder_;
  const AllocationTable& table_;
  std::map<std::uintptr_t, Allocation> known_;
  std::mutex mutex_;  // guards released_
  std::set<std::uintptr_t> released_;
};

}  // namespace gridspan::runtime::record
