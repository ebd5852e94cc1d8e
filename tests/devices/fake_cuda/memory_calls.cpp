// Memory, copies and fills, done before they return.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "state.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>

using namespace fake_cuda;

namespace {

/// Memory without an address, and page-locked memory.
struct Tables {
  std::mutex mutex;
  std::map<Physical, std::pair<Gpu, std::size_t>> physical;
  Physical last = 0;
  std::set<void*> host;
  std::map<void*, std::size_t> registered;
};
Tables& tables() {
  static Tables& instance = *new Tables;
  return instance;
}

FakeGpu& gpu_of(Gpu number) { return gpus().at(static_cast<std::size_t>(number)); }

/// Where the driver reaches `bytes` there; null: the current GPU may not use all of it.
char* reach(Address address, std::size_t bytes) {
  if (!arena().is_inside(address)) return reinterpret_cast<char*>(address);
  return arena().is_allowed(address, bytes, current()->number) ? arena().inside(address) : nullptr;
}

/// Of a pitched copy; 0 if it is not the kind of memory it is said to be.
Address side(int type, const void* host, Address device) {
  const auto address = type == memory_host ? reinterpret_cast<Address>(host) : device;
  const bool is_right = type == memory_host     ? !arena().is_inside(address)
                        : type == memory_device ? arena().is_inside(address)
                                                : false;
  return is_right ? address : 0;
}

/// What came from another GPU's memory to `target` arrived, or not, as FAKE_CUDA_PEERS says.
Result arrive(Address from, char* target) {
  if (!arena().is_inside(from) || arena().owner(from) == current()->number) return success;
  if (peer_kind() == PeerKind::failing) return error_launch_failed;
  if (peer_kind() == PeerKind::garbled) *target = static_cast<char>(*target ^ 1);
  return success;
}

Result check_stream(Stream stream) {
  return reinterpret_cast<FakeStream*>(stream)->gpu == current() ? success : error_invalid_handle;
}

}  // namespace

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

FAKE_EXPORT Result cuMemCreate(Physical* memory, std::size_t bytes,
                               const PhysicalProperties* properties, unsigned long long) {
  FAKE_BEGIN();
  if (bytes == 0 || bytes % granularity != 0) return error_invalid_value;
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
  gpu_of(known->second.first).used -= known->second.second;
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
  return arena().unmap(base, bytes) >= 0 ? success : error_invalid_value;
}

FAKE_EXPORT Result cuMemSetAccess(Address base, std::size_t bytes, const Access* accesses,
                                  std::size_t count) {
  FAKE_BEGIN();
  const Gpu owner = arena().owner(base);
  for (std::size_t i = 0; i < count; ++i) {
    const Gpu user = accesses[i].location.id;
    if (user != owner && peer_kind() == PeerKind::none) return error_peer_access_unsupported;
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

FAKE_EXPORT Result cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
  FAKE_BEGIN();
  *memory = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (!*memory) return error_out_of_memory;
  const std::scoped_lock lock(tables().mutex);
  tables().host.insert(*memory);
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
  if (const Result wrong = check_stream(stream)) return wrong;
  char *const target = reach(to, bytes), *const source = reach(from, bytes);
  if (!target || !source) return error_invalid_value;
  std::memmove(target, source, bytes);
  return arrive(from, target);
}

FAKE_EXPORT Result cuMemcpy2DAsync_v2(const Copy2d* copy, Stream stream) {
  FAKE_BEGIN();
  if (const Result wrong = check_stream(stream)) return wrong;
  const Address from = side(copy->source_type, copy->source_host, copy->source);
  const Address to = side(copy->target_type, copy->target_host, copy->target);
  if (from == 0 || to == 0 || copy->source_pitch < copy->width || copy->target_pitch < copy->width)
    return error_invalid_value;
  for (std::size_t row = 0; row < copy->height; ++row) {
    char* const target = reach(to + row * copy->target_pitch, copy->width);
    char* const source = reach(from + row * copy->source_pitch, copy->width);
    if (!target || !source) return error_invalid_value;
    std::memmove(target, source, copy->width);
    if (const Result wrong = arrive(from, target)) return wrong;
  }
  return success;
}

FAKE_EXPORT Result cuMemsetD8Async(Address to, unsigned char value, std::size_t bytes,
                                   Stream stream) {
  FAKE_BEGIN();
  if (const Result wrong = check_stream(stream)) return wrong;
  char* const target = reach(to, bytes);
  if (!target) return error_invalid_value;
  std::memset(target, value, bytes);
  return success;
}

FAKE_EXPORT Result cuMemsetD2D8Async(Address to, std::size_t pitch, unsigned char value,
                                     std::size_t width, std::size_t height, Stream stream) {
  FAKE_BEGIN();
  if (const Result wrong = check_stream(stream)) return wrong;
  if (pitch < width) return error_invalid_value;
  for (std::size_t row = 0; row < height; ++row) {
    char* const target = reach(to + row * pitch, width);
    if (!target) return error_invalid_value;
    std::memset(target, value, width);
  }
  return success;
}
