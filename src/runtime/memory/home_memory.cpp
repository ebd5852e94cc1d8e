// Allocates, and refuses honestly what the machine cannot hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/home_memory.h"

#include "devices/machine/memory_room.h"
#include "devices/own_pages.h"
#include "support/log.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace gridspan::runtime {

namespace {

constexpr std::size_t page = 4096;
// Below this a look into /proc costs more than it could save.
constexpr std::size_t worth_asking = std::size_t{64} << 20;

/// But for a reserve.
std::size_t machine_available() {
  return HomeMemory::keep_reserve(devices::machine::memory_room());
}

std::size_t round_up(std::size_t size, std::size_t unit) { return (size + unit - 1) / unit * unit; }

/// Gives back the pages of imported memory.
void munmap_pages(const Allocation& allocation) {
  const std::uintptr_t start = allocation.base / page * page;
  munmap(reinterpret_cast<void*>(start), allocation.end() - start);
}

/// Exported memory is about to go back where it came from, which others must not see.
void make_private(const Allocation& allocation) {
  const void* const made =
      mmap(reinterpret_cast<void*>(allocation.base), round_up(allocation.size, page),
           PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (made == MAP_FAILED)
    support::log(support::LogLevel::error,
                 "exported memory at %p is still shared after it was freed: %s",
                 reinterpret_cast<const void*>(allocation.base), std::strerror(errno));
}

}  // namespace

/// Managed memory is everybody's: where devices have memories of their own, it is none of theirs,
/// and where the host does not reach them it is the host's.
bool HomeMemory::comes_from_device(MemoryKind kind) const {
  return kind == MemoryKind::device || kind == MemoryKind::symbol || kind == MemoryKind::exported ||
         (kind == MemoryKind::managed && !is_shared_out_ && is_home_in_reach());
}

std::size_t HomeMemory::used() const {
  return table_.bytes(MemoryKind::device) + table_.bytes(MemoryKind::exported) +
         table_.bytes(MemoryKind::symbol) + table_.bytes(MemoryKind::managed) +
         table_.bytes(MemoryKind::host);
}

std::size_t HomeMemory::available() const {
  if (!is_home_in_reach()) return std::min<std::uint64_t>(total(), device_.memory().free_bytes());
  return std::min(total() - std::min(used(), total()), machine_available());
}

bool HomeMemory::has_room(std::size_t size, MemoryKind kind) const {
  if (!is_home_in_reach()) return gpu_has_room(size, kind);
  if (size > total() - std::min(used(), total())) return false;
  return size < worth_asking || size <= machine_available();
}

/// Of its own memory the GPU says itself what it has. Managed memory may be more than it has: pages
/// go to and fro.
bool HomeMemory::gpu_has_room(std::size_t size, MemoryKind kind) const {
  if (comes_from_device(kind)) return size <= total();
  if (size < worth_asking) return true;
  const std::size_t of_host = machine_available();
  return size <= of_host ||
         (kind == MemoryKind::managed && size - of_host <= device_.memory().free_bytes());
}

void* HomeMemory::import(int file, std::size_t offset, std::size_t size, unsigned flags,
                         int device) {
  if (pinning_) return nullptr;  // GPUs would not reach it
  const std::size_t before = offset % page;
  void* const mapped = mmap(nullptr, before + size, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                            static_cast<off_t>(offset - before));
  if (mapped == MAP_FAILED) return nullptr;
  char* const memory = static_cast<char*>(mapped) + before;
  table_.drop_stale_registrations(memory, size);
  table_.insert(
      {reinterpret_cast<std::uintptr_t>(memory), size, MemoryKind::imported, flags, device});
  return memory;
}

void* HomeMemory::allocate(std::size_t size, MemoryKind kind, unsigned flags, int device) {
  if (!has_room(size, kind)) return nullptr;
  const bool on_device = comes_from_device(kind);
  const std::size_t rounded = round_up(size, on_device ? granularity : page);
  void* memory = nullptr;
  if (on_device) {
    memory = is_range(rounded) ? device_.memory().reserve(rounded)
                               : device_.memory().allocate(rounded + margin_);
  } else {
    memory = allocate_host(round_up(rounded + margin_, page), kind);
  }
  if (!memory) {
    if (kept_.empty()) return nullptr;
    release_kept(0);
    return allocate(size, kind, flags, device);
  }
  return insert(memory, rounded, size, kind, flags, device);
}

void* HomeMemory::insert(void* memory, std::size_t rounded, std::size_t requested, MemoryKind kind,
                         unsigned flags, int device, std::size_t beyond) {
  table_.drop_stale_registrations(memory, rounded);
  Allocation made{reinterpret_cast<std::uintptr_t>(memory), rounded, kind, flags, device};
  made.requested = requested;
  made.beyond = std::min(beyond, rounded);
  table_.insert(made);
  return memory;
}

void* HomeMemory::allocate_beyond(std::size_t size, MemoryKind kind, int device) {
  const bool is_meant = kind == MemoryKind::device || kind == MemoryKind::symbol;
  if (!may_go_beyond_ || !is_meant || is_home_in_reach()) return nullptr;
  const std::size_t of_host = machine_available();
  if (size > total() && size - total() > of_host) return nullptr;
  const std::size_t rounded = round_up(size, granularity);
  const auto [memory, in_host] = device_.memory().allocate_beyond(rounded + margin_, of_host);
  if (!memory) return nullptr;
  constexpr double megabyte = 1e6;
  const bool is_first = !has_gone_beyond_.exchange(true);
  support::log(is_first ? support::LogLevel::warn : support::LogLevel::info,
               "memory: %.0f of %.0f MB that the program allocates lie in the host's memory: the "
               "GPU has no room for them, and reaches them over the bus "
               "(GRIDSPAN_OVERSUBSCRIBE=strict forbids that)",
               static_cast<double>(in_host) / megabyte, static_cast<double>(size) / megabyte);
  return insert(memory, rounded, size, kind, 0, device, in_host);
}

void HomeMemory::keep_apart() {
  margin_ = granularity;
  most_kept_ = std::min<std::size_t>(total() / 32, std::size_t{256} << 20);
}

void HomeMemory::release_kept(std::size_t most) {
  std::vector<Allocation> gone;
  {
    const std::scoped_lock lock(kept_mutex_);
    for (; kept_bytes_ > most; kept_.pop_front()) {
      kept_bytes_ -= kept_.front().size;
      gone.push_back(kept_.front());
    }
  }
  for (const Allocation& allocation : gone) give_back(allocation);
}

void* HomeMemory::allocate_host(std::size_t size, MemoryKind kind) const {
  if (!pinning_) return std::aligned_alloc(page, size);
  return kind == MemoryKind::managed ? pinning_->allocate_managed(size)
                                     : pinning_->allocate_host(size);
}

bool HomeMemory::register_host(void* memory, std::size_t size) {
  return !pinning_ || pinning_->register_host(memory, size);
}

void HomeMemory::unregister_host(void* memory) {
  if (pinning_) pinning_->unregister_host(memory);
}

bool HomeMemory::pin(const void* variable, std::size_t size) {
  return !pinning_ || pinned_.pin(*pinning_, variable, size);
}

void HomeMemory::unpin(const void* variable, std::size_t size) {
  if (pinning_) pinned_.unpin(*pinning_, variable, size);
}

bool HomeMemory::share(const Allocation& allocation, int file) {
  if (pinning_) return false;  // GPUs would go on with the pages it had
  const bool has_own_pages = is_shared_out_ || allocation.size >= devices::own_pages;
  if (!has_own_pages || allocation.base % page != 0) return false;
  const std::size_t bytes = round_up(allocation.size, page);
  void* const memory = reinterpret_cast<void*>(allocation.base);
  if (mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
    return false;
  }
  table_.forget(memory, allocation.kind);
  note_released(allocation.base);  // copies of it that devices have are no longer what it holds
  Allocation shared = allocation;
  shared.kind = MemoryKind::exported;
  table_.insert(shared);
  return true;
}

void HomeMemory::release(const Allocation& allocation) {
  note_released(allocation.base);
  if (allocation.kind == MemoryKind::imported) {
    munmap_pages(allocation);
    return;
  }
  if (allocation.kind == MemoryKind::exported) make_private(allocation);
  if (is_managed_kind(allocation.kind)) advice_.forget(allocation.base, allocation.size);
  if (allocation.size > most_kept_) return give_back(allocation);
  {
    const std::scoped_lock lock(kept_mutex_);
    kept_.push_back(allocation);
    kept_bytes_ += allocation.size;
  }
  release_kept(most_kept_);
}

/// No more than half of what the machine has to spare: the system needs pages that it can move.
bool HomeMemory::lock_pages(std::uintptr_t base) {
  const Lookup found = table_.find(reinterpret_cast<const void*>(base));
  if (!pinning_ || !is_home_in_reach() || !found.is_held() || found.allocation.base != base)
    return false;
  const Allocation& allocation = found.allocation;
  constexpr std::size_t worth_locking = std::size_t{4} << 20;
  const bool has_own_pages =
      allocation.size >= worth_locking && is_range(allocation.size) && base % page == 0;
  if (!has_own_pages || allocation.kind != MemoryKind::device) return false;
  const std::size_t bytes = round_up(allocation.size, page);
  const std::scoped_lock lock(locked_mutex_);
  if (locked_.contains(base)) return true;
  if (locked_bytes_ + bytes > machine_available() / 2) return false;
  void* const memory = reinterpret_cast<void*>(base);
  if (!pinning_->register_host(memory, bytes)) return false;
  // Else, after a fork, what the process writes would go to pages that devices do not see.
  madvise(memory, bytes, MADV_DONTFORK);
  locked_.emplace(base, bytes);
  locked_bytes_ += bytes;
  return true;
}

void HomeMemory::unlock_pages(std::uintptr_t base) {
  const std::scoped_lock lock(locked_mutex_);
  const auto found = locked_.find(base);
  if (found == locked_.end()) return;
  void* const memory = reinterpret_cast<void*>(base);
  pinning_->unregister_host(memory);
  madvise(memory, found->second, MADV_DOFORK);
  locked_bytes_ -= found->second;
  locked_.erase(found);
}

void HomeMemory::give_back(const Allocation& allocation) {
  void* memory = reinterpret_cast<void*>(allocation.base);
  if (pinning_) unlock_pages(allocation.base);
  if (!comes_from_device(allocation.kind)) {
    if (!pinning_)
      std::free(memory);
    else if (allocation.kind == MemoryKind::managed)
      pinning_->free_managed(memory);
    else
      pinning_->free_host(memory);
    return;
  }
  if (is_range(allocation.size))
    device_.memory().release(memory, allocation.size);
  else
    device_.memory().free(memory);
}

}  // namespace gridspan::runtime
