// Keeps the accounts of memory pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/memory_pools.h"

#include "devices/own_pages.h"
#include "runtime/api/allocate.h"

#include <algorithm>
#include <cstring>

namespace gridspan::runtime {

PoolTable::PoolTable() {
  for (int device = 0; device < most_devices; ++device) {
    auto pool = std::make_shared<Pool>();
    pool->device = device;
    current_[static_cast<std::size_t>(device)] = pool.get();
    defaults_[static_cast<std::size_t>(device)] = std::move(pool);
  }
}

Status PoolTable::find(Pool* handle, std::shared_ptr<Pool>& pool) const {
  const auto of_device = std::ranges::find(defaults_, handle, &std::shared_ptr<Pool>::get);
  pool = of_device != defaults_.end() ? *of_device : created_.find(handle);
  if (pool) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "%p is not a memory pool, or was destroyed",
                static_cast<void*>(handle));
}

Status PoolTable::set_current(int device, Pool* handle) {
  std::shared_ptr<Pool> pool;
  GRIDSPAN_TRY(find(handle, pool));
  if (pool->device != device) {
    return refuse(cudaErrorInvalidValue, "the pool is on device %d, not %d", pool->device, device);
  }
  current_[static_cast<std::size_t>(device)] = handle;
  return cudaSuccess;
}

Pool* PoolTable::create(int device, std::size_t limit) {
  auto pool = std::make_shared<Pool>();
  pool->device = device;
  pool->limit = limit;
  return created_.add(std::move(pool));
}

Status PoolTable::destroy(Pool* handle) {
  std::shared_ptr<Pool> pool;
  GRIDSPAN_TRY(find(handle, pool));
  if (handle == default_pool(pool->device)) {
    return refuse(cudaErrorInvalidValue, "the default pool cannot be destroyed");
  }
  Pool* expected = handle;
  current_[static_cast<std::size_t>(pool->device)].compare_exchange_strong(
      expected, default_pool(pool->device));
  created_.remove(handle);
  return cudaSuccess;
}

void PoolTable::clear(int device) {
  current_[static_cast<std::size_t>(device)] = default_pool(device);
  created_.clear(device);
}

Status PoolTable::allocate(Runtime& state, void** pointer, std::size_t size, Pool* handle,
                           const Stream& stream) {
  std::shared_ptr<Pool> pool;
  GRIDSPAN_TRY(find(handle, pool));
  {
    const std::scoped_lock lock(mutex_);
    if (pool->limit > 0 && size > pool->limit - std::min<std::size_t>(pool->limit, pool->used)) {
      return refuse(cudaErrorMemoryAllocation,
                    "%zu bytes asked for, the pool has %zu of %zu in use", size,
                    static_cast<std::size_t>(pool->used), pool->limit);
    }
  }
  {
    const OnDevice here(pool->device);
    if (pool->is_imported) return refuse(cudaErrorInvalidValue, "the pool is another process's");
    // What other processes may be given has pages of its own.
    const std::size_t least = pool->is_shareable && size > 0 ? devices::own_pages : 0;
    void* const known = pointer && size > 0 && !pool->is_shareable
                            ? state.returned_memory.take(state, size, pool->device, stream.line)
                            : nullptr;
    if (known)
      *pointer = known;
    else
      GRIDSPAN_TRY(runtime::allocate(state, pointer, std::max(size, least), MemoryKind::device));
  }
  if (!*pointer) return cudaSuccess;
  const std::scoped_lock lock(mutex_);
  pool->used += size;
  pool->most_used = std::max(pool->most_used, pool->used);
  pool->most_reserved = std::max(pool->most_reserved, pool->used);
  pieces_[*pointer] = {std::move(pool), size};
  return cudaSuccess;
}

Pool* PoolTable::pool_of(const void* base) const {
  const std::scoped_lock lock(mutex_);
  const auto found = pieces_.find(base);
  return found == pieces_.end() ? nullptr : found->second.pool.get();
}

std::uint64_t PoolTable::note_free(const void* base) {
  const std::scoped_lock lock(mutex_);
  const auto found = pieces_.find(base);
  if (found == pieces_.end()) return 0;
  const std::uint64_t threshold = found->second.pool->release_threshold;
  found->second.pool->used -= found->second.size;
  pieces_.erase(found);
  return threshold;
}

Status PoolTable::get(Pool* handle, cudaMemPoolAttr attribute, void* value) const {
  std::shared_ptr<Pool> pool;
  GRIDSPAN_TRY(find(handle, pool));
  if (!value) return refuse(cudaErrorInvalidValue, "the value is null");
  const auto give = [&](const auto& number) -> Status {
    std::memcpy(value, &number, sizeof number);
    return cudaSuccess;
  };
  const std::scoped_lock lock(mutex_);
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      return give(pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies]);
    case cudaMemPoolAttrReleaseThreshold:
      return give(pool->release_threshold);
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      return give(pool->used);
    case cudaMemPoolAttrReservedMemHigh:
      return give(pool->most_reserved);
    case cudaMemPoolAttrUsedMemHigh:
      return give(pool->most_used);
  }
  return refuse(cudaErrorInvalidValue, "%d is not an attribute of pools",
                static_cast<int>(attribute));
}

Status PoolTable::set(Pool* handle, cudaMemPoolAttr attribute, const void* value) {
  std::shared_ptr<Pool> pool;
  GRIDSPAN_TRY(find(handle, pool));
  if (!value) return refuse(cudaErrorInvalidValue, "the value is null");
  const auto reset = [&](std::uint64_t& most) -> Status {
    std::uint64_t number = 0;
    std::memcpy(&number, value, sizeof number);
    if (number != 0) return refuse(cudaErrorInvalidValue, "a high-water mark can only be set to 0");
    most = pool->used;
    return cudaSuccess;
  };
  const std::scoped_lock lock(mutex_);
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      std::memcpy(&pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies], value,
                  sizeof(int));
      return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
      std::memcpy(&pool->release_threshold, value, sizeof pool->release_threshold);
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
      return reset(pool->most_reserved);
    case cudaMemPoolAttrUsedMemHigh:
      return reset(pool->most_used);
    default:
      return refuse(cudaErrorInvalidValue, "attribute %d of pools cannot be set",
                    static_cast<int>(attribute));
  }
}

}  // namespace gridspan::runtime
