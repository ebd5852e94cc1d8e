// Memory pools of the driver API, and what is shared between processes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/call.h"

using namespace gridspan::runtime;
using driver::call;
using driver::Needs;
using driver::pointer;

namespace {

// The run-time API's structs are the driver's under other names.
static_assert(sizeof(cudaMemPoolProps) == sizeof(CUmemPoolProps));
static_assert(sizeof(cudaMemAccessDesc) == sizeof(CUmemAccessDesc));
static_assert(sizeof(cudaMemLocation) == sizeof(CUmemLocation));
static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(CUipcMemHandle));
static_assert(sizeof(cudaIpcEventHandle_t) == sizeof(CUipcEventHandle));
static_assert(sizeof(cudaMemPoolPtrExportData) == sizeof(CUmemPoolPtrExportData));

cudaMemAllocationHandleType to_type(CUmemAllocationHandleType type) {
  return static_cast<cudaMemAllocationHandleType>(type);
}

}  // namespace

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return call(Needs::initialisation, [&] { return cudaDeviceGetDefaultMemPool(pool, device); });
}
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return call(Needs::initialisation, [&] { return cudaDeviceGetMemPool(pool, device); });
}
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return call(Needs::initialisation, [&] { return cudaDeviceSetMemPool(device, pool); });
}
CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  return call(Needs::initialisation, [&] {
    return cudaMemPoolCreate(pool, reinterpret_cast<const cudaMemPoolProps*>(properties));
  });
}
CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return call(Needs::initialisation, [&] { return cudaMemPoolDestroy(pool); });
}
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes_to_keep) {
  return call(Needs::initialisation, [&] { return cudaMemPoolTrimTo(pool, bytes_to_keep); });
}
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return call(Needs::initialisation, [&] {
    return cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value);
  });
}
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return call(Needs::initialisation, [&] {
    return cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value);
  });
}
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* accesses, size_t count) {
  return call(Needs::initialisation, [&] {
    return cudaMemPoolSetAccess(pool, reinterpret_cast<const cudaMemAccessDesc*>(accesses), count);
  });
}
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
  return call(Needs::initialisation, [&] {
    return cudaMemPoolGetAccess(reinterpret_cast<cudaMemAccessFlags*>(flags), pool,
                                reinterpret_cast<cudaMemLocation*>(location));
  });
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* to, size_t bytes, CUmemoryPool pool,
                                 CUstream stream) {
  if (!to || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  return call(Needs::context, [&] {
    void* address = nullptr;
    const cudaError_t error = cudaMallocFromPoolAsync(&address, bytes, pool, stream);
    if (error == cudaSuccess) *to = reinterpret_cast<CUdeviceptr>(address);
    return error;
  });
}
CUresult cuMemPoolExportToShareableHandle(void* shareable, CUmemoryPool pool,
                                          CUmemAllocationHandleType type,
                                          unsigned long long flags) {
  return call(Needs::initialisation, [&] {
    return cudaMemPoolExportToShareableHandle(shareable, pool, to_type(type),
                                              static_cast<unsigned>(flags));
  });
}
CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* shareable,
                                            CUmemAllocationHandleType type,
                                            unsigned long long flags) {
  return call(Needs::initialisation, [&] {
    return cudaMemPoolImportFromShareableHandle(pool, shareable, to_type(type),
                                                static_cast<unsigned>(flags));
  });
}
CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* exported, CUdeviceptr address) {
  return call(Needs::context, [&] {
    return cudaMemPoolExportPointer(reinterpret_cast<cudaMemPoolPtrExportData*>(exported),
                                    pointer(address));
  });
}
CUresult cuMemPoolImportPointer(CUdeviceptr* to, CUmemoryPool pool,
                                CUmemPoolPtrExportData* exported) {
  if (!to) return CUDA_ERROR_INVALID_VALUE;
  return call(Needs::context, [&] {
    void* address = nullptr;
    const cudaError_t error = cudaMemPoolImportPointer(
        &address, pool, reinterpret_cast<cudaMemPoolPtrExportData*>(exported));
    if (error == cudaSuccess) *to = reinterpret_cast<CUdeviceptr>(address);
    return error;
  });
}

CUresult cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event) {
  return call(Needs::context, [&] {
    return cudaIpcGetEventHandle(reinterpret_cast<cudaIpcEventHandle_t*>(handle), event);
  });
}
CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle) {
  return call(Needs::context, [&] {
    return cudaIpcOpenEventHandle(event, reinterpret_cast<cudaIpcEventHandle_t&>(handle));
  });
}
CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr address) {
  return call(Needs::context, [&] {
    return cudaIpcGetMemHandle(reinterpret_cast<cudaIpcMemHandle_t*>(handle), pointer(address));
  });
}
CUresult cuIpcOpenMemHandle(CUdeviceptr* to, CUipcMemHandle handle, unsigned int flags) {
  if (!to) return CUDA_ERROR_INVALID_VALUE;
  return call(Needs::context, [&] {
    void* address = nullptr;
    const cudaError_t error =
        cudaIpcOpenMemHandle(&address, reinterpret_cast<cudaIpcMemHandle_t&>(handle), flags);
    if (error == cudaSuccess) *to = reinterpret_cast<CUdeviceptr>(address);
    return error;
  });
}
CUresult cuIpcCloseMemHandle(CUdeviceptr address) {
  return call(Needs::context, [&] { return cudaIpcCloseMemHandle(pointer(address)); });
}
