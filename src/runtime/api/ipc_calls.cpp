// Memory, pools and events of several processes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/shared_events.h"
#include "runtime/api/shared_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>

using namespace gridspan::runtime;

namespace {

constexpr std::uint64_t memory_magic = 0x314d454d44495247;  // "GRIDMEM1"
constexpr std::uint64_t pool_memory_magic = 0x314d4c4f4f505247;
constexpr std::uint64_t pool_magic = 0x314c4f4f50524947;

Status check_type(cudaMemAllocationHandleType type, unsigned flags) {
  if (flags != 0) return refuse(cudaErrorInvalidValue, "flags must be 0");
  if (type == cudaMemHandleTypePosixFileDescriptor) return cudaSuccess;
  return refuse(cudaErrorNotSupported, "pools are shared by file descriptors only");
}

}  // namespace

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  GRIDSPAN_CALL(record::address(handle), event) {
    if (!handle) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    const std::shared_ptr<Event> known = state.events.find(event);
    if (!known || !known->shared) {
      return refuse(cudaErrorInvalidResourceHandle,
                    "%p is not an event made with cudaEventInterprocess",
                    static_cast<void*>(event));
    }
    ForeignFile made;
    GRIDSPAN_TRY(known->shared->describe(made));
    std::memcpy(handle, &made, sizeof made);
    return cudaSuccess;
  });
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  GRIDSPAN_CALL(event, handle) {
    if (!event) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    auto opened = std::make_shared<Event>();
    GRIDSPAN_TRY(SharedEvent::open(std::bit_cast<ForeignFile>(handle), opened->shared));
    opened->device = current_device();
    opened->flags = cudaEventInterprocess | cudaEventDisableTiming;
    *event = state.events.add(std::move(opened));
    return cudaSuccess;
  });
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  GRIDSPAN_CALL(record::address(handle), pointer) {
    if (!handle) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    ForeignFile made;
    GRIDSPAN_TRY(state.shared_memory.export_memory(state, pointer, memory_magic, made));
    std::memcpy(handle, &made, sizeof made);
    return cudaSuccess;
  });
}

// The start of the allocation, wherever in it the handle was made.
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags) {
  GRIDSPAN_CALL(pointer, handle, flags) {
    if (!pointer) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    if (flags & ~unsigned{cudaIpcMemLazyEnablePeerAccess}) {
      return refuse(cudaErrorInvalidValue, "flags %#x", flags);
    }
    const auto given = std::bit_cast<ForeignFile>(handle);
    if (given.magic != memory_magic) {
      return refuse(cudaErrorInvalidResourceHandle, "the handle is none of cudaIpcGetMemHandle");
    }
    return state.shared_memory.open(state, given, pointer);
  });
}

cudaError_t cudaIpcCloseMemHandle(void* pointer) {
  GRIDSPAN_CALL(pointer) { return state.shared_memory.close(state, pointer); });
}

// A pool is an account: its file says no more than that there is one.
cudaError_t cudaMemPoolExportToShareableHandle(void* shareable, cudaMemPool_t handle,
                                               cudaMemAllocationHandleType type,
                                               unsigned int flags) {
  GRIDSPAN_CALL(shareable, handle, type, flags) {
    if (!shareable) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    GRIDSPAN_TRY(check_type(type, flags));
    std::shared_ptr<Pool> pool;
    GRIDSPAN_TRY(state.pools.find(handle, pool));
    if (!pool->is_shareable) {
      return refuse(cudaErrorInvalidValue, "the pool was not made to be shared that way");
    }
    const int file = make_memory_file(0);
    if (file < 0 || write(file, &pool_magic, sizeof pool_magic) != sizeof pool_magic) {
      if (file >= 0) close(file);
      return refuse(cudaErrorOperatingSystem, "%s", std::strerror(errno));
    }
    *static_cast<int*>(shareable) = file;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void* shareable,
                                                 cudaMemAllocationHandleType type,
                                                 unsigned int flags) {
  GRIDSPAN_CALL(pool, shareable, type, flags) {
    if (!pool) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    GRIDSPAN_TRY(check_type(type, flags));
    const int file = static_cast<int>(reinterpret_cast<std::intptr_t>(shareable));
    std::uint64_t magic = 0;
    if (pread(file, &magic, sizeof magic, 0) != sizeof magic || magic != pool_magic) {
      return refuse(cudaErrorInvalidValue, "file %d is not a pool", file);
    }
    *pool = state.pools.create(current_device(), 0);
    (*pool)->is_imported = true;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData* exported, void* pointer) {
  GRIDSPAN_CALL(record::address(exported), pointer) {
    if (!exported) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    const Lookup found = state.memory.table().find(pointer);
    const Pool* const pool =
        found.is_live() ? state.pools.pool_of(reinterpret_cast<const void*>(found.allocation.base))
                        : nullptr;
    if (!pool || !pool->is_shareable) {
      return refuse(cudaErrorInvalidValue, "%p is not memory of a pool that can be shared",
                    pointer);
    }
    ForeignFile made;
    GRIDSPAN_TRY(state.shared_memory.export_memory(state, pointer, pool_memory_magic, made));
    std::memcpy(exported, &made, sizeof made);
    return cudaSuccess;
  });
}

// Freed as memory of a pool is.
cudaError_t cudaMemPoolImportPointer(void** pointer, cudaMemPool_t handle,
                                     cudaMemPoolPtrExportData* exported) {
  GRIDSPAN_CALL(pointer, handle, record::address(exported)) {
    if (!pointer || !exported) return refuse(cudaErrorInvalidValue, "a pointer is null");
    std::shared_ptr<Pool> pool;
    GRIDSPAN_TRY(state.pools.find(handle, pool));
    if (!pool->is_imported) return refuse(cudaErrorInvalidValue, "the pool was not imported");
    const auto given = std::bit_cast<ForeignFile>(*exported);
    int file = -1;
    GRIDSPAN_TRY(open_foreign(given, pool_memory_magic, file));
    *pointer = state.memory.import(file, given.offset, given.size - given.offset, 0, pool->device);
    close(file);
    if (*pointer) return cudaSuccess;
    return refuse(cudaErrorMapBufferObjectFailed, "%s", std::strerror(errno));
  });
}
