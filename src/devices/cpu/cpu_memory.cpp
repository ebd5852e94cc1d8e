// The CPU device's memory: host memory, aligned and counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/cpu_memory.h"

#include "devices/cpu/sanitizers.h"
#include "devices/own_pages.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace gridspan::devices::cpu {
namespace {

constexpr std::size_t small_alignment = 256;

// Address space costs nothing: much at a time keeps the number of mappings small.
constexpr std::size_t small_slab = std::size_t{256} << 20;
constexpr std::size_t large_slab = std::size_t{16} << 30;

/// Of an allocation.
std::size_t alignment_for(std::size_t size) {
  return size >= huge_page ? huge_page : size >= own_pages ? page_bytes() : small_alignment;
}
/// With a byte behind the block at least: the pointer to its end is no other block's.
std::size_t block_bytes(std::size_t size) { return round_up(size + 1, alignment_for(size)); }

/// Of a reserved range.
std::size_t range_alignment(std::size_t size) {
  return size >= huge_page ? huge_page : page_bytes();
}
std::size_t range_bytes(std::size_t size) { return round_up(size + 1, range_alignment(size)); }

// A cache that knows memory by its physical address keeps what is a multiple of 128 KiB apart in
// huge pages in the same few lines, and elements of several arrays with the same subscript are just
// that if all arrays begin with a huge page: a stencil on a Xeon of 2023 took up to twice as long.
// So large blocks and ranges begin at different pages of their first huge page.
void* begin_in(void* base, std::size_t size) {
  constexpr std::size_t beginnings = 32, far_from_the_last = 13;
  if (size < huge_page || base == nullptr) return base;
  const std::size_t number = reinterpret_cast<std::uintptr_t>(base) / huge_page;
  return static_cast<char*>(base) + number * far_from_the_last % beginnings * page_bytes();
}
void* base_of(void* memory, std::size_t size) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  return size >= huge_page ? reinterpret_cast<void*>(address / huge_page * huge_page) : memory;
}

// Programs that allocate anew at each step would spend their time with Linux.
constexpr std::size_t small_range = std::size_t{64} << 10;

/// What is taken from a pool.
std::size_t with_beginning(std::size_t size, std::size_t bytes) {
  return size >= huge_page ? bytes + huge_page : bytes;
}

// What a program reads or writes a little beyond a block, which GPUs let pass, hits nobody: behind
// smaller blocks the pool has other blocks, as GPUs have, and behind each on the heap there is a
// margin, which costs address space only. With AddressSanitizer it is what is looked for.
#ifdef GRIDSPAN_ADDRESS_SANITIZER
constexpr std::size_t least_on_heap = 0, heap_margin = 0, least_mapped = SIZE_MAX;
#else
constexpr std::size_t least_on_heap = huge_page, heap_margin = huge_page;
constexpr std::size_t least_mapped = MappedBlocks::least;
#endif

void* heap_allocate(std::size_t size, std::size_t unit) {
  void* memory = std::aligned_alloc(unit, size);
  if (memory != nullptr && unit == huge_page) {
    madvise(memory, size, MADV_HUGEPAGE);  // a wish; may be refused
  }
  return memory;
}

}  // namespace

CpuMemory::CpuMemory(const Options& options)
    : options_(options),
      small_({.slab_bytes = small_slab,
              .numa_node = options.numa_node,
              .kept_bytes = options.is_separate ? small_range : SIZE_MAX}),
      large_({.slab_bytes = large_slab, .huge_pages = true, .numa_node = options.numa_node}) {}

CpuMemory::~CpuMemory() {
  for (const auto& [memory, size] : blocks_)
    if (source(size) != Source::pool) give_back(memory, size);
}

CpuMemory::Source CpuMemory::source(std::size_t size) const {
  if (options_.is_separate || size < least_on_heap) return Source::pool;
  return size < least_mapped ? Source::heap : Source::mapping;
}

void* CpuMemory::allocate(std::size_t size) {
  if (size > PTRDIFF_MAX) return nullptr;  // would wrap when rounded up
  const std::scoped_lock lock(mutex_);
  if (size > options_.capacity - used_) return nullptr;
  void* memory = take(size);
  if (memory == nullptr) return nullptr;
  blocks_.emplace(memory, size);
  used_ += size;
  return memory;
}

void* CpuMemory::take(std::size_t size) {
  const std::size_t bytes = block_bytes(size);
  switch (source(size)) {
    case Source::pool:
      return begin_in(pool_for(size).take(with_beginning(size, bytes), alignment_for(size)), size);
    case Source::heap: {
      void* const base = heap_allocate(bytes + heap_margin, alignment_for(size));
      return heap_margin == 0 ? base : begin_in(base, size);
    }
    case Source::mapping:
      return begin_in(mapped_.map(bytes + heap_margin), size);
  }
  return nullptr;
}

void CpuMemory::free(void* memory) {
  const std::scoped_lock lock(mutex_);
  const auto found = blocks_.find(memory);
  if (found == blocks_.end()) return;
  const std::size_t size = found->second;
  blocks_.erase(found);
  used_ -= size;
  give_back(memory, size);
}

void CpuMemory::give_back(void* memory, std::size_t size) {
  void* const base = base_of(memory, size);
  const std::size_t bytes = block_bytes(size);
  switch (source(size)) {
    case Source::pool:
      return pool_for(size).give_back(base, with_beginning(size, bytes));
    case Source::heap:
      return std::free(base);
    case Source::mapping:
      return mapped_.unmap(base, bytes + heap_margin);
  }
}

AddressPool& CpuMemory::pool_for(std::size_t size) { return size >= huge_page ? large_ : small_; }

void* CpuMemory::reserve(std::size_t size) {
  if (size > PTRDIFF_MAX) return nullptr;  // would wrap when rounded up
  const std::size_t bytes = with_beginning(size, range_bytes(size));
  return begin_in(pool_for(size).take(bytes, range_alignment(size)), size);
}

void CpuMemory::release(void* memory, std::size_t size) {
  if (range_bytes(size) > small_range) discard_pages(memory, range_bytes(size));
  pool_for(size).give_back(base_of(memory, size), with_beginning(size, range_bytes(size)));
}

bool CpuMemory::protect(bool on) { return small_.protect(on) && large_.protect(on); }

RunResult CpuMemory::copy_all(std::span<const BoxMove> moves) {
  for (const BoxMove& move : moves) copy_box(move.to, move.from, move.extent);
  return {};
}

RunResult CpuMemory::fill(const Pitched& to, const Extent& extent, unsigned char value) {
  fill_box(to, extent, value);
  return {};
}

}  // namespace gridspan::devices::cpu
