// Memory pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/device_properties.h"
#include "runtime/api/submit.h"

using namespace gridspan::runtime;

namespace {

/// Memory of devices is the only kind there is.
Status check_location(const Runtime& state, const cudaMemLocation& location) {
  if (location.type == cudaMemLocationTypeDevice) return check_device(state, location.id);
  return refuse(cudaErrorNotSupported, "a pool in memory of kind %d",
                static_cast<int>(location.type));
}

}  // namespace

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool,
                                    cudaStream_t handle) {
  GRIDSPAN_CALL(pointer, size, pool, handle) {
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_stream(state, handle, stream));
    return state.pools.allocate(state, pointer, size, pool, *stream);
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  GRIDSPAN_CALL(pool, device) {
    if (!pool) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    GRIDSPAN_TRY(check_device(state, device));
    *pool = state.pools.default_pool(device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  GRIDSPAN_CALL(pool, device) {
    if (!pool) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    GRIDSPAN_TRY(check_device(state, device));
    *pool = state.pools.current(device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  GRIDSPAN_CALL(device, pool) {
    GRIDSPAN_TRY(check_device(state, device));
    return state.pools.set_current(device, pool);
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  GRIDSPAN_CALL(pool, record::address(properties)) {
    if (!pool || !properties) return refuse(cudaErrorInvalidValue, "a pointer is null");
    if (properties->allocType != cudaMemAllocationTypePinned) {
      return refuse(cudaErrorInvalidValue, "pools hold pinned memory only");
    }
    if (properties->handleTypes & ~cudaMemHandleTypePosixFileDescriptor) {
      return refuse(cudaErrorNotSupported, "pools are shared by file descriptors only");
    }
    if (properties->handleTypes != cudaMemHandleTypeNone && state.memory.has_pinning()) {
      return refuse(cudaErrorNotSupported,
                    "pools on CUDA devices are not shared with processes yet");
    }
    GRIDSPAN_TRY(check_location(state, properties->location));
    *pool = state.pools.create(properties->location.id, properties->maxSize);
    (*pool)->is_shareable = properties->handleTypes != cudaMemHandleTypeNone;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  GRIDSPAN_CALL(pool) { return state.pools.destroy(pool); });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t bytes_to_keep) {
  GRIDSPAN_CALL(handle, bytes_to_keep) {
    std::shared_ptr<Pool> pool;
    GRIDSPAN_TRY(state.pools.find(handle, pool));
    state.returned_memory.settle_all(state);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  GRIDSPAN_CALL(pool, attribute, value) { return state.pools.set(pool, attribute, value); });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  GRIDSPAN_CALL(pool, attribute, value) { return state.pools.get(pool, attribute, value); });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc* accesses,
                                 size_t count) {
  GRIDSPAN_CALL(handle, record::address(accesses), count) {
    std::shared_ptr<Pool> pool;
    GRIDSPAN_TRY(state.pools.find(handle, pool));
    if (count > 0 && !accesses) return refuse(cudaErrorInvalidValue, "no accesses are given");
    for (size_t i = 0; i < count; ++i) {
      GRIDSPAN_TRY(check_location(state, accesses[i].location));
      const bool is_own = accesses[i].location.id == pool->device;
      if (is_own && accesses[i].flags != cudaMemAccessFlagsProtReadWrite) {
        return refuse(cudaErrorInvalidValue, "a pool's own device reads and writes it");
      }
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle,
                                 cudaMemLocation* location) {
  GRIDSPAN_CALL(flags, handle, record::address(location)) {
    if (!flags || !location) return refuse(cudaErrorInvalidValue, "a pointer is null");
    std::shared_ptr<Pool> pool;
    GRIDSPAN_TRY(state.pools.find(handle, pool));
    GRIDSPAN_TRY(check_location(state, *location));
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
  });
}
