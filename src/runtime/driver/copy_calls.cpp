// Copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/call.h"

#include <cstddef>

using namespace gridspan::runtime;
using driver::call;
using driver::Needs;
using driver::pointer;

namespace {

/// Where one side of a copy with many forms lies.
struct Side {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
};

/// The run-time API's kind says which sides are host memory.
bool is_host(const Side& side) { return side.type == CU_MEMORYTYPE_HOST; }

cudaMemcpyKind kind_of(const Side& to, const Side& from) {
  if (to.type == CU_MEMORYTYPE_UNIFIED || from.type == CU_MEMORYTYPE_UNIFIED) {
    return cudaMemcpyDefault;
  }
  if (is_host(to)) return is_host(from) ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
  return is_host(from) ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

/// Gives the side to whichever of the two takes it.
void place(const Side& side, cudaArray_t& array, cudaPitchedPtr& memory, std::size_t pitch,
           std::size_t rows) {
  if (side.type == CU_MEMORYTYPE_ARRAY) {
    array = reinterpret_cast<cudaArray_t>(side.array);
    return;
  }
  void* base = is_host(side) ? const_cast<void*>(side.host) : pointer(side.device);
  memory = {base, pitch, pitch, rows};
}

/// Bytes of an array's texel; 1 for other memory. Arrays count in texels, the driver in bytes.
std::size_t texel_bytes(const Side& side) {
  if (side.type != CU_MEMORYTYPE_ARRAY) return 1;
  cudaChannelFormatDesc format = {};
  if (cudaArrayGetInfo(&format, nullptr, nullptr, reinterpret_cast<cudaArray_t>(side.array)) !=
      cudaSuccess) {
    return 1;  // the copy itself will refuse the array
  }
  return static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
}

struct Positions {
  std::size_t to_x, from_x, width;
};

cudaError_t to_texels(const Side& to, const Side& from, Positions& positions) {
  const std::size_t to_bytes = texel_bytes(to), from_bytes = texel_bytes(from);
  const std::size_t width_bytes = to_bytes > from_bytes ? to_bytes : from_bytes;
  if (positions.to_x % to_bytes || positions.from_x % from_bytes || positions.width % width_bytes) {
    return cudaErrorInvalidValue;
  }
  positions = {positions.to_x / to_bytes, positions.from_x / from_bytes,
               positions.width / width_bytes};
  return cudaSuccess;
}

cudaError_t copy(const CUDA_MEMCPY3D& request, cudaStream_t stream, bool is_asynchronous) {
  const Side to{request.dstMemoryType, request.dstHost, request.dstDevice, request.dstArray};
  const Side from{request.srcMemoryType, request.srcHost, request.srcDevice, request.srcArray};
  Positions positions{request.dstXInBytes, request.srcXInBytes, request.WidthInBytes};
  if (const cudaError_t error = to_texels(to, from, positions)) return error;
  // A pitch of 0 means rows without gaps.
  const auto pitch = [&](std::size_t given) { return given ? given : request.WidthInBytes; };
  const auto rows = [&](std::size_t given) { return given ? given : request.Height; };
  cudaMemcpy3DParms parameters = {};
  place(to, parameters.dstArray, parameters.dstPtr, pitch(request.dstPitch),
        rows(request.dstHeight));
  place(from, parameters.srcArray, parameters.srcPtr, pitch(request.srcPitch),
        rows(request.srcHeight));
  parameters.dstPos = {positions.to_x, request.dstY, request.dstZ};
  parameters.srcPos = {positions.from_x, request.srcY, request.srcZ};
  parameters.extent = {positions.width, request.Height, request.Depth};
  parameters.kind = kind_of(to, from);
  return is_asynchronous ? cudaMemcpy3DAsync(&parameters, stream) : cudaMemcpy3D(&parameters);
}

CUDA_MEMCPY3D to_3d(const CUDA_MEMCPY2D& copy) {
  CUDA_MEMCPY3D wider = {};
  wider.srcXInBytes = copy.srcXInBytes;
  wider.srcY = copy.srcY;
  wider.srcMemoryType = copy.srcMemoryType;
  wider.srcHost = copy.srcHost;
  wider.srcDevice = copy.srcDevice;
  wider.srcArray = copy.srcArray;
  wider.srcPitch = copy.srcPitch;
  wider.srcHeight = copy.srcY + copy.Height;
  wider.dstXInBytes = copy.dstXInBytes;
  wider.dstY = copy.dstY;
  wider.dstMemoryType = copy.dstMemoryType;
  wider.dstHost = copy.dstHost;
  wider.dstDevice = copy.dstDevice;
  wider.dstArray = copy.dstArray;
  wider.dstPitch = copy.dstPitch;
  wider.dstHeight = copy.dstY + copy.Height;
  wider.WidthInBytes = copy.WidthInBytes;
  wider.Height = copy.Height;
  wider.Depth = 1;
  return wider;
}

CUresult copy_flat(void* to, const void* from, std::size_t count, cudaMemcpyKind kind) {
  return call(Needs::context, [&] { return cudaMemcpy(to, from, count, kind); });
}
CUresult copy_flat(void* to, const void* from, std::size_t count, cudaMemcpyKind kind,
                   CUstream stream) {
  return call(Needs::context, [&] { return cudaMemcpyAsync(to, from, count, kind, stream); });
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
