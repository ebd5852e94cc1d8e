// The largest blocks: each a mapping of its own, and a fault for a while after it was freed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/mapped_blocks.h"

#include "devices/cpu/address_pool.h"
#include "devices/cpu/margin.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <cstdint>

namespace gridspan::devices::cpu {
namespace {

// Freed addresses that stay reserved: few mappings, a small part of the 128 TiB that there are.
constexpr std::size_t most_freed = 64, most_freed_bytes = std::size_t{1} << 40;

constexpr int anonymous = MAP_PRIVATE | MAP_ANONYMOUS;

/// Under `ulimit -v` reserved addresses count as if they were memory.
bool has_addresses_to_spare() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
}

/// Unmaps what a mapping has outside the block that is kept of it.
void cut(std::uintptr_t begin, std::uintptr_t end) {
  if (begin < end) munmap(reinterpret_cast<void*>(begin), end - begin);
}

}  // namespace

MappedBlocks::MappedBlocks() : keeps_addresses_(has_addresses_to_spare()) {}

MappedBlocks::~MappedBlocks() {
  while (!freed_.empty()) forget_oldest();
}

void* MappedBlocks::map(std::size_t size) {
  constexpr std::size_t beside = huge_page + margin;
  if (size > PTRDIFF_MAX - beside) return nullptr;
  void* const mapping = mmap(nullptr, size + beside, PROT_READ | PROT_WRITE, anonymous, -1, 0);
  if (mapping == MAP_FAILED) {
    if (freed_.empty()) return nullptr;
    while (!freed_.empty()) forget_oldest();
    return map(size);
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(mapping);
  const std::uintptr_t block = (begin + margin + huge_page - 1) / huge_page * huge_page;
  cut(begin, block - margin);
  cut(block + size, begin + size + beside);
  void* const memory = reinterpret_cast<void*>(block);
  madvise(memory, size, MADV_HUGEPAGE);  // a wish; may be refused
  return memory;
}

void MappedBlocks::unmap(void* block, std::size_t bytes) {
  void* const memory = static_cast<char*>(block) - margin;
  const std::size_t size = bytes + margin;
  constexpr int reserved = anonymous | MAP_NORESERVE | MAP_FIXED;
  if (!keeps_addresses_ || mmap(memory, size, PROT_NONE, reserved, -1, 0) == MAP_FAILED) {
    munmap(memory, size);
    return;
  }
  freed_.emplace_back(memory, size);
  freed_bytes_ += size;
  while (freed_.size() > most_freed || freed_bytes_ > most_freed_bytes) forget_oldest();
}

void MappedBlocks::forget_oldest() {
  const auto [memory, size] = freed_.front();
  munmap(memory, size);
  freed_bytes_ -= size;
  freed_.pop_front();
}

}  // namespace gridspan::devices::cpu
