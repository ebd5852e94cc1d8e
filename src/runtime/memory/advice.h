// What the program advised about managed memory, and where it last asked it to be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing follows from it: managed memory is one copy that all use. Programs may ask for it again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace gridspan::runtime {

struct Advice {
  bool read_mostly = false;
  int preferred = none;
  int prefetched = none;
  unsigned accessed_by = 0;  // bit i: device i; bit 31: the host

  static constexpr int none = -2;  // as CUDA's cudaInvalidDeviceId; -1 is the host
  static constexpr unsigned bit_of(int device) { return 1u << (device < 0 ? 31 : device); }
  friend bool operator==(const Advice&, const Advice&) = default;
};

/// Advice by address. Thread safe.
class AdviceTable {
 public:
  /// Changes the advice of each byte of [base, base + size).
  template <class Change>
  void change(const void* base, std::size_t size, Change change);

  /// What all bytes of the range have in common; what differs is as if not advised.
  Advice common(const void* base, std::size_t size) const;

  /// The memory is freed.
  void forget(std::uintptr_t base, std::size_t size);

 private:
  using Stretches = std::map<std::uintptr_t, Advice>;  // each ends where the next begins

  void cut(std::uintptr_t at);  // expects the lock

  mutable std::mutex mutex_;
  Stretches stretches_{{0, {}}};
};

template <class Change>
void AdviceTable::change(const void* base, std::size_t size, Change change) {
  const auto first = reinterpret_cast<std::uintptr_t>(base);
  const std::scoped_lock lock(mutex_);
  cut(first);
  cut(first + size);
  for (auto at = stretches_.find(first); at->first < first + size;) {
    change(at->second);
    if (++at == stretches_.end()) break;
  }
}

}  // namespace gridspan::runtime
