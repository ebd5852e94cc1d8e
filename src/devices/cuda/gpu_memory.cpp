// Ranges from the driver, slabs cut first-fit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/gpu_memory.h"

#include "devices/cuda/host_units.h"
#include "devices/cuda/peers.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace gridspan::devices::cuda {
namespace {

constexpr std::size_t block_unit = 256;  // blocks of a slab are multiples of it

std::size_t round_up(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }

/// The range that holds the address.
template <class Ranges>
auto range_at(Ranges& ranges, Address address) {
  const auto after = ranges.upper_bound(address);
  if (after == ranges.begin()) return ranges.end();
  const auto range = std::prev(after);
  return address - range->first < range->second.bytes ? range : ranges.end();
}

}  // namespace

void* GpuMemory::take(std::size_t size, std::size_t alignment) {
  if (size > PTRDIFF_MAX) return nullptr;  // would wrap when rounded up
  const std::scoped_lock lock(mutex_);
  if (gpu_.make_current() != success) return nullptr;
  const std::size_t bytes = round_up(std::max<std::size_t>(size, 1), block_unit);
  const Address address = bytes < gpu_.granularity ? take_small(bytes, alignment)
                                                   : map_range(round_up(bytes, gpu_.granularity));
  return reinterpret_cast<void*>(address);
}

DeviceMemory::Beyond GpuMemory::take_beyond(std::size_t size, std::size_t alignment,
                                            std::uint64_t host_bytes) {
  if (size > PTRDIFF_MAX || gpu_.host_node < 0) return {};
  std::unique_lock lock(mutex_);
  if (gpu_.make_current() != success) return {};
  const std::size_t bytes = round_up(std::max<std::size_t>(size, 1), block_unit);
  const bool is_small = bytes < gpu_.granularity;
  if (is_small)
    if (const Address found = find_free(free_in_host_, bytes, alignment))
      return {reinterpret_cast<void*>(found), size};
  const std::size_t whole = round_up(bytes, gpu_.granularity);
  const Address range = map_beyond(whole, host_bytes, lock);
  if (range == 0) return {};
  const Range& made = ranges_.find(range)->second;
  const std::size_t in_host = made.length(made.own, made.physical.size());
  if (!is_small) return {reinterpret_cast<void*>(range), std::min(in_host, size)};
  FreeSpace& free = free_space_at(range);
  add_free(free, range, whole);
  return {reinterpret_cast<void*>(find_free(free, bytes, alignment)), std::min(in_host, size)};
}

void GpuMemory::give_back(void* memory) {
  const auto address = reinterpret_cast<Address>(memory);
  const std::scoped_lock lock(mutex_);
  if (gpu_.make_current() != success) return;
  if (const auto block = blocks_.find(address); block != blocks_.end()) {
    add_free(free_space_at(address), address, block->second);
    blocks_.erase(block);
    return;
  }
  if (const auto range = ranges_.find(address); range != ranges_.end()) remove_range(range);
}

void* GpuMemory::reserve(std::size_t size, std::size_t alignment) {
  if (unit(size) == 0) return take(size, alignment);
  if (size > PTRDIFF_MAX) return nullptr;
  const std::scoped_lock lock(mutex_);
  if (gpu_.make_current() != success) return nullptr;
  const auto range = add_range(round_up(size, gpu_.granularity), unit(size));
  return range == ranges_.end() ? nullptr : reinterpret_cast<void*>(range->first);
}

/// Larger ranges have larger units: each takes calls of the driver, which last.
std::size_t GpuMemory::unit(std::size_t size) const {
  constexpr std::size_t most_units = 128;
  if (size < gpu_.granularity) return 0;
  std::size_t unit = gpu_.granularity;
  while (size / unit >= most_units) unit *= 2;
  return unit;
}

std::size_t GpuMemory::commit(void* memory, std::size_t size) {
  const auto address = reinterpret_cast<Address>(memory);
  const std::scoped_lock lock(mutex_);
  const auto range = range_at(ranges_, address);
  if (range == ranges_.end() || gpu_.make_current() != success) return 0;
  const auto& [base, there] = *range;
  const std::size_t first = (address - base) / there.unit;
  const std::size_t end = first + (size + there.unit - 1) / there.unit;
  return std::min(size, (map_units(range, first, end) - first) * there.unit);
}

