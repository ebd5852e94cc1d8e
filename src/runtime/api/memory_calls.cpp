// Allocating and freeing device and managed memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/allocate.h"
#include "runtime/api/call.h"
#include "runtime/api/device_properties.h"
#include "runtime/api/shared_memory.h"
#include "runtime/api/submit.h"

#include <algorithm>

namespace gridspan::runtime {

Status allocate(Runtime& state, void** pointer, std::size_t size, MemoryKind kind, unsigned flags) {
  if (!pointer) return refuse(cudaErrorInvalidValue, "the result pointer is null");
  *pointer = nullptr;
  if (size == 0) return cudaSuccess;
  expect_launches(state);
  *pointer = state.memory.allocate(size, kind, flags, current_device());
  if (!*pointer) {
    GRIDSPAN_TRY(wait_for_all(state));
    state.returned_memory.settle_all(state);
    *pointer = state.memory.allocate(size, kind, flags, current_device());
  }
  if (!*pointer) *pointer = state.memory.allocate_beyond(size, kind, current_device());
  if (*pointer) return cudaSuccess;
  return refuse(cudaErrorMemoryAllocation, "%zu bytes asked for, %zu of %zu are free", size,
                state.memory.available(), state.memory.total());
}

}  // namespace gridspan::runtime

using namespace gridspan;
using namespace gridspan::runtime;

namespace {

// What GPUs use; rows then start at cache lines and vectors.
constexpr std::size_t pitch_unit = 512;

Status allocate_pitched(Runtime& state, void** pointer, std::size_t* pitch, std::size_t width,
                        std::size_t rows) {
  std::size_t padded = 0, size = 0;
  if (__builtin_add_overflow(width, pitch_unit - 1, &padded) ||
      __builtin_mul_overflow(padded / pitch_unit * pitch_unit, rows, &size)) {
    return refuse(cudaErrorInvalidValue, "%zu rows of %zu bytes do not fit an address", rows,
                  width);
  }
  GRIDSPAN_TRY(allocate(state, pointer, size, MemoryKind::device));
  *pitch = padded / pitch_unit * pitch_unit;
  return cudaSuccess;
}

/// Of imported memory that which was made with no handle to close.
bool is_freed_by_cuda_free(MemoryKind kind) {
  return kind == MemoryKind::device || kind == MemoryKind::managed ||
         kind == MemoryKind::exported || kind == MemoryKind::imported;
}

Status check_freeable(Runtime& state, const void* pointer) {
  const Lookup found = state.memory.table().find(pointer);
  if (found.is_live() && found.allocation.kind == MemoryKind::imported &&
      found.allocation.flags == closed_by_handle) {
    return refuse(cudaErrorInvalidValue, "%p is closed with cudaIpcCloseMemHandle", pointer);
  }
  return cudaSuccess;
}

Status refuse_to_free(const void* pointer, const Lookup& found) {
  return refuse(cudaErrorInvalidValue, "%p %s", pointer,
                found.is_freed() ? "was freed before" : "is not the start of a device allocation");
}

Status capture_allocation(Runtime& state, Stream& stream, void** pointer, std::size_t size) {
  if (!pointer) return refuse(cudaErrorInvalidValue, "the result pointer is null");
  std::shared_ptr<graph::Memory> memory;
  GRIDSPAN_TRY(state.graphs.memories.make(state, size, memory));
  *pointer = memory->pointer();
  return state.graphs.captures.add(stream, graph::AllocateTask{std::move(memory)});
}

struct Release {
  Runtime* state;
  Allocation allocation;
};
void run_release(void* data, bool) {
  const std::unique_ptr<Release> release(static_cast<Release*>(data));
  release->state->memory.table().end_retirement(release->allocation.base);
  release->state->memory.release(release->allocation);
}

}  // namespace

cudaError_t cudaMalloc(void** pointer, size_t size) {
  GRIDSPAN_CALL(pointer, size) { return allocate(state, pointer, size, MemoryKind::device); });
}

cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned int flags) {
  GRIDSPAN_CALL(pointer, size, flags) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
      return refuse(cudaErrorInvalidValue, "flags %u are neither Global nor Host", flags);
    }
    if (size == 0) return refuse(cudaErrorInvalidValue, "the size is 0");
    return allocate(state, pointer, size, MemoryKind::managed, flags);
  });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  GRIDSPAN_CALL(pointer, pitch, width, height) {
    if (!pitch) return refuse(cudaErrorInvalidValue, "the pitch pointer is null");
    return allocate_pitched(state, pointer, pitch, width, height);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  GRIDSPAN_CALL(pointer, extent) {
    if (!pointer) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::size_t rows = 0;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) {
      return refuse(cudaErrorInvalidValue, "%zu x %zu rows do not fit an address", extent.height,
                    extent.depth);
    }
    GRIDSPAN_TRY(allocate_pitched(state, &pointer->ptr, &pointer->pitch, extent.width, rows));
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return cudaSuccess;
  });
}

cudaError_t cudaFree(void* pointer) {
  GRIDSPAN_CALL(pointer) {
    if (!pointer) return cudaSuccess;
    if (state.graphs.memories.free(pointer)) return wait_for_all(state);
    GRIDSPAN_TRY(check_freeable(state, pointer));
    // Queued commands may use it, and are planned by what is allocated.
    Status status = cudaSuccess;
    if (state.memory.table().find(pointer).is_live()) status = wait_for_all(state);
    const Lookup found = state.memory.table().remove(pointer, is_freed_by_cuda_free);
    if (!found.is_live()) return refuse_to_free(pointer, found);
    state.pools.note_free(pointer);
    state.shared_memory.forget(found.allocation.base);
    state.memory.release(found.allocation);
    return status;
  });
}

cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t handle) {
  GRIDSPAN_CALL(pointer, size, handle) {
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_stream_for_work(state, handle, stream));
    if (state.graphs.captures.has(*stream))
      return capture_allocation(state, *stream, pointer, size);
    return state.pools.allocate(state, pointer, size, state.pools.current(current_device()),
                                *stream);
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t handle) {
  GRIDSPAN_CALL(pointer, handle) {
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_stream_for_work(state, handle, stream));
    if (!pointer) return cudaSuccess;
    if (state.graphs.captures.has(*stream)) {
      graph::Task task;
      GRIDSPAN_TRY(state.graphs.memories.make_free(pointer, task));
      return state.graphs.captures.add(*stream, std::move(task));
    }
    if (state.graphs.memories.free(pointer)) return cudaSuccess;
    GRIDSPAN_TRY(check_freeable(state, pointer));
    const Lookup found = state.memory.table().retire(pointer, is_freed_by_cuda_free);
    if (!found.is_live()) return refuse_to_free(pointer, found);
    const std::uint64_t may_stay = state.pools.note_free(pointer);
    state.shared_memory.forget(found.allocation.base);
    if (state.queue.is_quick()) {
      const auto place = submit<std::monostate>(state, *stream);
      state.returned_memory.add(state, found.allocation, stream->line, place, may_stay);
      return cudaSuccess;
    }
    auto release = std::make_unique<Release>(Release{&state, found.allocation});
    submit<HostCommand>(state, *stream, HostCommand{run_release, release.release(), true});
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  GRIDSPAN_CALL(free_bytes, total_bytes) {
    if (!free_bytes || !total_bytes) return refuse(cudaErrorInvalidValue, "a result is null");
    *total_bytes = share_of_memory(state);
    *free_bytes = std::min(*total_bytes, state.memory.available());
    return cudaSuccess;
  });
}
