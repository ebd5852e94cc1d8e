// Counts units of ranges; protects pages that have no memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/limited_device.h"

#include "devices/wrapped_device.h"

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

class LimitedDevice final : public WrappedDevice {
 public:
  LimitedDevice(std::unique_ptr<Device> behind, std::uint64_t capacity)
      : WrappedDevice(std::move(behind)), capacity_(capacity) {}

  void* reserve(std::size_t size) override {
    const std::size_t unit = memory_unit(size);
    const std::scoped_lock lock(mutex_);
    if (unit == 0 && size > capacity_ - used_) return nullptr;
    auto* const memory = static_cast<char*>(WrappedDevice::reserve(size));
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
    WrappedDevice::release(memory, size);
  }

  std::size_t memory_unit(std::size_t size) const override {
    constexpr std::size_t most_units = 1024;
    if (!facts().host_reaches_memory) return WrappedDevice::memory_unit(size);
    std::size_t unit = page_bytes();
    while (size / unit >= most_units) unit *= 2;
    return unit;
  }
  std::size_t commit(void* memory, std::size_t size) override {
    const std::scoped_lock lock(mutex_);
    auto& [base, range] = *range_of(memory);
    const std::uint64_t left = capacity_ - used_;
    if (size > left) size = left / range.unit * range.unit;
    size = size == 0 ? 0 : WrappedDevice::commit(memory, size);
    if (size == 0) return 0;
    note(base, range, memory, size, true);
    protect(memory, size, PROT_READ | PROT_WRITE);
    return size;
  }
  void discard(void* memory, std::size_t size) override {
    const std::scoped_lock lock(mutex_);
    auto& [base, range] = *range_of(memory);
    WrappedDevice::discard(memory, size);
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
    if (!facts().host_reaches_memory) return;
    mprotect(memory, (size + page_bytes() - 1) / page_bytes() * page_bytes(), protection);
  }
  using WrappedDevice::protect;

  const std::uint64_t capacity_;
  std::mutex mutex_;
  std::uint64_t used_ = 0;
  Ranges ranges_;  // by address
};

}  // namespace

std::unique_ptr<Device> make_limited(std::unique_ptr<Device> device, std::uint64_t capacity) {
  return std::make_unique<LimitedDevice>(std::move(device), capacity);
}

}  // namespace gridspan::devices