void GpuMemory::discard(void* memory, std::size_t size) {
  const auto address = reinterpret_cast<Address>(memory);
  const std::scoped_lock lock(mutex_);
  const auto range = range_at(ranges_, address);
  if (range == ranges_.end() || gpu_.make_current() != success) return;
  const std::size_t unit = range->second.unit;
  const std::size_t first = (address - range->first) / unit;
  for (std::size_t i = first; i * unit < address - range->first + size; ++i) unmap_unit(range, i);
}

bool GpuMemory::holds(const void* address) const {
  const std::scoped_lock lock(mutex_);
  return range_at(ranges_, reinterpret_cast<Address>(address)) != ranges_.end();
}

std::uint64_t GpuMemory::free_bytes() const {
  const std::scoped_lock lock(mutex_);
  std::uint64_t left = room();
  for (const auto& [base, bytes] : free_) left += bytes;
  return left;
}

std::uint64_t GpuMemory::room() const {
  std::uint64_t left = capacity_ - used_;
  std::size_t of_gpu = 0, total = 0;
  if (gpu_.make_current() == success && gpu_.driver.cuMemGetInfo(&of_gpu, &total) == success)
    left = std::min<std::uint64_t>(left, of_gpu);
  return left;
}

std::size_t GpuMemory::Range::length(std::size_t index) const {
  return std::min(unit, bytes - index * unit);
}

std::size_t GpuMemory::Range::length(std::size_t first, std::size_t end) const {
  return first >= end ? 0 : (end - first - 1) * unit + length(end - 1);
}

/// All of it at once; 0 when there is no room.
Address GpuMemory::map_range(std::size_t bytes) {
  const auto range = add_range(bytes, bytes);
  if (range == ranges_.end()) return 0;
  if (map_units(range, 0, 1) == 1) return range->first;
  remove_range(range);
  return 0;
}

/// As much of it as the GPU has room for, but for a spare, then the host's; 0 if that is too much.
/// To clear the host's pages takes long: meanwhile others may use what is there, and nobody knows
/// of the range.
Address GpuMemory::map_beyond(std::size_t bytes, std::uint64_t host_bytes,
                              std::unique_lock<std::mutex>& lock) {
  const std::uint64_t left = room(), spare = spare_beyond(capacity_);
  const auto range = add_range(bytes, unit(bytes));
  if (range == ranges_.end()) return 0;
  auto& [base, there] = *range;
  const std::size_t units = there.physical.size();
  const std::uint64_t own = left > spare ? (left - spare) / there.unit : 0;
  there.own = std::min<std::uint64_t>(own, units);
  std::size_t mapped = 0;
  while (mapped < there.own && map_unit(range, mapped)) ++mapped;
  there.own = mapped;
  bool is_mapped = there.length(mapped, units) <= host_bytes;
  if (is_mapped && mapped < units) {
    lock.unlock();
    const auto length = [&there, mapped](std::size_t i) { return there.length(mapped + i); };
    const std::vector<Physical> host_units = make_host_units(gpu_, units - mapped, length);
    lock.lock();
    for (const Physical made : host_units) {
      if (!is_mapped) gpu_.driver.cuMemRelease(made);
      is_mapped = is_mapped && map_made(range, mapped, made);
      mapped += is_mapped ? 1 : 0;
    }
  }
  if (mapped == units && allow(range, 0, units)) return base;
  remove_range(range);
  return 0;
}

GpuMemory::Ranges::iterator GpuMemory::add_range(std::size_t bytes, std::size_t unit) {
  Address base = 0;
  if (gpu_.driver.cuMemAddressReserve(&base, bytes, 0, 0, 0) != success) return ranges_.end();
  const std::size_t units = (bytes + unit - 1) / unit;
  return ranges_.emplace(base, Range{bytes, unit, std::vector<Physical>(units), units}).first;
}

void GpuMemory::remove_range(Ranges::iterator range) {
  const auto& [base, there] = *range;
  // What a failed kernel leaves can't be unmapped; the memory then goes with the process.
  for (std::size_t i = 0; i < there.physical.size(); ++i) {
    if (!unmap_unit(range, i)) return;
  }
  gpu_.driver.cuMemAddressFree(base, there.bytes);
  ranges_.erase(range);
}

/// Returns the first that has no memory.
std::size_t GpuMemory::map_units(Ranges::iterator range, std::size_t first, std::size_t end) {
  end = std::min(end, range->second.physical.size());
  std::size_t mapped = first;
  while (mapped < end && map_unit(range, mapped)) ++mapped;
  if (mapped == first || allow(range, first, mapped)) return mapped;
  for (std::size_t i = first; i < mapped; ++i) unmap_unit(range, i);
  return first;
}

