// Copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/copy_forms.h"

#include <cstddef>

using namespace gridspan::runtime;
using driver::call;
using driver::Needs;
using driver::pointer;
using driver::to_3d;

namespace {

cudaError_t copy(const CUDA_MEMCPY3D& request, cudaStream_t stream, bool is_asynchronous) {
  cudaMemcpy3DParms parameters = {};
  if (const cudaError_t error = driver::to_parameters(request, parameters)) return error;
  return is_asynchronous ? cudaMemcpy3DAsync(&parameters, stream) : cudaMemcpy3D(&parameters);
}

CUresult copy_flat(void* to, const void* from, std::size_t count, cudaMemcpyKind kind) {
  return call(Needs::context, [&] { return cudaMemcpy(to, from, count, kind); });
}
CUresult copy_flat(void* to, const void* from, std::size_t count, cudaMemcpyKind kind,
                   CUstream stream) {
  return call(Needs::context, [&] { return cudaMemcpyAsync(to, from, count, kind, stream); });
}

/// `count` bytes of one row of an array, from byte `offset` on, and other memory.
CUresult copy_row(CUDA_MEMCPY2D copy, size_t count, cudaStream_t stream, bool is_asynchronous) {
  copy.WidthInBytes = count;
  copy.Height = 1;
  return call(Needs::context, [&] { return ::copy(to_3d(copy), stream, is_asynchronous); });
}
void to_row(CUDA_MEMCPY2D& copy, CUarray array, size_t offset) {
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.dstXInBytes = offset;
}
void from_row(CUDA_MEMCPY2D& copy, CUarray array, size_t offset) {
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.srcXInBytes = offset;
}

CUresult copy_to_row(CUarray to, size_t offset, const void* from, size_t count, CUstream stream,
                     bool is_asynchronous) {
  CUDA_MEMCPY2D copy = {};
  to_row(copy, to, offset);
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = from;
  return copy_row(copy, count, stream, is_asynchronous);
}
CUresult copy_from_row(void* to, CUarray from, size_t offset, size_t count, CUstream stream,
                       bool is_asynchronous) {
  CUDA_MEMCPY2D copy = {};
  from_row(copy, from, offset);
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = to;
  return copy_row(copy, count, stream, is_asynchronous);
}

}  // namespace

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t count) {
  return copy_flat(pointer(to), pointer(from), count, cudaMemcpyDefault);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t count, CUstream stream) {
  return copy_flat(pointer(to), pointer(from), count, cudaMemcpyDefault, stream);
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t count) {
  return copy_flat(pointer(to), from, count, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t count) {
  return copy_flat(to, pointer(from), count, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t count) {
  return copy_flat(pointer(to), pointer(from), count, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t count, CUstream stream) {
  return copy_flat(pointer(to), from, count, cudaMemcpyHostToDevice, stream);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t count, CUstream stream) {
  return copy_flat(to, pointer(from), count, cudaMemcpyDeviceToHost, stream);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t count, CUstream stream) {
  return copy_flat(pointer(to), pointer(from), count, cudaMemcpyDeviceToDevice, stream);
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t count) {
  return cuMemcpyDtoD(to, from, count);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* request) {
  if (!request) return CUDA_ERROR_INVALID_VALUE;
  return call(Needs::context, [&] { return copy(to_3d(*request), nullptr, false); });
}
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* request) { return cuMemcpy2D(request); }
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* request, CUstream stream) {
  if (!request) return CUDA_ERROR_INVALID_VALUE;
  return call(Needs::context, [&] { return copy(to_3d(*request), stream, true); });
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* request) {
  if (!request) return CUDA_ERROR_INVALID_VALUE;
  return call(Needs::context, [&] { return copy(*request, nullptr, false); });
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* request, CUstream stream) {
  if (!request) return CUDA_ERROR_INVALID_VALUE;
  return call(Needs::context, [&] { return copy(*request, stream, true); });
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t count,
                           CUstream stream) {
  return cuMemcpyDtoDAsync(to, from, count, stream);
}
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* request) {
  if (!request) return CUDA_ERROR_INVALID_VALUE;
  return call(Needs::context,
              [&] { return copy(driver::without_contexts(*request), nullptr, false); });
}
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* request, CUstream stream) {
  if (!request) return CUDA_ERROR_INVALID_VALUE;
  return call(Needs::context,
              [&] { return copy(driver::without_contexts(*request), stream, true); });
}

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void* from, size_t count) {
  return copy_to_row(to, offset, from, count, nullptr, false);
}
CUresult cuMemcpyHtoAAsync(CUarray to, size_t offset, const void* from, size_t count,
                           CUstream stream) {
  return copy_to_row(to, offset, from, count, stream, true);
}
CUresult cuMemcpyAtoH(void* to, CUarray from, size_t offset, size_t count) {
  return copy_from_row(to, from, offset, count, nullptr, false);
}
CUresult cuMemcpyAtoHAsync(void* to, CUarray from, size_t offset, size_t count, CUstream stream) {
  return copy_from_row(to, from, offset, count, stream, true);
}
CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t count) {
  CUDA_MEMCPY2D copy = {};
  to_row(copy, to, offset);
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = from;
  return copy_row(copy, count, nullptr, false);
}
CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t count) {
  CUDA_MEMCPY2D copy = {};
  from_row(copy, from, offset);
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = to;
  return copy_row(copy, count, nullptr, false);
}
CUresult cuMemcpyAtoA(CUarray to, size_t to_offset, CUarray from, size_t from_offset,
                      size_t count) {
  CUDA_MEMCPY2D copy = {};
  to_row(copy, to, to_offset);
  from_row(copy, from, from_offset);
  return copy_row(copy, count, nullptr, false);
}
