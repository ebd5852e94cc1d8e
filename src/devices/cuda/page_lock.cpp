// Pages of our own that are registered with the driver, or the driver's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/page_lock.h"

#include "devices/cuda/crew.h"

#include <sys/mman.h>

#include <atomic>
#include <map>
#include <mutex>

namespace gridspan::devices::cuda {
namespace {

constexpr std::size_t page = 4096, touched_at_once = std::size_t{2} << 20;
constexpr std::size_t least_own_pages = std::size_t{8} << 20;  // that several threads clear

/// Pages of our own. Thread safe; never destroyed.
struct OwnPages {
  std::mutex mutex;
  std::map<void*, std::size_t> sizes;
};

OwnPages& own_pages() {
  static OwnPages& all = *new OwnPages;
  return all;
}

void touch(char* memory, std::size_t bytes) {
  std::atomic<std::size_t> next{0};
  crew().run([&](unsigned) {
    for (std::size_t at = next.fetch_add(touched_at_once); at < bytes;
         at = next.fetch_add(touched_at_once))
      for (std::size_t i = at; i < bytes && i < at + touched_at_once; i += page)
        static_cast<volatile char*>(memory)[i] = 0;
  });
}

void* take_own_pages(const GpuContext& gpu, std::size_t bytes) {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  madvise(memory, bytes, MADV_HUGEPAGE);
  // After a fork the pages would be shared until somebody writes: then the GPU may have the
  // other's.
  madvise(memory, bytes, MADV_DONTFORK);
  touch(static_cast<char*>(memory), bytes);
  if (gpu.driver.cuMemHostRegister(memory, bytes, host_portable | host_mapped) != success) {
    munmap(memory, bytes);
    return nullptr;
  }
  const std::scoped_lock lock(own_pages().mutex);
  own_pages().sizes.emplace(memory, bytes);
  return memory;
}

}  // namespace

bool can_lock_pages(const GpuContext& gpu) {
  int same_address = 0;
  return gpu.driver.cuDeviceGetAttribute(&same_address, GpuAttribute::host_pointer_for_registered,
                                         gpu.gpu) == success &&
         same_address != 0;
}

void* take_page_locked(const GpuContext& gpu, std::size_t bytes) {
  if (gpu.make_current() != success) return nullptr;
  if (bytes >= least_own_pages && crew().size() > 1 && can_lock_pages(gpu))
    if (void* const memory = take_own_pages(gpu, bytes)) return memory;
  void* memory = nullptr;
  return gpu.driver.cuMemHostAlloc(&memory, bytes, host_portable | host_mapped) == success
             ? memory
             : nullptr;
}

void give_back_page_locked(const GpuContext& gpu, void* memory) {
  if (gpu.make_current() != success) return;
  std::size_t own = 0;
  {
    const std::scoped_lock lock(own_pages().mutex);
    if (const auto known = own_pages().sizes.find(memory); known != own_pages().sizes.end()) {
      own = known->second;
      own_pages().sizes.erase(known);
    }
  }
  if (own == 0) {
    gpu.driver.cuMemFreeHost(memory);
    return;
  }
  // A GPU that still knew the pages would go on with them.
  if (gpu.driver.cuMemHostUnregister(memory) == success) munmap(memory, own);
}

}  // namespace gridspan::devices::cuda
