// Memory the program sees: allocations on the home device and page-locked host memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"
#include "runtime/memory/advice.h"
#include "runtime/memory/allocation_table.h"
#include "runtime/memory/pinned_pages.h"
#include "runtime/memory/reach.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>

namespace gridspan::runtime {

/// Thread safe. Memory handed out is real memory at its home address, 256-byte aligned.
class HomeMemory {
 public:
  /// Sizes of device memory are rounded up to this, as CUDA does: programs that copy a few bytes
  /// too many run on GPUs, so they run here.
  static constexpr std::size_t granularity = 256;

  /// `total_bytes`: what all devices have for programs, if the host reaches it. With
  /// `is_shared_out`, other devices hold copies: then memory is taken only where the home device
  /// touches it. `pinning`: makes host memory such that all devices reach it;
  /// null if all do anyway.
  HomeMemory(devices::Device& device, std::uint64_t total_bytes, bool is_shared_out,
             devices::HostMemory* pinning = nullptr)
      : device_(device),
        pinning_(pinning),
        total_bytes_(total_bytes),
        is_shared_out_(is_shared_out) {}

  /// A tenth stays for the host's side of the program and the system: memory is one pool here, and
  /// a program that takes all it is told is free must not be killed for it.
  static constexpr std::size_t keep_reserve(std::size_t bytes) { return bytes - bytes / 10; }

  /// Null when the machine has no room for it. `size` > 0; `kind` is not `registered`.
  /// `device`: the program's device it is on.
  void* allocate(std::size_t size, MemoryKind kind, unsigned flags = 0, int device = 0);

  /// Where `allocate` had no room for device memory or variables: what the home device can't hold
  /// lies in the host's memory. Null if that has no room either, the device can't do that, or it is
  /// forbidden.
  void* allocate_beyond(std::size_t size, MemoryKind kind, int device);
  void forbid_beyond() { may_go_beyond_ = false; }
  /// That has happened.
  bool has_gone_beyond() const { return has_gone_beyond_.load(std::memory_order_relaxed); }

  /// Other processes may have the pages of this device memory from now on, which `file` holds; what
  /// they hold is the file's. False if they are not its own (small allocations have none), or
  /// cannot be mapped. No command runs meanwhile.
  bool share(const Allocation& allocation, int file);

  /// Memory that a file of another process holds; null if it cannot be mapped.
  void* import(int file, std::size_t offset, std::size_t size, unsigned flags, int device);

  /// Makes memory of the program's own such that kernels reach it; false if that can't be.
  bool register_host(void* memory, std::size_t size);
  void unregister_host(void* memory);

  /// The same for a variable of the program's, beside others in its pages; to be undone as often.
  bool pin(const void* variable, std::size_t size);
  void unpin(const void* variable, std::size_t size);
  /// The pages of an allocation in the host's memory stay where they are until it is given back, so
  /// that GPUs copy them at the bus's rate; false if that can't be. It takes about as long as such
  /// a copy from pages that may move.
  bool lock_pages(std::uintptr_t base);
  /// Kernels on some device reach the host's memory only where it is made so.
  bool has_pinning() const { return pinning_ != nullptr; }
  /// The host reads and writes the memory of all devices as its own.
  bool is_all_in_reach() const { return !has_pinning(); }
  /// The same of the home device.
  bool is_home_in_reach() const { return is_in_hosts_reach(device_); }

  /// The home device.
  devices::Device& device() { return device_; }

  /// Gives back memory that was already removed from the table. Nothing may use it any more.
  void release(const Allocation& allocation);

  /// Called with the base of every range that is given back, from any thread, before the memory is
  /// used again.
  void on_release(std::function<void(std::uintptr_t base)> listener) {
    listener_ = std::move(listener);
  }
  /// Tells of a range that goes without having been allocated by itself (one of a module's
  /// variables).
  void note_released(std::uintptr_t base) const {
    if (listener_) listener_(base);
  }

  AllocationTable& table() { return table_; }
  AdviceTable& advice() { return advice_; }

  /// For checks of what kernels touch: what comes behind an allocation is none of the program's,
  /// and memory that was given back is used again late.
  void keep_apart();

  /// What the devices have for programs. A GPU has all that its driver gives.
  std::size_t total() const {
    return is_home_in_reach() ? keep_reserve(total_bytes_) : device_.facts().memory_bytes;
  }
  /// What a program may still hope to allocate.
  std::size_t available() const;

 private:
  void* insert(void* memory, std::size_t rounded, std::size_t requested, MemoryKind kind,
               unsigned flags, int device, std::size_t beyond = 0);
  bool comes_from_device(MemoryKind kind) const;
  bool has_room(std::size_t size, MemoryKind kind) const;
  bool gpu_has_room(std::size_t size, MemoryKind kind) const;
  /// A range, which has memory where it is touched. Where that does not come by itself the
  /// program's memory is all there from the start.
  bool is_range(std::size_t size) const {
    return is_shared_out_ && device_.memory().memory_unit(size) == 0;
  }
  void* allocate_host(std::size_t size, MemoryKind kind) const;
  void give_back(const Allocation& allocation);
  void unlock_pages(std::uintptr_t base);
  /// Until no more than so many bytes are kept.
  void release_kept(std::size_t most);
  std::size_t used() const;

  devices::Device& device_;
  devices::HostMemory* pinning_;
  std::uint64_t total_bytes_;
  bool is_shared_out_;
  std::function<void(std::uintptr_t)> listener_;
  AllocationTable table_;
  AdviceTable advice_;
  PinnedPages pinned_;
  bool may_go_beyond_ = true;
  std::atomic<bool> has_gone_beyond_{false};
  std::size_t margin_ = 0;       // bytes behind each allocation
  std::size_t most_kept_ = 0;    // bytes of what was given back
  std::mutex kept_mutex_;        // of what follows
  std::deque<Allocation> kept_;  // oldest first
  std::size_t kept_bytes_ = 0;
  std::mutex locked_mutex_;                       // of what follows
  std::map<std::uintptr_t, std::size_t> locked_;  // pages of allocations: bytes, by base
  std::size_t locked_bytes_ = 0;
};

}  // namespace gridspan::runtime
