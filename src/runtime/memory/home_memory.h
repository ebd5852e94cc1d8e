// Memory the program sees: allocations on the home device and page-locked host memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"
#include "runtime/memory/allocation_table.h"

#include <cstddef>
#include <mutex>

namespace gridspan::runtime {

/// Thread safe. Memory handed out is real memory at its home address, 256-byte aligned.
class HomeMemory {
 public:
  /// Sizes of device memory are rounded up to this, as CUDA does: programs that copy a few bytes
  /// too many run on GPUs, so they run here.
  static constexpr std::size_t granularity = 256;

  explicit HomeMemory(devices::Device& device) : device_(device) {}

  /// A tenth stays for the host's side of the program and the system: memory is one pool here, and
  /// a program that takes all it is told is free must not be killed for it.
  static constexpr std::size_t keep_reserve(std::size_t bytes) { return bytes - bytes / 10; }

  /// Null when the machine has no room for it. `size` > 0; `kind` is not `registered`.
  void* allocate(std::size_t size, MemoryKind kind, unsigned flags = 0);

  /// Gives back memory that was already removed from the table. Nothing may use it any more.
  void release(const Allocation& allocation);

  AllocationTable& table() { return table_; }

  /// What the device has for programs.
  std::size_t total() const { return keep_reserve(device_.facts().memory_bytes); }
  /// What a program may still hope to allocate.
  std::size_t available() const;

 private:
  std::size_t used() const;

  devices::Device& device_;
  std::mutex device_mutex_;
  AllocationTable table_;
};

}  // namespace gridspan::runtime
