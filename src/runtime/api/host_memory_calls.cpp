// Page-locked and registered host memory, and what a pointer is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"

using namespace gridspan::runtime;

namespace {

Status allocate_host(Runtime& state, void** pointer, std::size_t size, unsigned flags) {
  if (!pointer) return refuse(cudaErrorInvalidValue, "the result pointer is null");
  constexpr unsigned known =
      cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if (flags & ~known) return refuse(cudaErrorInvalidValue, "unknown flags %#x", flags & ~known);
  *pointer = nullptr;
  if (size == 0) return cudaSuccess;
  *pointer = state.memory.allocate(size, MemoryKind::host, flags, current_device());
  if (*pointer) return cudaSuccess;
  return refuse(cudaErrorMemoryAllocation, "%zu bytes of host memory asked for, %zu are free", size,
                state.memory.available());
}

cudaMemoryType type_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device:
    case MemoryKind::symbol:
    case MemoryKind::mapped:
    case MemoryKind::exported:
    case MemoryKind::imported:
      return cudaMemoryTypeDevice;
    case MemoryKind::host:
    case MemoryKind::registered:
      return cudaMemoryTypeHost;
    case MemoryKind::managed:
    case MemoryKind::managed_variable:
      return cudaMemoryTypeManaged;
  }
  return cudaMemoryTypeUnregistered;
}

/// The live page-locked, registered or managed memory that holds `pointer`.
Status find_host(Runtime& state, const void* pointer, Allocation& allocation) {
  const Lookup found = state.memory.table().find(pointer);
  if (!found.is_live() || type_of(found.allocation.kind) == cudaMemoryTypeDevice) {
    return refuse(cudaErrorInvalidValue, "%p is not page-locked or registered host memory",
                  pointer);
  }
  allocation = found.allocation;
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaMallocHost(void** pointer, size_t size) {
  GRIDSPAN_CALL(pointer, size) { return allocate_host(state, pointer, size, cudaHostAllocDefault); });
}

cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags) {
  GRIDSPAN_CALL(pointer, size, flags) { return allocate_host(state, pointer, size, flags); });
}

cudaError_t cudaFreeHost(void* pointer) {
  GRIDSPAN_CALL(pointer) {
    if (!pointer) return cudaSuccess;
    const Lookup found = state.memory.table().remove(
        pointer, [](MemoryKind kind) { return kind == MemoryKind::host; });
    if (!found.is_live()) {
      return refuse(
          cudaErrorInvalidValue, "%p %s", pointer,
          found.is_freed() ? "was freed before" : "is not the start of page-locked memory");
    }
    const Status status = wait_for_all(state);  // queued copies may use it
    state.memory.release(found.allocation);
    return status;
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int flags) {
  GRIDSPAN_CALL(pointer, size, flags) {
    constexpr unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                               cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    if (!pointer || size == 0) return refuse(cudaErrorInvalidValue, "no memory to register");
    if (flags & ~known) return refuse(cudaErrorInvalidValue, "unknown flags %#x", flags & ~known);
    const auto base = reinterpret_cast<std::uintptr_t>(pointer);
    if (base + size < base) return refuse(cudaErrorInvalidValue, "the range wraps around");
    const Allocation made{base, size, MemoryKind::registered, flags, current_device()};
    if (!state.memory.table().insert(made)) {
      return refuse(cudaErrorHostMemoryAlreadyRegistered, "%p + %zu bytes overlap known memory",
                    pointer, size);
    }
    if (state.memory.register_host(pointer, size)) return cudaSuccess;
    state.memory.table().forget(pointer, MemoryKind::registered);
    return refuse(cudaErrorNotSupported, "%p + %zu bytes cannot be seen by all devices", pointer,
                  size);
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  GRIDSPAN_CALL(pointer) {
    if (!pointer) return refuse(cudaErrorInvalidValue, "the pointer is null");
    GRIDSPAN_TRY(wait_for_all(state));
    if (state.memory.table().forget(pointer, MemoryKind::registered)) {
      state.memory.unregister_host(pointer);
      return cudaSuccess;
    }
    return refuse(cudaErrorHostMemoryNotRegistered, "%p was not registered", pointer);
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  GRIDSPAN_CALL(device, host, flags) {
    if (!device || flags != 0) return refuse(cudaErrorInvalidValue, "bad result pointer or flags");
    Allocation allocation;
    GRIDSPAN_TRY(find_host(state, host, allocation));
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  GRIDSPAN_CALL(flags, host) {
    if (!flags) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    Allocation allocation;
    GRIDSPAN_TRY(find_host(state, host, allocation));
    *flags = allocation.flags | cudaHostAllocMapped;  // with unified addressing all of it is
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  GRIDSPAN_CALL(attributes, pointer) {
    if (!attributes) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    void* const address = const_cast<void*>(pointer);
    const Lookup found = state.memory.table().find(pointer);
    if (!found.is_live()) {
      *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, address};
      return cudaSuccess;
    }
    const cudaMemoryType type = type_of(found.allocation.kind);
    *attributes = {type, found.allocation.device, address,
                   type == cudaMemoryTypeDevice ? nullptr : address};
    return cudaSuccess;
  });
}
