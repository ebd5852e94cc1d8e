// Managed memory: on a CPU, device memory that the host may touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/lazy_device.h"
#include "runtime/api/call.h"
#include "runtime/api/device_properties.h"
#include "runtime/api/submit.h"

#include <algorithm>
#include <optional>

using namespace gridspan::runtime;

namespace {

/// [pointer, pointer + count) must lie in one managed allocation.
Status check_managed(Runtime& state, const void* pointer, std::size_t count) {
  const Lookup found = state.memory.table().find(pointer);
  if (!pointer || !found.is_live() || !is_managed_kind(found.allocation.kind)) {
    return refuse(cudaErrorInvalidValue, "%p is not managed memory", pointer);
  }
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(pointer) - found.allocation.base;
  if (count <= found.allocation.size - offset) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "%zu bytes leave the allocation of %zu bytes", count,
                found.allocation.size);
}

Status check_place(const Runtime& state, int device) {
  return device == cudaCpuDeviceId ? cudaSuccess : check_device(state, device);
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
  GRIDSPAN_TRY(check_place(state, device));
  std::shared_ptr<Stream> stream;
  GRIDSPAN_TRY(find_stream(state, handle, stream));
  submit<PrefetchCommand>(state, *stream,
                          PrefetchCommand{static_cast<char*>(const_cast<void*>(pointer)), count,
                                          device == cudaCpuDeviceId});
  state.memory.advice().change(pointer, count, [&](Advice& kept) { kept.prefetched = device; });
  return cudaSuccess;
}

void take_advice(Advice& kept, cudaMemoryAdvise advice, int device) {
  switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
      kept.read_mostly = advice == cudaMemAdviseSetReadMostly;
      return;
    case cudaMemAdviseSetPreferredLocation:
      kept.preferred = device;
      return;
    case cudaMemAdviseUnsetPreferredLocation:
      kept.preferred = Advice::none;
      return;
    case cudaMemAdviseSetAccessedBy:
      kept.accessed_by |= Advice::bit_of(device);
      return;
    case cudaMemAdviseUnsetAccessedBy:
      kept.accessed_by &= ~Advice::bit_of(device);
      return;
  }
}

/// Several GPUs are one device to the program: where among them memory lies best, it cannot say;
/// but that the device uses memory goes for each that is there: no GPU is made for an advice.
/// `of_host`: nothing, if the advice names no place.
void tell_devices(Runtime& state, void* pointer, std::size_t count, cudaMemoryAdvise advice,
                  std::optional<bool> of_host) {
  gridspan::devices::Device& home = *state.devices.front();
  const auto tell = [&](gridspan::devices::Device& device, bool is_of_host) {
    if (gridspan::devices::HostMemory* const host = device.host_memory())
      host->advise(pointer, count, advice, is_of_host);
  };
  if (of_host.value_or(true)) return tell(home, of_host.value_or(false));
  const bool is_one_gpu = std::ranges::all_of(state.devices, [&](const auto& device) {
    return device->facts().place == home.facts().place;
  });
  if (advice == cudaMemAdviseSetPreferredLocation && !is_one_gpu) return;
  for (const auto& device : state.devices)
    if (gridspan::devices::is_there(*device)) tell(*device, false);
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
  if (names_device) GRIDSPAN_TRY(check_place(state, device));
  state.memory.advice().change(pointer, count,
                               [&](Advice& kept) { take_advice(kept, advice, device); });
  tell_devices(state, const_cast<void*>(pointer), count, advice,
               names_device ? std::optional(device == cudaCpuDeviceId) : std::nullopt);
  return cudaSuccess;
}

/// Devices whose bits are set, as many as there is room for.
void list_devices(unsigned bits, int* devices, std::size_t room) {
  std::size_t used = 0;
  for (int device = cudaCpuDeviceId; device < most_devices && used < room; ++device) {
    if (bits & Advice::bit_of(device)) devices[used++] = device;
  }
  std::fill(devices + used, devices + room, cudaInvalidDeviceId);
}

/// A place as CUDA 12.2 asks for it: what kind it is, and which.
int kind_of_place(int device) {
  if (device >= 0) return cudaMemLocationTypeDevice;
  return device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeInvalid;
}

Status get_attribute(Runtime& state, void* data, std::size_t data_size,
                     cudaMemRangeAttribute attribute, const void* pointer, std::size_t count) {
  if (!data || data_size < sizeof(int) || data_size % sizeof(int) != 0) {
    return refuse(cudaErrorInvalidValue, "%zu bytes for the answer", data_size);
  }
  if (count == 0) return refuse(cudaErrorInvalidValue, "the size is 0");
  GRIDSPAN_TRY(check_managed(state, pointer, count));
  const Advice common = state.memory.advice().common(pointer, count);
  int* const answer = static_cast<int*>(data);
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      *answer = common.read_mostly;
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocation:
      *answer = common.preferred;
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocation:
      *answer = common.prefetched;
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationType:
      *answer = kind_of_place(common.preferred);
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationId:
      *answer = std::max(common.preferred, 0);
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationType:
      *answer = kind_of_place(common.prefetched);
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationId:
      *answer = std::max(common.prefetched, 0);
      return cudaSuccess;
    case cudaMemRangeAttributeAccessedBy:
      list_devices(common.accessed_by, answer, data_size / sizeof(int));
      return cudaSuccess;
  }
  return refuse(cudaErrorInvalidValue, "%d is not an attribute of ranges",
                static_cast<int>(attribute));
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

cudaError_t cudaMemRangeGetAttribute(void* data, size_t data_size, cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t count) {
  GRIDSPAN_CALL(data, data_size, attribute, pointer, count) {
    return get_attribute(state, data, data_size, attribute, pointer, count);
  });
}

cudaError_t cudaMemRangeGetAttributes(void** data, size_t* data_sizes,
                                      cudaMemRangeAttribute* attributes, size_t attribute_count,
                                      const void* pointer, size_t count) {
  GRIDSPAN_CALL(record::address(data), record::address(data_sizes), record::address(attributes),
                attribute_count, pointer, count) {
    if (!data || !data_sizes || !attributes || attribute_count == 0) {
      return refuse(cudaErrorInvalidValue, "no attributes are asked for");
    }
    for (std::size_t i = 0; i < attribute_count; ++i) {
      GRIDSPAN_TRY(get_attribute(state, data[i], data_sizes[i], attributes[i], pointer, count));
    }
    return cudaSuccess;
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
