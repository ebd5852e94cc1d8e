// Reserves, creates and maps with what the operating system has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/virtual_memory.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace gridspan::runtime::driver {

namespace {

void* at(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

constexpr int nothing_there = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

bool is_multiple(std::uintptr_t number) { return number % mapping_granularity == 0; }

CUresult refuse_range(const char* call, std::uintptr_t base, std::size_t size, const char* what) {
  return refuse(call, CUDA_ERROR_INVALID_VALUE, "%p + %zu bytes %s", at(base), size, what);
}

}  // namespace

Physical::~Physical() { close(file); }

VirtualMemory& virtual_memory() {
  static VirtualMemory& instance = *new VirtualMemory;
  return instance;
}

CUresult VirtualMemory::reserve(std::size_t size, std::size_t alignment, std::uintptr_t wanted,
                                std::uintptr_t& base) {
  alignment = std::max(alignment, mapping_granularity);
  if (size == 0 || !is_multiple(size) || (alignment & (alignment - 1)) != 0) {
    return refuse("cuMemAddressReserve", CUDA_ERROR_INVALID_VALUE, "%zu bytes aligned to %zu", size,
                  alignment);
  }
  std::size_t with_room = 0;
  void* const hint = wanted % alignment == 0 ? at(wanted) : nullptr;
  void* const mapped = __builtin_add_overflow(size, alignment, &with_room)
                           ? MAP_FAILED
                           : mmap(hint, with_room, PROT_NONE, nothing_there, -1, 0);
  if (mapped == MAP_FAILED) {
    return refuse("cuMemAddressReserve", CUDA_ERROR_OUT_OF_MEMORY, "no %zu addresses are free",
                  size);
  }
  const auto start = reinterpret_cast<std::uintptr_t>(mapped);
  base = (start + alignment - 1) / alignment * alignment;
  if (base > start) munmap(mapped, base - start);
  if (start + alignment > base) munmap(at(base + size), start + alignment - base);
  const std::scoped_lock lock(mutex_);
  reservations_[base] = size;
  return CUDA_SUCCESS;
}

CUresult VirtualMemory::free(std::uintptr_t base, std::size_t size) {
  const std::scoped_lock lock(mutex_);
  const auto found = reservations_.find(base);
  if (found == reservations_.end() || found->second != size) {
    return refuse_range("cuMemAddressFree", base, size, "were not reserved");
  }
  const auto mapping = mappings_.lower_bound(base);
  if (mapping != mappings_.end() && mapping->first < base + size) {
    return refuse_range("cuMemAddressFree", base, size, "are still mapped");
  }
  munmap(at(base), size);
  reservations_.erase(found);
  return CUDA_SUCCESS;
}

VirtualMemory::Handle VirtualMemory::enter(std::shared_ptr<Physical> physical) {
  handles_[++last_handle_] = {std::move(physical)};
  return last_handle_;
}

CUresult VirtualMemory::create(std::size_t size, const CUmemAllocationProp& properties,
                               Handle& handle) {
  if (size == 0 || !is_multiple(size)) {
    return refuse("cuMemCreate", CUDA_ERROR_INVALID_VALUE, "%zu bytes are no multiple of %zu", size,
                  mapping_granularity);
  }
  const int file = memfd_create("gridspan-memory", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(size)) != 0) {
    const int error = errno;
    if (file >= 0) close(file);
    return refuse("cuMemCreate", CUDA_ERROR_OUT_OF_MEMORY, "%zu bytes: %s", size,
                  std::strerror(error));
  }
  const std::scoped_lock lock(mutex_);
  handle = enter(std::make_shared<Physical>(file, size, properties));
  return CUDA_SUCCESS;
}

CUresult VirtualMemory::import(int file, Handle& handle) {
  struct stat facts{};
  if (file < 0 || fstat(file, &facts) != 0 || facts.st_size == 0) {
    if (file >= 0) close(file);
    return refuse("cuMemImportFromShareableHandle", CUDA_ERROR_INVALID_VALUE,
                  "the file descriptor holds no memory");
  }
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, current_device()};
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  const std::scoped_lock lock(mutex_);
  handle =
      enter(std::make_shared<Physical>(file, static_cast<std::size_t>(facts.st_size), properties));
  return CUDA_SUCCESS;
}

CUresult VirtualMemory::release(Handle handle) {
  const std::scoped_lock lock(mutex_);
  const auto found = handles_.find(handle);
  if (found == handles_.end()) {
    return refuse("cuMemRelease", CUDA_ERROR_INVALID_VALUE, "%llu is no handle of memory", handle);
  }
  if (--found->second.count == 0) handles_.erase(found);
  return CUDA_SUCCESS;
}

CUresult VirtualMemory::find(Handle handle, std::shared_ptr<Physical>& physical) const {
  const std::scoped_lock lock(mutex_);
  const auto found = handles_.find(handle);
  if (found == handles_.end()) {
    return refuse("memory", CUDA_ERROR_INVALID_VALUE, "%llu is no handle of memory", handle);
  }
  physical = found->second.physical;
  return CUDA_SUCCESS;
}

CUresult VirtualMemory::retain(std::uintptr_t address, Handle& handle) {
  const std::scoped_lock lock(mutex_);
  const auto mapping = holder(address);
  if (mapping == mappings_.end()) return CUDA_ERROR_INVALID_VALUE;
  const auto& physical = mapping->second.physical;
  for (auto& [known, reference] : handles_) {
    if (reference.physical != physical) continue;
    ++reference.count;
    handle = known;
    return CUDA_SUCCESS;
  }
  handle = enter(physical);
  return CUDA_SUCCESS;
}

