// Counts units of ranges; protects pages that have no memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/limited_device.h"

#include "devices/decorators.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace gridspan::devices {

namespace {

std::size_t page_bytes() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

class LimitedMemory final : public ForwardedMemory {
 public:
  /// `is_in_reach`: of the host, which may protect it then.
  LimitedMemory(DeviceMemory& behind, bool is_in_reach, std::uint64_t capacity)
      : ForwardedMemory(behind), is_in_reach_(is_in_reach), capacity_(capacity) {}

  void* reserve(std::size_t size) override {
    const std::size_t unit = memory_unit(size);
    const std::scoped_lock lock(mutex_);
    if (unit == 0 && size > capacity_ - used_) return nullptr;
    auto* const memory = static_cast<char*>(ForwardedMemory::reserve(size));
    if (!memory) return nullptr;
    Range& range = ranges_[memory];
    range = {size, unit, unit == 0 ? size : 0, {}};
    used_ += range.used;
    if (unit == 0) return memory;
    range.has_memory.resize((size + unit - 1) / unit);
    protect(memory, size, PROT_NONE);
    return memory;
  }
  void release(void* memory, std::size_t size) override {
    const std::scoped_lock lock(mutex_);
    const auto range = ranges_.find(static_cast<char*>(memory));
    if (range != ranges_.end()) {
      used_ -= range->second.used;
      if (range->second.unit != 0) protect(range->first, size, PROT_READ | PROT_WRITE);
      ranges_.erase(range);
    }
    ForwardedMemory::release(memory, size);
  }

  std::size_t memory_unit(std::size_t size) const override {
    constexpr std::size_t most_units = 1024;
    if (!is_in_reach_) return ForwardedMemory::memory_unit(size);
    std::size_t unit = page_bytes();
    while (size / unit >= most_units) unit *= 2;
    return unit;
  }
  std::size_t commit(void* memory, std::size_t size) override {
    const std::scoped_lock lock(mutex_);
    auto& [base, range] = *range_of(memory);
    const std::uint64_t left = capacity_ - used_;
    if (size > left) size = left / range.unit * range.unit;
    size = size == 0 ? 0 : ForwardedMemory::commit(memory, size);
    if (size == 0) return 0;
    note(base, range, memory, size, true);
    protect(memory, size, PROT_READ | PROT_WRITE);
    return size;
  }
  void discard(void* memory, std::size_t size) override {
    const std::scoped_lock lock(mutex_);
    auto& [base, range] = *range_of(memory);
    ForwardedMemory::discard(memory, size);
    note(base, range, memory, size, false);
    protect(memory, size, PROT_NONE);
  }

 private:
  struct Range {
    std::size_t size, unit;
    std::size_t used;
    std::vector<bool> has_memory;  // by unit
  };
  using Ranges = std::map<char*, Range>;

  Ranges::iterator range_of(void* memory) {
    return std::prev(ranges_.upper_bound(static_cast<char*>(memory)));
  }

  void note(const char* base, Range& range, void* memory, std::size_t size, bool there) {
    const auto begin = static_cast<std::size_t>(static_cast<char*>(memory) - base);
    for (std::size_t i = begin / range.unit; i * range.unit < begin + size; ++i) {
      if (range.has_memory[i] == there) continue;
      range.has_memory[i] = there;
      const std::size_t bytes = std::min(range.unit, range.size - i * range.unit);
      there ? range.used += bytes : range.used -= bytes;
      there ? used_ += bytes : used_ -= bytes;
    }
  }

  void protect(void* memory, std::size_t size, int protection) const {
    if (!is_in_reach_) return;
    mprotect(memory, (size + page_bytes() - 1) / page_bytes() * page_bytes(), protection);
  }
  using ForwardedMemory::protect;

  const bool is_in_reach_;
  const std::uint64_t capacity_;
  std::mutex mutex_;
  std::uint64_t used_ = 0;
  Ranges ranges_;  // by address
};

class LimitedDevice final : public ForwardedDevice {
 public:
  LimitedDevice(std::unique_ptr<Device> behind, std::uint64_t capacity)
      : ForwardedDevice(std::move(behind)),
        memory_(ForwardedDevice::memory(), host_memory() == nullptr, capacity) {}

  DeviceMemory& memory() override { return memory_; }

 private:
  LimitedMemory memory_;
};

}  // namespace

std::unique_ptr<Device> make_limited(std::unique_ptr<Device> device, std::uint64_t capacity) {
  return std::make_unique<LimitedDevice>(std::move(device), capacity);
}

}  // namespace gridspan::devices
