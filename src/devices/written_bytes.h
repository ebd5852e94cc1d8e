// Which bytes of fresh memory somebody has written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>

namespace gridspan::devices {

/// A flag for each byte of an allocation. Kept for ever, as KnownMemory is; flags take memory where
/// they are set only.
class FreshMemory {
 public:
  FreshMemory(std::uintptr_t base, std::uint64_t size);
  FreshMemory(const FreshMemory&) = delete;
  FreshMemory& operator=(const FreshMemory&) = delete;
  ~FreshMemory();

  bool holds(std::uintptr_t address, std::uint64_t size) const {
    return size <= size_ && address - base_ <= size_ - size;
  }
  /// [address, address + size) is in it. Threads may say so at once.
  void mark(std::uintptr_t address, std::uint64_t size) const;
  bool is_written(std::uintptr_t address, std::uint64_t size) const;
  std::uintptr_t base() const { return base_; }
  std::uint64_t size() const { return size_; }

 private:
  const std::uintptr_t base_;
  const std::uint64_t size_;
  unsigned char* flags_;  // null: no room, all counts as written
};

/// Thread safe.
class WrittenBytes {
 public:
  void add(std::uintptr_t base, std::uint64_t size);
  void remove(std::uintptr_t base);
  /// What holds `address`; null: it is no fresh memory.
  const FreshMemory* find(std::uintptr_t address) const;
  /// Wherever that is.
  void mark(std::uintptr_t address, std::uint64_t size) const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::uintptr_t, std::unique_ptr<FreshMemory>> all_;
};

/// Of the process; null: nobody wants to know.
inline constinit std::atomic<WrittenBytes*> written_bytes{nullptr};

}  // namespace gridspan::devices
