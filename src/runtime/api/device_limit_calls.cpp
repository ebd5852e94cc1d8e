// Limits, cache preferences, and resetting the device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/lazy_device.h"
#include "runtime/api/call.h"
#include "runtime/api/device_properties.h"
#include "runtime/api/graphics/resource.h"
#include "runtime/api/reference_table.h"
#include "runtime/api/registry.h"

using namespace gridspan::runtime;

namespace {

DeviceLimits& limits(Runtime& state) { return state.visible_device(current_device()).limits; }

Status check_limit(cudaLimit limit) {
  if (limit >= 0 && static_cast<std::size_t>(limit) < DeviceLimits::limit_count) {
    return cudaSuccess;
  }
  return refuse(cudaErrorUnsupportedLimit, "%d is not a cudaLimit", static_cast<int>(limit));
}

/// CPUs have no heap, buffer or list of their own, and nobody need wait for them.
bool is_of_devices(const Runtime& state, cudaLimit limit) {
  if (limit == cudaLimitStackSize) return true;
  return (limit == cudaLimitPrintfFifoSize || limit == cudaLimitMallocHeapSize ||
          limit == cudaLimitDevRuntimePendingLaunchCount) &&
         state.memory.has_pinning();
}

/// Until one refuses. They are told between commands: one thread at a time may call them.
Status tell_devices(Runtime& state, cudaLimit limit, std::size_t value) {
  gridspan::devices::RunResult told;
  state.queue.run_exclusively([&] {
    for (const auto& device : state.devices) {
      told = gridspan::devices::set_limit(*device, static_cast<gridspan::devices::Limit>(limit),
                                          value);
      if (told.fault != gridspan::devices::Fault::none) return;
    }
    if (state.recorder && limit == cudaLimitStackSize)
      state.recorder->write(record::StackNote{value});
  });
  if (told.fault == gridspan::devices::Fault::none) return cudaSuccess;
  return refuse(error_of(told.fault), "%s", told.message.c_str());
}

Status set_limit(Runtime& state, cudaLimit limit, std::size_t value) {
  GRIDSPAN_TRY(check_limit(limit));
  if (is_of_devices(state, limit)) GRIDSPAN_TRY(tell_devices(state, limit, value));
  if (limit == cudaLimitPersistingL2CacheSize) {
    const auto most = static_cast<std::size_t>(
        device_properties(state, current_device()).persistingL2CacheMaxSize);
    if (value > most) {
      return refuse(cudaErrorInvalidValue, "%zu bytes of cache, but %zu are the most", value, most);
    }
  }
  limits(state).values[limit].store(value);
  return cudaSuccess;
}

Status get_limit(Runtime& state, std::size_t* value, cudaLimit limit) {
  if (!value) return refuse(cudaErrorInvalidValue, "the result pointer is null");
  GRIDSPAN_TRY(check_limit(limit));
  *value = limits(state).values[limit].load();
  if (!is_of_devices(state, limit)) return cudaSuccess;
  const auto known =
      state.devices.front()->queue().limit(static_cast<gridspan::devices::Limit>(limit));
  if (known) *value = *known;
  return cudaSuccess;
}

Status set_cache(Runtime& state, cudaFuncCache config) {
  if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) {
    return refuse(cudaErrorInvalidValue, "%d is not a cudaFuncCache", static_cast<int>(config));
  }
  limits(state).cache.store(config);
  return cudaSuccess;
}

Status get_cache(Runtime& state, cudaFuncCache* config) {
  if (!config) return refuse(cudaErrorInvalidValue, "the result pointer is null");
  *config = limits(state).cache.load();
  return cudaSuccess;
}

/// Waits for all work, then gives back what the program still holds on the device. Device variables
/// are as before their first use again; handles of streams, events and so on are no longer valid,
/// nor are graphs of any device.
Status reset(Runtime& state) {
  const int device = current_device();
  GRIDSPAN_TRY(wait_for_all(state));
  state.returned_memory.settle_all(state);
  state.graphs.clear();
  state.pools.clear(device);
  for (const MemoryKind kind : {MemoryKind::device, MemoryKind::managed, MemoryKind::host,
                                MemoryKind::exported, MemoryKind::imported}) {
    for (const Allocation& allocation : state.memory.table().remove_all(kind, device)) {
      state.memory.release(allocation);
    }
  }
  for (const Allocation& gone : state.memory.table().remove_all(MemoryKind::registered, device)) {
    state.memory.unregister_host(reinterpret_cast<void*>(gone.base));
  }
  registry().drop_images(state.memory, device);
  if (!state.memory.is_all_in_reach()) {
    if (state.home_or_all) state.home_or_all->forget_code();
    // Variables of a device's own code are as at first when the code is loaded again.
    for (const auto& loaded : registry().modules()) {
      for (const auto& one : state.devices)
        if (gridspan::devices::is_there(*one)) one->code().forget(*loaded->module);
      if (state.home_or_rounds) state.home_or_rounds->forget_code(*loaded->module);
    }
  }
  state.streams.clear(device);
  state.events.clear(device);
  graphics::table().clear(device);
  state.arrays.clear(device);
  state.mipmaps.clear(device);
  state.textures.clear(device);
  references().reset(device);
  state.visible_device(device).peers = 0;
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  GRIDSPAN_CALL(limit, value) { return set_limit(state, limit, value); });
}
cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  GRIDSPAN_CALL(limit, value) { return set_limit(state, limit, value); });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  GRIDSPAN_CALL(value, limit) { return get_limit(state, value, limit); });
}
cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  GRIDSPAN_CALL(value, limit) { return get_limit(state, value, limit); });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  GRIDSPAN_CALL(config) { return set_cache(state, config); });
}
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
  GRIDSPAN_CALL(config) { return set_cache(state, config); });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  GRIDSPAN_CALL(config) { return get_cache(state, config); });
}
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
  GRIDSPAN_CALL(config) { return get_cache(state, config); });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  GRIDSPAN_CALL(config) {
    if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte) {
      return refuse(cudaErrorInvalidValue, "%d is not a cudaSharedMemConfig",
                    static_cast<int>(config));
    }
    limits(state).banks.store(config);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  GRIDSPAN_CALL(config) {
    if (!config) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    *config = limits(state).banks.load();
    return cudaSuccess;
  });
}

cudaError_t cudaCtxResetPersistingL2Cache(void) {
  GRIDSPAN_CALL() { return cudaSuccess; });
}

cudaError_t cudaDeviceReset(void) {
  GRIDSPAN_CALL() { return reset(state); });
}
cudaError_t cudaThreadExit(void) {
  GRIDSPAN_CALL() { return reset(state); });
}
