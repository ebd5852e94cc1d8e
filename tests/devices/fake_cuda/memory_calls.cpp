// Memory, copies and fills.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "state.h"
#include "streams.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

using namespace fake_cuda;

namespace {

/// Memory without an address, and page-locked memory.
struct Tables {
  std::mutex mutex;
  std::map<Physical, std::pair<Gpu, std::size_t>> physical;
  Physical last = 0;
  std::map<void*, std::size_t> host;
  std::map<void*, std::size_t> registered;
  std::map<void*, std::size_t> managed;
};
Tables& tables() {
  static Tables& instance = *new Tables;
  return instance;
}

FakeGpu& gpu_of(Gpu number) { return gpus().at(static_cast<std::size_t>(number)); }

/// Where the driver reaches `bytes` there; null: the GPU may not use all of it.
char* reach(const FakeGpu& gpu, Address address, std::size_t bytes) {
  if (!arena().is_inside(address)) return reinterpret_cast<char*>(address);
  return arena().is_allowed(address, bytes, gpu.number) ? arena().inside(address) : nullptr;
}

/// What came from another GPU's memory to `target` arrived, or not, as FAKE_CUDA_PEERS says.
Result arrive(const FakeGpu& gpu, Address from, char* target, bool only_check) {
  if (!arena().is_inside(from)) return success;
  const Gpu owner = arena().owner(from);
  if (owner == gpu.number || owner == in_host) return success;
  if (peer_kind() == PeerKind::failing) return error_launch_failed;
  if (peer_kind() == PeerKind::garbled && !only_check) *target = static_cast<char>(*target ^ 1);
  return success;
}

/// Rows of one pitch each.
struct Rows {
  Address base;
  std::size_t pitch;
};

Result copy_rows(const FakeGpu& gpu, const Rows& to, const Rows& from, std::size_t width,
                 std::size_t height, bool only_check) {
  for (std::size_t row = 0; row < height; ++row) {
    char* const target = reach(gpu, to.base + row * to.pitch, width);
    const char* const source = reach(gpu, from.base + row * from.pitch, width);
    if (!target || !source) return error_invalid_value;
    if (!only_check) std::memmove(target, source, width);
    if (const Result wrong = arrive(gpu, from.base, target, only_check)) return wrong;
  }
  return success;
}

Result fill_rows(const FakeGpu& gpu, const Rows& to, unsigned char value, std::size_t width,
                 std::size_t height, bool only_check) {
  for (std::size_t row = 0; row < height; ++row) {
    char* const target = reach(gpu, to.base + row * to.pitch, width);
    if (!target) return error_invalid_value;
    if (!only_check) std::memset(target, value, width);
  }
  return success;
}

/// Checks `action(gpu, true)` now, and has the stream do `action(gpu, false)`.
template <class Action>
Result begin(Stream handle, Action action) {
  FakeStream* const stream = find_stream(handle);
  if (!stream) return error_invalid_handle;
  if (const Result wrong = action(stream->gpu(), true)) return wrong;
  stream->push([stream, action] {
    const Result late = action(stream->gpu(), false);
    return late == success ? success : error_illegal_address;
  });
  return success;
}

/// Of a pitched copy; 0 if it is not the kind of memory it is said to be.
Address side(int type, const void* host, Address device) {
  const auto address = type == memory_host ? reinterpret_cast<Address>(host) : device;
  const bool is_right = type == memory_host     ? !arena().is_inside(address)
                        : type == memory_device ? arena().is_inside(address)
                                                : false;
  return is_right ? address : 0;
}

/// The end of the range that has the address; the address itself if none has.
Address end_of(const std::map<void*, std::size_t>& ranges, Address address) {
  auto next = ranges.upper_bound(reinterpret_cast<void*>(address));
  if (next == ranges.begin()) return address;
  --next;
  return std::max(address, reinterpret_cast<Address>(next->first) + next->second);
}

}  // namespace

bool fake_cuda::is_page_locked(const void* memory, std::size_t bytes) {
  const std::scoped_lock lock(tables().mutex);
  const auto end = reinterpret_cast<Address>(memory) + bytes;
  auto at = reinterpret_cast<Address>(memory);
  while (at < end) {
    const Address next = std::max(end_of(tables().host, at), end_of(tables().registered, at));
    if (next == at) return false;
    at = next;
  }
  return true;
}

