// Virtual memory management.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/virtual_memory.h"

#include "runtime/api/call.h"
#include "runtime/api/device_properties.h"

#include <fcntl.h>

#include <algorithm>

using namespace gridspan::runtime;
using driver::Needs;
using driver::virtual_memory;

namespace {

CUresult check_properties(const char* call, const CUmemAllocationProp* properties) {
  if (!properties) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = driver::check(Needs::initialisation)) return result;
  const bool is_there = properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
                        properties->location.id >= 0 &&
                        properties->location.id < device_count(runtime());
  if (properties->type != CU_MEM_ALLOCATION_TYPE_PINNED || !is_there) {
    return driver::refuse(call, CUDA_ERROR_INVALID_VALUE, "memory is pinned, and of a device");
  }
  constexpr auto known = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  if (properties->requestedHandleTypes & ~known) {
    return driver::refuse(call, CUDA_ERROR_NOT_SUPPORTED,
                          "memory is shared by file descriptors only");
  }
  return CUDA_SUCCESS;
}

/// Queued work may use what a call takes away; it is planned by what is mapped.
CUresult wait_for_work() {
  return driver::call(Needs::initialisation, [] {
    return run_call("cuMemUnmap", [](Runtime& state) { return wait_for_all(state); });
  });
}

}  // namespace

CUresult cuMemAddressReserve(CUdeviceptr* pointer, size_t size, size_t alignment,
                             CUdeviceptr wanted, unsigned long long flags) {
  if (!pointer || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = driver::check(Needs::initialisation)) return result;
  std::uintptr_t base = 0;
  const CUresult result = virtual_memory().reserve(size, alignment, wanted, base);
  if (result == CUDA_SUCCESS) *pointer = base;
  return result;
}

CUresult cuMemAddressFree(CUdeviceptr pointer, size_t size) {
  return virtual_memory().free(pointer, size);
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size,
                     const CUmemAllocationProp* properties, unsigned long long flags) {
  if (!handle || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = check_properties(__func__, properties)) return result;
  if (!runtime().memory.is_all_in_reach()) {
    return driver::refuse(__func__, CUDA_ERROR_NOT_SUPPORTED,
                          "memory without an address is not supported on CUDA devices yet");
  }
  if (size > runtime().memory.available()) {
    return driver::refuse(__func__, CUDA_ERROR_OUT_OF_MEMORY, "%zu bytes asked for, %zu are free",
                          size, runtime().memory.available());
  }
  CUmemAllocationProp made = *properties;
  made.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_NONE;
  return virtual_memory().create(size, made, *handle);
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return virtual_memory().release(handle);
}

CUresult cuMemMap(CUdeviceptr pointer, size_t size, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return virtual_memory().map(pointer, size, offset, handle);
}

CUresult cuMemUnmap(CUdeviceptr pointer, size_t size) {
  if (const CUresult result = wait_for_work()) return result;
  return virtual_memory().unmap(runtime(), pointer, size);
}

// All devices share one address space: what one of them may use, all may.
CUresult cuMemSetAccess(CUdeviceptr pointer, size_t size, const CUmemAccessDesc* accesses,
                        size_t count) {
  if (!accesses || count == 0) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = wait_for_work()) return result;
  const auto most = std::max_element(
      accesses, accesses + count, [](const auto& a, const auto& b) { return a.flags < b.flags; });
  return virtual_memory().set_access(runtime(), pointer, size, most->flags);
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location,
                        CUdeviceptr pointer) {
  if (!flags || !location) return CUDA_ERROR_INVALID_VALUE;
  return virtual_memory().get_access(pointer, *flags);
}

CUresult cuMemExportToShareableHandle(void* shareable, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags) {
  if (!shareable || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<driver::Physical> physical;
  if (const CUresult result = virtual_memory().find(handle, physical)) return result;
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR ||
      (physical->properties.requestedHandleTypes & type) == 0) {
    return driver::refuse(__func__, CUDA_ERROR_INVALID_VALUE,
                          "the memory was not made to be shared that way");
  }
  const int file = fcntl(physical->file, F_DUPFD_CLOEXEC, 0);
  if (file < 0) return CUDA_ERROR_OPERATING_SYSTEM;
  *static_cast<int*>(shareable) = file;
  return CUDA_SUCCESS;
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* shareable,
                                        CUmemAllocationHandleType type) {
  if (!handle) return CUDA_ERROR_INVALID_VALUE;
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return CUDA_ERROR_NOT_SUPPORTED;
  const int theirs = static_cast<int>(reinterpret_cast<std::intptr_t>(shareable));
  return virtual_memory().import(fcntl(theirs, F_DUPFD_CLOEXEC, 0), *handle);
}

CUresult cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags) {
  if (!granularity) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = check_properties(__func__, properties)) return result;
  *granularity = driver::mapping_granularity;
  return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
  if (!properties) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<driver::Physical> physical;
  if (const CUresult result = virtual_memory().find(handle, physical)) return result;
  *properties = physical->properties;
  return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
  if (!handle) return CUDA_ERROR_INVALID_VALUE;
  return virtual_memory().retain(reinterpret_cast<std::uintptr_t>(address), *handle);
}
