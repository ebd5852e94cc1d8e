// Asks the driver for managed memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/managed_memory.h"

#include "devices/cuda/page_lock.h"
#include "support/log.h"

#include <map>
#include <mutex>

namespace gridspan::devices::cuda {
namespace {

/// What the driver moves between all GPUs and the host. Thread safe.
class Ranges {
 public:
  void add(const void* memory, std::size_t size) {
    const std::scoped_lock lock(mutex_);
    sizes_.emplace(static_cast<const char*>(memory), size);
  }
  /// False if it is none of them.
  bool remove(const void* memory) {
    const std::scoped_lock lock(mutex_);
    return sizes_.erase(static_cast<const char*>(memory)) != 0;
  }
  bool have(const void* address) {
    const std::scoped_lock lock(mutex_);
    auto after = sizes_.upper_bound(static_cast<const char*>(address));
    if (after == sizes_.begin()) return false;
    const auto& [base, size] = *--after;
    return static_cast<std::size_t>(static_cast<const char*>(address) - base) < size;
  }

 private:
  std::mutex mutex_;
  std::map<const char*, std::size_t> sizes_;  // by address
};

/// Never destroyed.
Ranges& ranges() {
  static Ranges& all = *new Ranges;
  return all;
}

}  // namespace

bool ManagedMemory::can_be_used_at_once() const {
  int can = 0;
  return gpu_.driver.cuDeviceGetAttribute(&can, GpuAttribute::concurrent_managed_access,
                                          gpu_.gpu) == success &&
         can != 0;
}

void* ManagedMemory::take(std::size_t size) {
  const Driver& api = gpu_.driver;
  if (gpu_.make_current() != success) return nullptr;
  Address address = 0;
  if (can_be_used_at_once() && api.cuMemAllocManaged(&address, size, managed_for_all) == success) {
    ranges().add(reinterpret_cast<void*>(address), size);
    return reinterpret_cast<void*>(address);
  }
  return take_page_locked(gpu_, size);
}

void ManagedMemory::give_back(void* memory) {
  if (gpu_.make_current() != success) return;
  if (ranges().remove(memory))
    gpu_.driver.cuMemFree(reinterpret_cast<Address>(memory));
  else
    give_back_page_locked(gpu_, memory);
}

bool ManagedMemory::holds(const void* address) { return ranges().have(address); }

/// A hint that is not taken costs time at most.
void ManagedMemory::tell(Result result, const char* call) const {
  if (result == success || has_told_.exchange(true)) return;
  support::log(support::LogLevel::warn, "%s", gpu_.driver.describe(result, call).c_str());
}

void ManagedMemory::prefetch(void* memory, std::size_t size, bool to_host, Stream stream) const {
  if (size == 0 || !holds(memory) || gpu_.make_current() != success) return;
  tell(gpu_.driver.cuMemPrefetchAsync(reinterpret_cast<Address>(memory), size, place(to_host),
                                      stream),
       "cuMemPrefetchAsync");
}

void ManagedMemory::advise(void* memory, std::size_t size, int advice, bool of_host) const {
  if (size == 0 || !holds(memory) || gpu_.make_current() != success) return;
  tell(gpu_.driver.cuMemAdvise(reinterpret_cast<Address>(memory), size, advice, place(of_host)),
       "cuMemAdvise");
}

}  // namespace gridspan::devices::cuda