FAKE_EXPORT Result cuPointerGetAttribute(void* value, int attribute, Address address) {
  FAKE_BEGIN();
  if (attribute != pointer_memory_type) return error_invalid_value;
  const bool is_device = arena().is_inside(address);
  if (!is_device && !is_page_locked(reinterpret_cast<const void*>(address), 1))
    return error_invalid_value;
  *static_cast<unsigned*>(value) = is_device ? memory_device : memory_host;
  return success;
}

FAKE_EXPORT Result cuMemAddressReserve(Address* base, std::size_t bytes, std::size_t, Address,
                                       unsigned long long) {
  FAKE_BEGIN();
  if (bytes == 0 || bytes % granularity != 0) return error_invalid_value;
  *base = arena().reserve(bytes);
  return *base == 0 ? error_out_of_memory : success;
}

FAKE_EXPORT Result cuMemAddressFree(Address base, std::size_t bytes) {
  FAKE_BEGIN();
  return arena().release(base, bytes) ? success : error_invalid_value;
}

FAKE_EXPORT Result cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  FAKE_BEGIN();
  *total = current()->memory;
  *free = *total - std::min(current()->used.load() + others_use(), *total);
  return success;
}

namespace {

Result create_in_host(Physical* memory, std::size_t bytes) {
  if (!has_host_ranges()) return error_invalid_value;
  const std::scoped_lock lock(tables().mutex);
  *memory = ++tables().last;
  tables().physical[*memory] = {in_host, bytes};
  return success;
}

}  // namespace

FAKE_EXPORT Result cuMemCreate(Physical* memory, std::size_t bytes,
                               const PhysicalProperties* properties, unsigned long long) {
  FAKE_BEGIN();
  if (bytes == 0 || bytes % granularity != 0) return error_invalid_value;
  if (properties->location.type == location_host_node) return create_in_host(memory, bytes);
  FakeGpu& gpu = gpu_of(properties->location.id);
  const std::scoped_lock lock(tables().mutex);
  if (bytes > gpu.memory - gpu.used.load()) return error_out_of_memory;
  gpu.used += bytes;
  *memory = ++tables().last;
  tables().physical[*memory] = {gpu.number, bytes};
  return success;
}

FAKE_EXPORT Result cuMemRelease(Physical memory) {
  FAKE_BEGIN();
  const std::scoped_lock lock(tables().mutex);
  const auto known = tables().physical.find(memory);
  if (known == tables().physical.end()) return error_invalid_value;
  if (known->second.first != in_host) gpu_of(known->second.first).used -= known->second.second;
  tables().physical.erase(known);
  return success;
}

FAKE_EXPORT Result cuMemMap(Address base, std::size_t bytes, std::size_t offset, Physical memory,
                            unsigned long long) {
  FAKE_BEGIN();
  const std::scoped_lock lock(tables().mutex);
  const auto known = tables().physical.find(memory);
  if (known == tables().physical.end() || offset + bytes > known->second.second)
    return error_invalid_value;
  return arena().map(base, bytes, known->second.first) ? success : error_invalid_value;
}

FAKE_EXPORT Result cuMemUnmap(Address base, std::size_t bytes) {
  FAKE_BEGIN();
  return arena().unmap(base, bytes) ? success : error_invalid_value;
}

FAKE_EXPORT Result cuMemSetAccess(Address base, std::size_t bytes, const Access* accesses,
                                  std::size_t count) {
  FAKE_BEGIN();
  const Gpu owner = arena().owner(base);
  for (std::size_t i = 0; i < count; ++i) {
    const Gpu user = accesses[i].location.id;
    if (user != owner && owner != in_host && peer_kind() == PeerKind::none)
      return error_peer_access_unsupported;
    if (!arena().allow(base, bytes, user)) return error_invalid_value;
  }
  return success;
}

FAKE_EXPORT Result cuMemGetAllocationGranularity(std::size_t* bytes, const PhysicalProperties*,
                                                 int) {
  FAKE_BEGIN();
  *bytes = granularity;
  return success;
}

// Kernels reach all of the host's memory.
FAKE_EXPORT Result cuMemAllocManaged(Address* address, std::size_t bytes, unsigned flags) {
  FAKE_BEGIN();
  if (flags != 1) return error_invalid_value;
  void* const memory = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (!memory) return error_out_of_memory;
  *address = reinterpret_cast<Address>(memory);
  const std::scoped_lock lock(tables().mutex);
  tables().managed.emplace(memory, bytes);
  return success;
}

