// Memory: allocated, freed, registered, asked about, filled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/graph/capture.h"
#include "runtime/api/submit.h"
#include "runtime/driver/call.h"

using namespace gridspan::runtime;
using driver::call;
using driver::Needs;
using driver::pointer;

namespace {

/// An allocation whose address goes to `to`: `allocate(void** address)`.
template <class Allocate>
CUresult allocate_to(CUdeviceptr* to, Allocate allocate) {
  if (!to) return CUDA_ERROR_INVALID_VALUE;
  return call(Needs::context, [&] {
    void* address = nullptr;
    const cudaError_t error = allocate(&address);
    if (error == cudaSuccess) *to = reinterpret_cast<CUdeviceptr>(address);
    return error;
  });
}

CUresult refuse_empty(const char* caller) {
  return driver::refuse(caller, CUDA_ERROR_INVALID_VALUE, "the size is 0");
}

/// A fill with elements of several bytes, which the run-time API knows in graphs only.
CUresult fill(const char* caller, const cudaMemsetParams& parameters, cudaStream_t handle) {
  return call(Needs::context, [&] {
    return run_call(caller, [&](Runtime& state) -> Status {
      graph::Task task;
      GRIDSPAN_TRY(graph::make_fill(state, &parameters, task));
      std::shared_ptr<Stream> stream;
      GRIDSPAN_TRY(find_stream_for_work(state, handle, stream));
      return graph::do_or_capture(state, *stream, std::move(task));
    });
  });
}

CUresult fill(const char* caller, CUdeviceptr to, unsigned value, unsigned size, std::size_t count,
              cudaStream_t stream) {
  return fill(caller, {pointer(to), 0, value, size, count, 1}, stream);
}

}  // namespace

CUresult cuMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return call(Needs::context, [&] { return cudaMemGetInfo(free_bytes, total_bytes); });
}

CUresult cuMemAlloc(CUdeviceptr* to, size_t bytes) {
  if (bytes == 0) return refuse_empty(__func__);
  return allocate_to(to, [&](void** address) { return cudaMalloc(address, bytes); });
}

CUresult cuMemAllocPitch(CUdeviceptr* to, size_t* pitch, size_t width, size_t height,
                         unsigned int element_size) {
  if (element_size != 4 && element_size != 8 && element_size != 16) {
    return driver::refuse(__func__, CUDA_ERROR_INVALID_VALUE,
                          "elements of %u bytes: 4, 8 or 16 are allowed", element_size);
  }
  if (width == 0 || height == 0) return refuse_empty(__func__);
  return allocate_to(
      to, [&](void** address) { return cudaMallocPitch(address, pitch, width, height); });
}

CUresult cuMemAllocManaged(CUdeviceptr* to, size_t bytes, unsigned int flags) {
  return allocate_to(to, [&](void** address) { return cudaMallocManaged(address, bytes, flags); });
}

CUresult cuMemAllocAsync(CUdeviceptr* to, size_t bytes, CUstream stream) {
  if (bytes == 0) return refuse_empty(__func__);
  return allocate_to(to, [&](void** address) { return cudaMallocAsync(address, bytes, stream); });
}

CUresult cuMemFree(CUdeviceptr address) {
  return call(Needs::context, [&] { return cudaFree(pointer(address)); });
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return call(Needs::context, [&] { return cudaFreeAsync(pointer(address), stream); });
}

CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* size, CUdeviceptr address) {
  if (const CUresult result = driver::check(Needs::context)) return result;
  const Lookup found = runtime().memory.table().find(pointer(address));
  if (!found.is_live()) {
    return driver::refuse(__func__, CUDA_ERROR_NOT_FOUND, "%p is not device memory",
                          pointer(address));
  }
  if (base) *base = found.allocation.base;
  if (size) *size = found.allocation.size;
  return CUDA_SUCCESS;
}

CUresult cuMemAllocHost(void** to, size_t bytes) {
  return call(Needs::context, [&] { return cudaMallocHost(to, bytes); });
}

CUresult cuMemFreeHost(void* address) {
  return call(Needs::context, [&] { return cudaFreeHost(address); });
}

CUresult cuMemHostAlloc(void** to, size_t bytes, unsigned int flags) {
  return call(Needs::context, [&] { return cudaHostAlloc(to, bytes, flags); });
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr* to, void* host, unsigned int flags) {
  return allocate_to(
      to, [&](void** address) { return cudaHostGetDevicePointer(address, host, flags); });
}

CUresult cuMemHostGetFlags(unsigned int* flags, void* host) {
  return call(Needs::context, [&] { return cudaHostGetFlags(flags, host); });
}

CUresult cuMemHostRegister(void* address, size_t bytes, unsigned int flags) {
  return call(Needs::context, [&] { return cudaHostRegister(address, bytes, flags); });
}

CUresult cuMemHostUnregister(void* address) {
  return call(Needs::context, [&] { return cudaHostUnregister(address); });
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return call(Needs::context, [&] { return cudaMemset(pointer(to), value, count); });
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
  return fill(__func__, to, value, sizeof value, count, nullptr);
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count) {
  return fill(__func__, to, value, sizeof value, count, nullptr);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return call(Needs::context, [&] { return cudaMemsetAsync(pointer(to), value, count, stream); });
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return fill(__func__, to, value, sizeof value, count, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream) {
  return fill(__func__, to, value, sizeof value, count, stream);
}
CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                      size_t height) {
  return fill(__func__, {pointer(to), pitch, value, sizeof value, width, height}, nullptr);
}
CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                       size_t height) {
  return fill(__func__, {pointer(to), pitch, value, sizeof value, width, height}, nullptr);
}
CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned int value, size_t width,
                       size_t height) {
  return fill(__func__, {pointer(to), pitch, value, sizeof value, width, height}, nullptr);
}
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                           size_t height, CUstream stream) {
  return fill(__func__, {pointer(to), pitch, value, sizeof value, width, height}, stream);
}
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                            size_t height, CUstream stream) {
  return fill(__func__, {pointer(to), pitch, value, sizeof value, width, height}, stream);
}
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned int value, size_t width,
                            size_t height, CUstream stream) {
  return fill(__func__, {pointer(to), pitch, value, sizeof value, width, height}, stream);
}
