// The memory of a device: blocks, ranges, and the bytes in them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/boxes.h"
#include "devices/run_result.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace gridspan::devices {

/// Of a device with so many bytes, what stays free for small allocations, the driver and rounds
/// (runtime/plan/home_or_rounds.h), when large allocations lie in part in the host's memory.
constexpr std::uint64_t spare_beyond(std::uint64_t capacity) {
  constexpr std::uint64_t most = std::uint64_t{1} << 30, divisor = 8;
  return std::min(most, capacity / divisor);
}

/// Making and giving back memory may be done by any thread at any time. `copy`, `copy_all` and
/// `fill` are called by one thread at a time, as CommandQueue's functions are; those of a device
/// whose memory the host does not reach by any thread at any time.
class DeviceMemory {
 public:
  struct Beyond {
    void* memory = nullptr;
    std::size_t in_host = 0;  // bytes
  };

  virtual ~DeviceMemory() = default;

  /// `size` bytes aligned to 256, or null when the device has no room. The program sees these: they
  /// are made on the home device, device 0.
  virtual void* allocate(std::size_t size) = 0;
  /// The same for data larger than the device's memory: what it has no room for lies in at most
  /// `host_bytes` of the host's, which the device reads and writes there. Null if it can't do that.
  virtual Beyond allocate_beyond(std::size_t size, std::uint64_t host_bytes) = 0;
  virtual void free(void* memory) = 0;
  /// What it could still give out; `unknown_bytes` if it does not know better than its facts.
  virtual std::uint64_t free_bytes() = 0;
  static constexpr std::uint64_t unknown_bytes = ~std::uint64_t{0};

  /// A range of `size` > 0 bytes in this device's memory, aligned to pages. It is address space
  /// only: memory is taken page by page when it is touched first, or by `commit`. What
  /// stands there is not defined. Null when there is no room for it.
  virtual void* reserve(std::size_t size) = 0;
  /// Gives the whole range back; `size` as it was reserved.
  virtual void release(void* memory, std::size_t size) = 0;
  /// Gives back the memory of every whole page in a stretch of a range, which stays reserved. The
  /// contents of these pages are lost.
  virtual void discard(void* memory, std::size_t size) = 0;

  /// 0: memory comes by itself when it is touched, and `commit` has nothing to do. Else in a range
  /// of `size` bytes nothing may be touched before there is memory behind it, which is taken and
  /// given back in units of so many bytes, counted from the range's start. What `commit` and
  /// `discard` are given then begins and ends with a unit, or ends with the range.
  virtual std::size_t memory_unit(std::size_t size) const = 0;
  /// Takes memory for a stretch of a range, none of which has any. Returns how much of it, from its
  /// beginning, has memory now: less than `size` if the device has no more.
  virtual std::size_t commit(void* memory, std::size_t size) = 0;

  /// For tests that show who touches what: while protected, each access to memory of this device
  /// (allocated or reserved) is a fault, whoever makes it. False if the device can't do that.
  virtual bool protect(bool on) = 0;

  /// Copies boxes between memories the device reaches: its own, the host's, for reading other
  /// devices'. All of them are of the same two memories; stops at the first that fails.
  virtual RunResult copy_all(std::span<const BoxMove> moves) = 0;
  RunResult copy(const Pitched& to, const Pitched& from, const Extent& extent) {
    const BoxMove move{to, from, extent};
    return copy_all({&move, 1});
  }
  /// Sets every byte of a box of the device's own memory.
  virtual RunResult fill(const Pitched& to, const Extent& extent, unsigned char value) = 0;
};

}  // namespace gridspan::devices
