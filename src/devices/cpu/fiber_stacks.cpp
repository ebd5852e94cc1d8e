// Fibers and their stacks, kept by a worker and lent to the blocks it runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/fiber_stacks.h"

#include "devices/cpu/address_pool.h"
#include "devices/cpu/fiber_worker.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace gridspan::devices::cpu {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t fibers_per_slab = 64;

/// Stacks that start at equal page offsets compete for the same few cache lines: each begins a
/// little lower than its neighbour.
std::size_t colour(std::size_t index) { return index % 16 * 192 + index / 16 % 4 * 64; }

}  // namespace

void FiberPool::set_stack_bytes(std::size_t bytes) {
  const std::size_t wanted = round_up(bytes, page) + page;  // one page for colours
  if (wanted == stack_bytes_) return;
  release_all();
  stack_bytes_ = wanted;
}

void FiberPool::grow() {
  const std::size_t stride = fiber_guard_bytes + stack_bytes_;
  const std::size_t size = stride * fibers_per_slab;
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  // One touched page must not become 2 MiB.
  madvise(memory, size, MADV_NOHUGEPAGE);
  slabs_.push_back({static_cast<char*>(memory), size});
  for (std::size_t i = 0; i < fibers_per_slab; ++i) {
    char* guard = static_cast<char*>(memory) + i * stride;
    // Fails when the process has too many mappings (vm.max_map_count); then this stack merely
    // grows 64 KiB further before it meets its neighbour.
    mprotect(guard, fiber_guard_bytes, PROT_NONE);
    Fiber& fiber = fibers_.emplace_back();
    fiber.worker = &worker_;
    fiber.stack_low = guard + fiber_guard_bytes;
    fiber.stack_size = stack_bytes_ - colour(fibers_.size());
  }
  for (std::size_t i = 1; i <= fibers_per_slab; ++i) {
    free_.push_back(&fibers_[fibers_.size() - i]);
  }
}

void FiberPool::take(std::uint32_t count, std::vector<Fiber*>& fibers) {
  while (free_.size() < count) grow();
  for (std::uint32_t i = 0; i < count; ++i) {
    Fiber* fiber = free_.back();
    free_.pop_back();
    if (fiber->context.machine == nullptr) {
      make_context(fiber->context, fiber->stack_low, fiber->stack_size, &FiberWorker::fiber_main,
                   fiber);
    }
    fibers.push_back(fiber);
  }
}

void FiberPool::give_back(std::vector<Fiber*>& fibers) {
  for (; !fibers.empty(); fibers.pop_back()) {
    Fiber* fiber = fibers.back();
    if (fiber->state != FiberState::left || fiber->is_abandoned) destroy_context(fiber->context);
    fiber->is_abandoned = false;
    free_.push_back(fiber);
  }
}

bool FiberPool::has_stack_at(std::uintptr_t address) const {
  return std::ranges::any_of(slabs_, [address](const Slab& slab) {
    return address - reinterpret_cast<std::uintptr_t>(slab.memory) < slab.size;
  });
}

void FiberPool::release_all() {
  for (Fiber& fiber : fibers_) destroy_context(fiber.context);
  fibers_.clear();
  free_.clear();
  for (const Slab& slab : slabs_) munmap(slab.memory, slab.size);
  slabs_.clear();
}

}  // namespace gridspan::devices::cpu
