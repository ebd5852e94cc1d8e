// Ranges from the driver, slabs cut first-fit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/gpu_memory.h"

#include "devices/cuda/peers.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace gridspan::devices::cuda {
namespace {

constexpr std::size_t unit = 256;  // blocks of a slab are multiples of it

std::size_t round_up(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }

}  // namespace

void* GpuMemory::take(std::size_t size, std::size_t alignment) {
  if (size > PTRDIFF_MAX) return nullptr;  // would wrap when rounded up
  const std::scoped_lock lock(mutex_);
  if (gpu_.make_current() != success) return nullptr;
  const std::size_t bytes = round_up(std::max<std::size_t>(size, 1), unit);
  const Address address = bytes < gpu_.granularity ? take_small(bytes, alignment)
                                                   : map_range(round_up(bytes, gpu_.granularity));
  return reinterpret_cast<void*>(address);
}

void GpuMemory::give_back(void* memory) {
  const auto address = reinterpret_cast<Address>(memory);
  const std::scoped_lock lock(mutex_);
  if (gpu_.make_current() != success) return;
  if (const auto block = blocks_.find(address); block != blocks_.end()) {
    add_free(address, block->second);
    blocks_.erase(block);
    return;
  }
  if (const auto range = ranges_.find(address); range != ranges_.end()) {
    unmap_range(address, range->second);
  }
}

bool GpuMemory::holds(const void* address) const {
  const auto at = reinterpret_cast<Address>(address);
  const std::scoped_lock lock(mutex_);
  const auto after = ranges_.upper_bound(at);
  if (after == ranges_.begin()) return false;
  const auto& [base, bytes] = *std::prev(after);
  return at - base < bytes;
}

/// 0 when there is no room.
Address GpuMemory::map_range(std::size_t bytes) {
  if (bytes > capacity_ - used_) return 0;
  const Driver& api = gpu_.driver;
  const PhysicalProperties properties = gpu_.memory_properties();
  const std::vector<Access> users = peers().users(gpu_.gpu);
  Address base = 0;
  Physical physical = 0;
  if (api.cuMemAddressReserve(&base, bytes, 0, 0, 0) != success) return 0;
  const bool is_made = api.cuMemCreate(&physical, bytes, &properties, 0) == success;
  const bool is_mapped = is_made && api.cuMemMap(base, bytes, 0, physical, 0) == success;
  if (is_mapped && api.cuMemSetAccess(base, bytes, users.data(), users.size()) == success) {
    ranges_.emplace(base, bytes);
    physical_.emplace(base, physical);
    used_ += bytes;
    return base;
  }
  if (is_mapped) api.cuMemUnmap(base, bytes);
  if (is_made) api.cuMemRelease(physical);
  api.cuMemAddressFree(base, bytes);
  return 0;
}

void GpuMemory::unmap_range(Address base, std::size_t bytes) {
  const Driver& api = gpu_.driver;
  // What a failed kernel leaves can't be unmapped; the memory then goes with the process.
  if (api.cuMemUnmap(base, bytes) != success) return;
  api.cuMemRelease(physical_.at(base));
  api.cuMemAddressFree(base, bytes);
  physical_.erase(base);
  ranges_.erase(base);
  used_ -= bytes;
}

Address GpuMemory::take_small(std::size_t size, std::size_t alignment) {
  if (const Address found = find_free(size, alignment)) return found;
  // A GPU that is nearly full may still have room for one unit.
  for (const std::size_t bytes : {round_up(slab_bytes, gpu_.granularity), gpu_.granularity}) {
    const Address slab = map_range(bytes);
    if (slab == 0) continue;
    add_free(slab, bytes);
    return find_free(size, alignment);
  }
  return 0;
}

Address GpuMemory::find_free(std::size_t size, std::size_t alignment) {
  for (auto at = free_.begin(); at != free_.end(); ++at) {
    const auto [base, bytes] = *at;
    const Address start = round_up(base, alignment);
    const std::size_t before = start - base;
    if (bytes < before || bytes - before < size) continue;
    free_.erase(at);
    if (before != 0) free_.emplace(base, before);
    if (bytes - before != size) free_.emplace(start + size, bytes - before - size);
    blocks_.emplace(start, size);
    return start;
  }
  return 0;
}

/// Slabs that happen to touch may be joined: none is ever given back.
void GpuMemory::add_free(Address base, std::size_t bytes) {
  auto after = free_.upper_bound(base);
  if (after != free_.end() && base + bytes == after->first) {
    bytes += after->second;
    after = free_.erase(after);
  }
  if (after != free_.begin()) {
    auto& [before, length] = *std::prev(after);
    if (before + length == base) {
      length += bytes;
      return;
    }
  }
  free_.emplace(base, bytes);
}

}  // namespace gridspan::devices::cuda
