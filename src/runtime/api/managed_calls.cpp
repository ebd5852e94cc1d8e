// Managed memory: on a CPU, device memory that the host may touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/device_properties.h"
#include "runtime/api/submit.h"

using namespace gridspan::runtime;

namespace {

/// Variables are entered into the table when a kernel of theirs is launched first.
Lookup find_managed(Runtime& state, const void* pointer) {
  const Lookup found = state.memory.table().find(pointer);
  if (found.is_live()) return found;
  for (const auto& loaded : registry().modules()) {
    if (!loaded->managed.empty()) symbol_addresses(*loaded, state.memory);
  }
  return state.memory.table().find(pointer);
}

/// [pointer, pointer + count) must lie in one managed allocation.
Status check_managed(Runtime& state, const void* pointer, std::size_t count) {
  const Lookup found = find_managed(state, pointer);
  if (!pointer || !found.is_live() || !is_managed_kind(found.allocation.kind)) {
    return refuse(cudaErrorInvalidValue, "%p is not managed memory", pointer);
  }
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(pointer) - found.allocation.base;
  if (count <= found.allocation.size - offset) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "%zu bytes leave the allocation of %zu bytes", count,
                found.allocation.size);
}

Status check_place(int device) {
  return device == cudaCpuDeviceId ? cudaSuccess : check_device(device);
}

/// The device that a location names, all of the host's being one.
Status device_of(const cudaMemLocation& location, int& device) {
  device = location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
  if (location.type >= cudaMemLocationTypeDevice &&
      location.type <= cudaMemLocationTypeHostNumaCurrent) {
    return cudaSuccess;
  }
  return refuse(cudaErrorInvalidValue, "%d is not a kind of location",
                static_cast<int>(location.type));
}

Status prefetch(Runtime& state, const void* pointer, std::size_t count, int device,
                cudaStream_t handle) {
  GRIDSPAN_TRY(check_managed(state, pointer, count));
  GRIDSPAN_TRY(check_place(device));
  std::shared_ptr<Stream> stream;
  GRIDSPAN_TRY(find_stream(state, handle, stream));
  submit<std::monostate>(state, *stream);  // it is there already, but it keeps its place in order
  return cudaSuccess;
}

Status advise(Runtime& state, const void* pointer, std::size_t count, cudaMemoryAdvise advice,
              int device) {
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) {
    return refuse(cudaErrorInvalidValue, "%d is not a cudaMemoryAdvise", static_cast<int>(advice));
  }
  GRIDSPAN_TRY(check_managed(state, pointer, count));
  const bool names_device = advice == cudaMemAdviseSetPreferredLocation ||
                            advice == cudaMemAdviseSetAccessedBy ||
                            advice == cudaMemAdviseUnsetAccessedBy;
  return names_device ? check_place(device) : cudaSuccess;
}

}  // namespace

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, int device,
                                 cudaStream_t stream) {
  GRIDSPAN_CALL(pointer, count, device, stream) {
    return prefetch(state, pointer, count, device, stream);
  });
}

cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t count, cudaMemLocation location,
                                    unsigned int flags, cudaStream_t stream) {
  GRIDSPAN_CALL(pointer, count, location, flags, stream) {
    if (flags != 0) return refuse(cudaErrorInvalidValue, "flags must be 0");
    int device = 0;
    GRIDSPAN_TRY(device_of(location, device));
    return prefetch(state, pointer, count, device, stream);
  });
}

cudaError_t cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise advice, int device) {
  GRIDSPAN_CALL(pointer, count, advice, device) {
    return advise(state, pointer, count, advice, device);
  });
}

cudaError_t cudaMemAdvise_v2(const void* pointer, size_t count, cudaMemoryAdvise advice,
                             cudaMemLocation location) {
  GRIDSPAN_CALL(pointer, count, advice, location) {
    int device = 0;
    GRIDSPAN_TRY(device_of(location, device));
    return advise(state, pointer, count, advice, device);
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void* pointer, size_t length,
                                     unsigned int flags) {
  GRIDSPAN_CALL(handle, pointer, length, flags) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
        flags != cudaMemAttachSingle) {
      return refuse(cudaErrorInvalidValue, "flags %#x", flags);
    }
    GRIDSPAN_TRY(check_managed(state, pointer, length));
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_stream(state, handle, stream));
    submit<std::monostate>(state, *stream);
    return cudaSuccess;
  });
}
