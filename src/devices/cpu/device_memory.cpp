// The CPU device's memory: host memory, aligned and counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/device_memory.h"

#include <sys/mman.h>

#include <cstdlib>

namespace gridspan::devices::cpu {
namespace {

constexpr std::size_t small_alignment = 256;
constexpr std::size_t huge_page = std::size_t{2} << 20;

}  // namespace

DeviceMemory::~DeviceMemory() {
  for (const auto& [memory, size] : blocks_) std::free(memory);
}

void* DeviceMemory::allocate(std::size_t size) {
  if (size > capacity_ - used_) return nullptr;
  const std::size_t alignment = size >= huge_page ? huge_page : small_alignment;
  const std::size_t wanted = size == 0 ? 1 : size;
  const std::size_t rounded = (wanted + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) return nullptr;
  if (alignment == huge_page) madvise(memory, rounded, MADV_HUGEPAGE);  // a wish; may be refused
  blocks_.emplace(memory, size);
  used_ += size;
  return memory;
}

void DeviceMemory::free(void* memory) {
  const auto found = blocks_.find(memory);
  if (found == blocks_.end()) return;
  used_ -= found->second;
  blocks_.erase(found);
  std::free(memory);
}

}  // namespace gridspan::devices::cpu
