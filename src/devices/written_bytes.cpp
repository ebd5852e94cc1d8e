// Flags in memory that Linux gives when it is touched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/written_bytes.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <mutex>

namespace gridspan::devices {

FreshMemory::FreshMemory(std::uintptr_t base, std::uint64_t size) : base_(base), size_(size) {
  void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  flags_ = memory == MAP_FAILED ? nullptr : static_cast<unsigned char*>(memory);
}

FreshMemory::~FreshMemory() {
  if (flags_ != nullptr) munmap(flags_, size_);
}

void FreshMemory::mark(std::uintptr_t address, std::uint64_t size) const {
  if (flags_ != nullptr) std::memset(flags_ + (address - base_), 1, size);
}

bool FreshMemory::is_written(std::uintptr_t address, std::uint64_t size) const {
  return flags_ == nullptr || std::memchr(flags_ + (address - base_), 0, size) == nullptr;
}

void WrittenBytes::add(std::uintptr_t base, std::uint64_t size) {
  const std::unique_lock lock(mutex_);
  all_[base] = std::make_unique<FreshMemory>(base, size);
}

void WrittenBytes::remove(std::uintptr_t base) {
  const std::unique_lock lock(mutex_);
  all_.erase(base);
}

const FreshMemory* WrittenBytes::find(std::uintptr_t address) const {
  const std::shared_lock lock(mutex_);
  const auto after = all_.upper_bound(address);
  if (after == all_.begin()) return nullptr;
  const FreshMemory* const candidate = std::prev(after)->second.get();
  return candidate->holds(address, 1) ? candidate : nullptr;
}

void WrittenBytes::mark(std::uintptr_t address, std::uint64_t size) const {
  const std::shared_lock lock(mutex_);
  auto at = all_.upper_bound(address);
  if (at != all_.begin()) --at;
  for (; at != all_.end() && at->first < address + size; ++at) {
    const FreshMemory& memory = *at->second;
    const std::uintptr_t begin = std::max(address, memory.base());
    const std::uintptr_t end = std::min(address + size, memory.base() + memory.size());
    if (begin < end) memory.mark(begin, end - begin);
  }
}

}  // namespace gridspan::devices
