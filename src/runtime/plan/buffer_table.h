// The virtual buffer of an address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/memory/allocation_table.h"
#include "runtime/plan/virtual_buffer.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace gridspan::runtime {

/// Buffers are made when the planner first meets their memory. All calls but `released` come from
/// the holder of the queue's role.
class BufferTable {
 public:
  BufferTable(const AllocationTable& allocations, std::size_t devices)
      : allocations_(allocations), devices_(devices) {}

  /// Makes the buffers of all memory there is, before work that may touch any of it.
  void meet_all();

  /// The buffer that holds `address`; null if the address is in no memory of ours.
  VirtualBuffer* find(std::uintptr_t address);

  /// Any thread: the memory at `base` was given back, when nothing used it any more.
  void released(std::uintptr_t base);

  /// Removes what was released since the last call and hands it over.
  std::vector<std::unique_ptr<VirtualBuffer>> take_released();

  /// The buffers made so far.
  const std::map<std::uintptr_t, std::unique_ptr<VirtualBuffer>>& all() const { return buffers_; }

 private:
  const AllocationTable& allocations_;
  std::size_t devices_;
  std::map<std::uintptr_t, std::unique_ptr<VirtualBuffer>> buffers_;  // by base
  std::uint64_t made_ = 0;
  std::mutex mutex_;  // guards released_
  std::vector<std::uintptr_t> released_;
  std::atomic<bool> has_released_{false};
};

}  // namespace gridspan::runtime
