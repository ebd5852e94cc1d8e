// What is known of an address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/runtime_state.h"
#include "runtime/driver/contexts.h"

#include <cstdint>
#include <cstring>

using namespace gridspan::runtime;
using driver::Needs;
using driver::pointer;

namespace {

/// One value of an attribute, whatever its type.
template <class T>
CUresult give(void* data, T value) {
  *static_cast<T*>(data) = value;
  return CUDA_SUCCESS;
}

/// Bytes of an attribute's value; 0 for one that is unknown.
std::size_t size_of(CUpointer_attribute attribute) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return sizeof(void*);
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
      return 0;
    default:
      return attribute >= CU_POINTER_ATTRIBUTE_MEMORY_TYPE &&
                     attribute <= CU_POINTER_ATTRIBUTE_ACCESS_FLAGS
                 ? sizeof(int)
                 : 0;
  }
}

}  // namespace

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr address) {
  if (!data) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = driver::check(Needs::context)) return result;
  const Lookup found = runtime().memory.table().find(pointer(address));
  if (!found.is_live()) {
    return driver::refuse("cuPointerGetAttribute", CUDA_ERROR_INVALID_VALUE,
                          "%p is not memory known to CUDA", pointer(address));
  }
  const MemoryKind kind = found.allocation.kind;
  const bool is_seen_by_host = is_host_kind(kind) && kind != MemoryKind::mapped &&
                               kind != MemoryKind::exported && kind != MemoryKind::imported;
  const bool is_host = is_seen_by_host && !is_managed_kind(kind);
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return give(data, driver::context_on(found.allocation.device));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return give(data, is_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return give(data, address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!is_seen_by_host) return CUDA_ERROR_INVALID_VALUE;
      return give(data, pointer(address));
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return give(data, unsigned{is_managed_kind(kind)});
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return give(data, found.allocation.device);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return give(data, CUdeviceptr{found.allocation.base});
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return give(data, found.allocation.size);
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return give(data, 1u);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:  // kept by nobody: there is one order of all work
      return give(data, 0u);
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      return give(data, unsigned{kind == MemoryKind::device || kind == MemoryKind::exported});
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      return give(
          data, std::uint64_t{kind == MemoryKind::mapped ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
                                                         : CU_MEM_HANDLE_TYPE_NONE});
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      return give(data, 0u);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return give(data, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return give(data, runtime().pools.pool_of(pointer(found.allocation.base)));
    default:
      return driver::refuse(__func__, CUDA_ERROR_NOT_SUPPORTED, "attribute %d",
                            static_cast<int>(attribute));
  }
}

// Of an address that is unknown all is 0; a device -2.
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** data,
                                CUdeviceptr address) {
  if (count == 0 || !attributes || !data) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = driver::check(Needs::context)) return result;
  const bool is_known = runtime().memory.table().find(pointer(address)).is_live();
  for (unsigned i = 0; i < count; ++i) {
    const std::size_t size = size_of(attributes[i]);
    if (size == 0 || !data[i]) return CUDA_ERROR_INVALID_VALUE;
    std::memset(data[i], 0, size);
    if (is_known) {
      (void)cuPointerGetAttribute(data[i], attributes[i], address);
    } else if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) {
      (void)give(data[i], CU_DEVICE_INVALID);
    }
  }
  return CUDA_SUCCESS;
}

CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute attribute,
                               CUdeviceptr address) {
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = driver::check(Needs::context)) return result;
  if (!runtime().memory.table().find(pointer(address)).is_live()) {
    return driver::refuse(__func__, CUDA_ERROR_INVALID_VALUE, "%p is not memory known to CUDA",
                          pointer(address));
  }
  if (attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) return CUDA_SUCCESS;
  return driver::refuse(__func__, CUDA_ERROR_INVALID_VALUE, "attribute %d cannot be set",
                        static_cast<int>(attribute));
}
