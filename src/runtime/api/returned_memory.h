// Memory that streams gave back, where commands are only begun.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nobody comes by at a place in the order of such a device to free memory there, and to wait for it
// would keep all streams from going on. So what cudaFreeAsync is given is kept: allocations of the
// same size take it again, and the rest goes when the program waits for the device.
#pragma once

#include "runtime/memory/allocation_table.h"
#include "runtime/schedule/command.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

namespace gridspan::runtime {

struct Runtime;

/// Thread safe. Searches are linear in what is kept.
class ReturnedMemory {
 public:
  /// `allocation` was retired; commands up to `sequence`, on `line`, may use it. So many bytes of
  /// all that is kept may stay when the program waits (cudaMemPoolAttrReleaseThreshold).
  void add(Runtime& state, const Allocation& allocation, unsigned line, Sequence sequence,
           std::uint64_t may_stay);

  /// Device memory of `size` bytes for what comes next on `line`, live again; null if there is
  /// none.
  void* take(Runtime& state, std::size_t size, int device, unsigned line);

  /// Frees what no command uses any more, but for what may stay.
  void settle(Runtime& state) { free_unused(state, false); }
  /// The same of all.
  void settle_all(Runtime& state) { free_unused(state, true); }

 private:
  struct Entry {
    Allocation allocation;
    unsigned line;
    Sequence sequence;
    std::uint64_t may_stay;
  };
  void free_unused(Runtime& state, bool all);

  std::atomic<std::size_t> count_{0};
  std::mutex mutex_;  // of what follows
  std::deque<Entry> entries_;
  std::size_t bytes_ = 0;
};

}  // namespace gridspan::runtime
