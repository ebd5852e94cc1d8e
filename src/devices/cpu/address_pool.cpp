// A supply of address space, backed by memory where it is touched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/address_pool.h"

#include "devices/cpu/margin.h"
#include "support/log.h"

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iterator>

namespace gridspan::devices::cpu {
namespace {

constexpr std::size_t most_alignment = std::size_t{2} << 20;

std::uintptr_t aligned_up(std::uintptr_t value, std::size_t unit) {
  return (value + unit - 1) & ~std::uintptr_t{unit - 1};
}

/// *Preferred*, not *bound*: when the node is full, memory elsewhere is better than being killed.
/// By system call: this one call is not worth a dependency on libnuma.
void prefer_node(void* memory, std::size_t size, int node) {
  constexpr unsigned bits = 8 * sizeof(unsigned long);
  unsigned long nodes[16] = {};
  const auto number = static_cast<unsigned>(node);
  if (number >= bits * std::size(nodes)) return;
  nodes[number / bits] = 1ul << number % bits;
  // The kernel reads one bit less than it is told.
  constexpr unsigned long count = bits * std::size(nodes) + 1;
  if (syscall(SYS_mbind, memory, size, MPOL_PREFERRED, nodes, count, 0) == 0) return;
  support::log(support::LogLevel::info, "memory is not bound to NUMA node %d: %s", node,
               std::strerror(errno));
}

}  // namespace

std::size_t page_bytes() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

void discard_pages(void* memory, std::size_t size) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = aligned_up(begin, page_bytes());
  const std::uintptr_t end = (begin + size) & ~std::uintptr_t{page_bytes() - 1};
  if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
}

AddressPool::~AddressPool() {
  for (const Slab& slab : slabs_) munmap(slab.memory, slab.size);
}

void* AddressPool::take(std::size_t size, std::size_t alignment) {
  if (size > PTRDIFF_MAX - 2 * (most_alignment + margin)) return nullptr;
  const std::scoped_lock lock(mutex_);
  if (void* memory = take_from_free(size, alignment)) return memory;
  return add_slab(size) ? take_from_free(size, alignment) : nullptr;
}

void AddressPool::give_back(void* memory, std::size_t size) {
  // Before anybody else can have it. A page shared with a neighbour keeps its memory.
  if (size > kind_.kept_bytes) discard_pages(memory, size);
  const std::scoped_lock lock(mutex_);
  add_free(reinterpret_cast<std::uintptr_t>(memory), size);
}

bool AddressPool::protect(bool on) {
  const std::scoped_lock lock(mutex_);
  is_protected_ = on;
  bool done = true;
  for (const Slab& slab : slabs_) {
    done &= mprotect(slab.memory, slab.size, on ? PROT_NONE : PROT_READ | PROT_WRITE) == 0;
  }
  return done;
}

void* AddressPool::take_from_free(std::size_t size, std::size_t alignment) {
  for (auto stretch = by_size_.lower_bound({size, 0}); stretch != by_size_.end(); ++stretch) {
    const auto [room, begin] = *stretch;
    const std::uintptr_t at = aligned_up(begin, alignment);
    if (at - begin > room || room - (at - begin) < size) continue;
    forget_free(begin, room);
    if (at != begin) note_free(begin, at - begin);
    if (at + size != begin + room) note_free(at + size, begin + room - at - size);
    return reinterpret_cast<void*>(at);
  }
  return nullptr;
}

/// A slab of the usual size, or of just `least` bytes if that is more or Linux has no more.
bool AddressPool::add_slab(std::size_t least) {
  const std::size_t needed = aligned_up(least + most_alignment + 2 * margin, page_bytes());
  void* memory = MAP_FAILED;
  std::size_t size = 0;
  for (const std::size_t wanted : {kind_.slab_bytes, needed}) {
    if (wanted < needed) continue;
    size = wanted;
    memory = mmap(nullptr, size, is_protected_ ? PROT_NONE : PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) break;
  }
  if (memory == MAP_FAILED) return false;
  if (kind_.huge_pages) madvise(memory, size, MADV_HUGEPAGE);  // a wish; may be refused
  if (kind_.numa_node >= 0) prefer_node(memory, size, kind_.numa_node);
  slabs_.push_back({memory, size});
  add_free(reinterpret_cast<std::uintptr_t>(memory) + margin, size - 2 * margin);
  return true;
}

void AddressPool::add_free(std::uintptr_t begin, std::size_t size) {
  const auto after = free_.lower_bound(begin);
  if (after != free_.end() && after->first == begin + size) {
    const std::size_t more = after->second;
    forget_free(begin + size, more);
    size += more;
  }
  if (const auto next = free_.lower_bound(begin); next != free_.begin()) {
    const auto [address, room] = *std::prev(next);
    if (address + room == begin) {
      forget_free(address, room);
      begin = address;
      size += room;
    }
  }
  note_free(begin, size);
}

void AddressPool::note_free(std::uintptr_t begin, std::size_t size) {
  free_.emplace(begin, size);
  by_size_.emplace(size, begin);
}

void AddressPool::forget_free(std::uintptr_t begin, std::size_t size) {
  free_.erase(begin);
  by_size_.erase({size, begin});
}

}  // namespace gridspan::devices::cpu