namespace {

/// Of one piece of managed memory, all of it.
bool is_managed(Address address, std::size_t bytes) {
  const std::scoped_lock lock(tables().mutex);
  const auto after = tables().managed.upper_bound(reinterpret_cast<void*>(address));
  if (bytes == 0 || after == tables().managed.begin()) return false;
  const auto& [base, size] = *std::prev(after);
  return address + bytes <= reinterpret_cast<Address>(base) + size;
}

bool is_place(Gpu place) { return place >= -1 && place < static_cast<Gpu>(gpus().size()); }

}  // namespace

FAKE_EXPORT Result cuMemPrefetchAsync(Address address, std::size_t bytes, Gpu to, Stream stream) {
  FAKE_BEGIN();
  if (!find_stream(stream)) return error_invalid_handle;
  return is_managed(address, bytes) && is_place(to) ? success : error_invalid_value;
}

FAKE_EXPORT Result cuMemAdvise(Address address, std::size_t bytes, int advice, Gpu of) {
  FAKE_BEGIN();
  const bool is_known = advice >= 1 && advice <= 6 && is_place(of);
  return is_known && is_managed(address, bytes) ? success : error_invalid_value;
}

FAKE_EXPORT Result cuMemFree_v2(Address address) {
  FAKE_BEGIN();
  const std::scoped_lock lock(tables().mutex);
  void* const memory = reinterpret_cast<void*>(address);
  if (tables().managed.erase(memory) == 0) return error_invalid_value;
  std::free(memory);
  return success;
}

FAKE_EXPORT Result cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
  FAKE_BEGIN();
  *memory = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (!*memory) return error_out_of_memory;
  const std::scoped_lock lock(tables().mutex);
  tables().host.emplace(*memory, bytes);
  return success;
}

FAKE_EXPORT Result cuMemFreeHost(void* memory) {
  FAKE_BEGIN();
  const std::scoped_lock lock(tables().mutex);
  if (tables().host.erase(memory) == 0) return error_invalid_value;
  std::free(memory);
  return success;
}

FAKE_EXPORT Result cuMemHostRegister_v2(void* memory, std::size_t bytes, unsigned) {
  FAKE_BEGIN();
  const std::scoped_lock lock(tables().mutex);
  return tables().registered.emplace(memory, bytes).second ? success : error_already_registered;
}

FAKE_EXPORT Result cuMemHostUnregister(void* memory) {
  FAKE_BEGIN();
  const std::scoped_lock lock(tables().mutex);
  return tables().registered.erase(memory) != 0 ? success : error_not_registered;
}

FAKE_EXPORT Result cuMemcpyAsync(Address to, Address from, std::size_t bytes, Stream stream) {
  FAKE_BEGIN();
  return begin(stream, [=](const FakeGpu& gpu, bool only_check) {
    return copy_rows(gpu, {to, bytes}, {from, bytes}, bytes, 1, only_check);
  });
}

FAKE_EXPORT Result cuMemcpy2DAsync_v2(const Copy2d* copy, Stream stream) {
  FAKE_BEGIN();
  const Rows from{side(copy->source_type, copy->source_host, copy->source), copy->source_pitch};
  const Rows to{side(copy->target_type, copy->target_host, copy->target), copy->target_pitch};
  const std::size_t width = copy->width, height = copy->height;
  if (from.base == 0 || to.base == 0 || from.pitch < width || to.pitch < width)
    return error_invalid_value;
  return begin(stream, [=](const FakeGpu& gpu, bool only_check) {
    return copy_rows(gpu, to, from, width, height, only_check);
  });
}

FAKE_EXPORT Result cuMemsetD8Async(Address to, unsigned char value, std::size_t bytes,
                                   Stream stream) {
  FAKE_BEGIN();
  return begin(stream, [=](const FakeGpu& gpu, bool only_check) {
    return fill_rows(gpu, {to, bytes}, value, bytes, 1, only_check);
  });
}

FAKE_EXPORT Result cuMemsetD2D8Async(Address to, std::size_t pitch, unsigned char value,
                                     std::size_t width, std::size_t height, Stream stream) {
  FAKE_BEGIN();
  if (pitch < width) return error_invalid_value;
  return begin(stream, [=](const FakeGpu& gpu, bool only_check) {
    return fill_rows(gpu, {to, pitch}, value, width, height, only_check);
  });
}