bool VirtualMemory::is_reserved(std::uintptr_t base, std::size_t size) const {
  auto after = reservations_.upper_bound(base);
  if (after == reservations_.begin()) return false;
  --after;
  const std::size_t offset = base - after->first;
  return offset < after->second && size <= after->second - offset;
}

VirtualMemory::Mappings::const_iterator VirtualMemory::holder(std::uintptr_t address) const {
  auto after = mappings_.upper_bound(address);
  if (after == mappings_.begin()) return mappings_.end();
  --after;
  return address - after->first < after->second.size ? after : mappings_.end();
}

/// True if the range is made of whole mappings, without gaps.
bool VirtualMemory::is_whole(std::uintptr_t base, std::size_t size) const {
  std::uintptr_t reached = base;
  for (auto mapping = mappings_.find(base); reached < base + size; ++mapping) {
    if (mapping == mappings_.end() || mapping->first != reached) return false;
    reached += mapping->second.size;
  }
  return size > 0 && reached == base + size;
}

CUresult VirtualMemory::map(std::uintptr_t base, std::size_t size, std::size_t offset,
                            Handle handle) {
  std::shared_ptr<Physical> physical;
  if (const CUresult result = find(handle, physical)) return result;
  const bool fits = offset <= physical->size && size <= physical->size - offset;
  if (size == 0 || !is_multiple(base) || !is_multiple(size) || !is_multiple(offset) || !fits) {
    return refuse_range("cuMemMap", base, size, "are not a part of that memory");
  }
  const std::scoped_lock lock(mutex_);
  const auto next = mappings_.lower_bound(base);
  const bool is_taken =
      holder(base) != mappings_.end() || (next != mappings_.end() && next->first < base + size);
  if (!is_reserved(base, size) || is_taken) {
    return refuse_range("cuMemMap", base, size, is_taken ? "are mapped" : "are not reserved");
  }
  if (mmap(at(base), size, PROT_NONE, MAP_SHARED | MAP_FIXED, physical->file,
           static_cast<off_t>(offset)) == MAP_FAILED) {
    return refuse_range("cuMemMap", base, size, std::strerror(errno));
  }
  mappings_[base] = {size, std::move(physical)};
  return CUDA_SUCCESS;
}

CUresult VirtualMemory::unmap(Runtime& state, std::uintptr_t base, std::size_t size) {
  const std::scoped_lock lock(mutex_);
  if (!is_whole(base, size))
    return refuse_range("cuMemUnmap", base, size, "are not mapped as a whole");
  mappings_.erase(mappings_.find(base), mappings_.lower_bound(base + size));
  update_table(state);
  const bool done = mmap(at(base), size, PROT_NONE, nothing_there | MAP_FIXED, -1, 0) != MAP_FAILED;
  return done ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}

/// What may be read may be written, too: the host writes memory for the device.
CUresult VirtualMemory::set_access(Runtime& state, std::uintptr_t base, std::size_t size,
                                   CUmemAccess_flags flags) {
  const std::scoped_lock lock(mutex_);
  if (!is_whole(base, size)) {
    return refuse_range("cuMemSetAccess", base, size, "are not mapped as a whole");
  }
  const bool is_allowed = flags != CU_MEM_ACCESS_FLAGS_PROT_NONE;
  const auto set = [&] {
    return mprotect(at(base), size, is_allowed ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
  };
  if (is_allowed && !set()) return CUDA_ERROR_OPERATING_SYSTEM;
  for (auto mapping = mappings_.find(base);
       mapping != mappings_.end() && mapping->first < base + size; ++mapping) {
    mapping->second.access = flags;
  }
  update_table(state);
  if (!is_allowed && !set()) return CUDA_ERROR_OPERATING_SYSTEM;
  return CUDA_SUCCESS;
}

CUresult VirtualMemory::get_access(std::uintptr_t address, unsigned long long& flags) const {
  const std::scoped_lock lock(mutex_);
  const auto mapping = holder(address);
  if (mapping == mappings_.end()) return CUDA_ERROR_INVALID_VALUE;
  flags = mapping->second.access;
  return CUDA_SUCCESS;
}

/// Enters stretches of accessible mappings in place of those that were there.
void VirtualMemory::update_table(Runtime& state) {
  std::map<std::uintptr_t, Allocation> now;
  for (const auto& [base, mapping] : mappings_) {
    if (mapping.access == CU_MEM_ACCESS_FLAGS_PROT_NONE) continue;
    Allocation* const before = now.empty() ? nullptr : &now.rbegin()->second;
    if (before && before->end() == base && !reservations_.contains(base)) {
      before->size += mapping.size;
    } else {
      now[base] = {base, mapping.size, MemoryKind::mapped, 0,
                   mapping.physical->properties.location.id};
    }
  }
  AllocationTable& table = state.memory.table();
  for (const auto& [base, allocation] : entered_) {
    const auto found = now.find(base);
    if (found != now.end() && found->second == allocation) continue;
    table.forget(at(base), MemoryKind::mapped);
    state.memory.note_released(base);
  }
  for (const auto& [base, allocation] : now) table.insert(allocation);  // those still there stay
  entered_ = std::move(now);
}

}  // namespace gridspan::runtime::driver