/// All GPUs that may reach this one's memory may access these units.
bool GpuMemory::allow(Ranges::iterator range, std::size_t first, std::size_t end) {
  return allow(*range, first, end, peers().users(gpu_.gpu));
}

bool GpuMemory::allow(const Ranges::value_type& range, std::size_t first, std::size_t end,
                      const std::vector<Access>& users) const {
  const auto& [base, there] = range;
  return gpu_.driver.cuMemSetAccess(base + first * there.unit, there.length(first, end),
                                    users.data(), users.size()) == success;
}

/// Units that have memory, as many as are neighbours at once. Where the driver refuses, kernels
/// that use them fail, and say so.
void GpuMemory::admit(Gpu user) {
  const std::scoped_lock lock(mutex_);
  if (gpu_.make_current() != success) return;
  for (const auto& range : ranges_) {
    const std::vector<Physical>& units = range.second.physical;
    for (std::size_t first = 0, end = 0; first < units.size(); first = end + 1) {
      end = first;
      while (end < units.size() && units[end] != 0) ++end;
      if (end != first) allow(range, first, end, {{{location_device, user}, access_read_write}});
    }
  }
}

/// Nobody may access it yet.
bool GpuMemory::map_unit(Ranges::iterator range, std::size_t index) {
  const std::size_t bytes = range->second.length(index);
  if (bytes > capacity_ - used_) return false;
  const PhysicalProperties properties = gpu_.memory_properties();
  Physical made = 0;
  if (gpu_.driver.cuMemCreate(&made, bytes, &properties, 0) != success) return false;
  return map_made(range, index, made);
}

/// Takes what was made, whether it succeeds or not; false, too, if there is none.
bool GpuMemory::map_made(Ranges::iterator range, std::size_t index, Physical made) {
  auto& [base, there] = *range;
  const Driver& api = gpu_.driver;
  const std::size_t bytes = there.length(index);
  if (made == 0) return false;
  if (api.cuMemMap(base + index * there.unit, bytes, 0, made, 0) != success) {
    api.cuMemRelease(made);
    return false;
  }
  there.physical[index] = made;
  if (index < there.own) used_ += bytes;
  return true;
}

bool GpuMemory::unmap_unit(Ranges::iterator range, std::size_t index) {
  auto& [base, there] = *range;
  Physical& made = there.physical[index];
  if (made == 0) return true;
  const std::size_t bytes = there.length(index);
  if (gpu_.driver.cuMemUnmap(base + index * there.unit, bytes) != success) return false;
  gpu_.driver.cuMemRelease(made);
  made = 0;
  if (index < there.own) used_ -= bytes;
  return true;
}

Address GpuMemory::take_small(std::size_t size, std::size_t alignment) {
  if (const Address found = find_free(free_, size, alignment)) return found;
  // A GPU that is nearly full may still have room for one unit.
  for (const std::size_t bytes : {round_up(slab_bytes, gpu_.granularity), gpu_.granularity}) {
    const Address slab = map_range(bytes);
    if (slab == 0) continue;
    add_free(free_, slab, bytes);
    return find_free(free_, size, alignment);
  }
  return 0;
}

/// Of the slab that holds the address.
GpuMemory::FreeSpace& GpuMemory::free_space_at(Address address) {
  const auto slab = range_at(ranges_, address);
  return slab != ranges_.end() && slab->second.own == 0 ? free_in_host_ : free_;
}

Address GpuMemory::find_free(FreeSpace& free, std::size_t size, std::size_t alignment) {
  for (auto at = free.begin(); at != free.end(); ++at) {
    const auto [base, bytes] = *at;
    const Address start = round_up(base, alignment);
    const std::size_t before = start - base;
    if (bytes < before || bytes - before < size) continue;
    free.erase(at);
    if (before != 0) free.emplace(base, before);
    if (bytes - before != size) free.emplace(start + size, bytes - before - size);
    blocks_.emplace(start, size);
    return start;
  }
  return 0;
}

/// Slabs that happen to touch may be joined: none is ever given back.
void GpuMemory::add_free(FreeSpace& free, Address base, std::size_t bytes) {
  auto after = free.upper_bound(base);
  if (after != free.end() && base + bytes == after->first) {
    bytes += after->second;
    after = free.erase(after);
  }
  if (after != free.begin()) {
    auto& [before, length] = *std::prev(after);
    if (before + length == base) {
      length += bytes;
      return;
    }
  }
  free.emplace(base, bytes);
}

}  // namespace gridspan::devices::cuda
