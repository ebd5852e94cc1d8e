// Asks the driver for managed memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/managed_memory.h"

#include "support/log.h"

namespace gridspan::devices::cuda {

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
    const std::scoped_lock lock(mutex_);
    const auto* const memory = reinterpret_cast<const char*>(address);
    moving_.emplace(memory, size);
    return reinterpret_cast<void*>(address);
  }
  void* memory = nullptr;
  return api.cuMemHostAlloc(&memory, size, host_portable | host_mapped) == success ? memory
                                                                                   : nullptr;
}

void ManagedMemory::give_back(void* memory) {
  if (gpu_.make_current() != success) return;
  const auto forget = [&] {
    const std::scoped_lock lock(mutex_);
    return moving_.erase(static_cast<const char*>(memory)) != 0;
  };
  if (forget())
    gpu_.driver.cuMemFree(reinterpret_cast<Address>(memory));
  else
    gpu_.driver.cuMemFreeHost(memory);
}

bool ManagedMemory::holds(const void* address) const {
  const std::scoped_lock lock(mutex_);
  auto after = moving_.upper_bound(static_cast<const char*>(address));
  if (after == moving_.begin()) return false;
  const auto& [base, size] = *--after;
  return static_cast<std::size_t>(static_cast<const char*>(address) - base) < size;
}

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
