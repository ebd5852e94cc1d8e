// Copies with many forms, as the run-time API takes them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/copy_forms.h"

#include <cstddef>

namespace gridspan::runtime::driver {

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
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): an array has a format of at least 8 bits
  if (positions.to_x % to_bytes || positions.from_x % from_bytes || positions.width % width_bytes) {
    return cudaErrorInvalidValue;
  }
  positions = {positions.to_x / to_bytes, positions.from_x / from_bytes,
               positions.width / width_bytes};
  return cudaSuccess;
}

}  // namespace

cudaError_t to_parameters(const CUDA_MEMCPY3D& request, cudaMemcpy3DParms& parameters) {
  const Side to{request.dstMemoryType, request.dstHost, request.dstDevice, request.dstArray};
  const Side from{request.srcMemoryType, request.srcHost, request.srcDevice, request.srcArray};
  Positions positions{request.dstXInBytes, request.srcXInBytes, request.WidthInBytes};
  if (const cudaError_t error = to_texels(to, from, positions)) return error;
  // A pitch of 0 means rows without gaps.
  const auto pitch = [&](std::size_t given) { return given ? given : request.WidthInBytes; };
  const auto rows = [&](std::size_t given) { return given ? given : request.Height; };
  parameters = {};
  place(to, parameters.dstArray, parameters.dstPtr, pitch(request.dstPitch),
        rows(request.dstHeight));
  place(from, parameters.srcArray, parameters.srcPtr, pitch(request.srcPitch),
        rows(request.srcHeight));
  parameters.dstPos = {positions.to_x, request.dstY, request.dstZ};
  parameters.srcPos = {positions.from_x, request.srcY, request.srcZ};
  parameters.extent = {positions.width, request.Height, request.Depth};
  parameters.kind = kind_of(to, from);
  return cudaSuccess;
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

CUDA_MEMCPY3D without_contexts(const CUDA_MEMCPY3D_PEER& copy) {
  CUDA_MEMCPY3D plain = {};
  plain.srcXInBytes = copy.srcXInBytes;
  plain.srcY = copy.srcY;
  plain.srcZ = copy.srcZ;
  plain.srcMemoryType = copy.srcMemoryType;
  plain.srcHost = copy.srcHost;
  plain.srcDevice = copy.srcDevice;
  plain.srcArray = copy.srcArray;
  plain.srcPitch = copy.srcPitch;
  plain.srcHeight = copy.srcHeight;
  plain.dstXInBytes = copy.dstXInBytes;
  plain.dstY = copy.dstY;
  plain.dstZ = copy.dstZ;
  plain.dstMemoryType = copy.dstMemoryType;
  plain.dstHost = copy.dstHost;
  plain.dstDevice = copy.dstDevice;
  plain.dstArray = copy.dstArray;
  plain.dstPitch = copy.dstPitch;
  plain.dstHeight = copy.dstHeight;
  plain.WidthInBytes = copy.WidthInBytes;
  plain.Height = copy.Height;
  plain.Depth = copy.Depth;
  return plain;
}

CUDA_MEMCPY3D to_request(const cudaMemcpy3DParms& parameters) {
  // Both are memory by now: what was said of arrays has become addresses.
  const auto type = [](bool is_host) {
    return is_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  };
  const bool to_host =
      parameters.kind == cudaMemcpyDeviceToHost || parameters.kind == cudaMemcpyHostToHost;
  const bool from_host =
      parameters.kind == cudaMemcpyHostToDevice || parameters.kind == cudaMemcpyHostToHost;
  CUDA_MEMCPY3D request = {};
  request.dstMemoryType =
      parameters.kind == cudaMemcpyDefault ? CU_MEMORYTYPE_UNIFIED : type(to_host);
  request.srcMemoryType =
      parameters.kind == cudaMemcpyDefault ? CU_MEMORYTYPE_UNIFIED : type(from_host);
  request.dstHost = to_host ? parameters.dstPtr.ptr : nullptr;
  request.srcHost = from_host ? parameters.srcPtr.ptr : nullptr;
  if (!to_host) request.dstDevice = reinterpret_cast<CUdeviceptr>(parameters.dstPtr.ptr);
  if (!from_host) request.srcDevice = reinterpret_cast<CUdeviceptr>(parameters.srcPtr.ptr);
  request.dstPitch = parameters.dstPtr.pitch;
  request.srcPitch = parameters.srcPtr.pitch;
  request.dstHeight = parameters.dstPtr.ysize;
  request.srcHeight = parameters.srcPtr.ysize;
  request.WidthInBytes = parameters.extent.width;
  request.Height = parameters.extent.height;
  request.Depth = parameters.extent.depth;
  return request;
}

}  // namespace gridspan::runtime::driver
