// Textures, surfaces and arrays of the driver API, used by kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcuda
// FEATURE: Driver API | cuTexObjectCreate, cuSurfObjectCreate, cuArrayCreate, cuArray3DCreate and their descriptors
#include <cuda.h>

#include "check.h"

#define CU_OK(call) CHECK_EQ((call), CUDA_SUCCESS)

template <class T>
__global__ void fetch(CUtexObject texture, T* out, int n) {
  const int i = check::global_index();
  if (i < n) out[i] = tex1Dfetch<T>(texture, i);
}
__global__ void sample(CUtexObject texture, float* out, int width, int height, bool normalised) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= width) return;
  const float u = x + 0.5f, v = y + 0.5f;
  out[y * width + x] = normalised ? tex2D<float>(texture, (u + width) / width, v / height)
                                  : tex2D<float>(texture, u, v);
}
__global__ void store(CUsurfObject surface, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width) surf2Dwrite(x * 100 + y, surface, x * 4, y);
}

void context() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  CU_OK(cuInit(0));
  CU_OK(cuDeviceGet(&device, 0));
  CU_OK(cuDevicePrimaryCtxRetain(&context, device));
  CU_OK(cuCtxSetCurrent(context));
}

/// 8-bit integers are numbers up to 1 unless the flags say integers.
void fetches() {
  const int n = 517;
  std::vector<unsigned char> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<unsigned char>(i * 37);
  check::Array<unsigned char> data(host);
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear = {reinterpret_cast<CUdeviceptr>(data.data()), CU_AD_FORMAT_UNSIGNED_INT8, 1,
                         static_cast<size_t>(n)};
  CUDA_TEXTURE_DESC modes = {};
  CUtexObject texture = 0;
  CU_OK(cuTexObjectCreate(&texture, &resource, &modes, nullptr));
  check::Array<float> numbers(n);
  fetch<float><<<(n + 63) / 64, 64>>>(texture, numbers.data(), n);
  std::vector<float> want(n);
  for (int i = 0; i < n; ++i) want[i] = static_cast<float>(host[i]) / 255.0f;
  check::near("as numbers up to 1", numbers.get(), want, 1e-6);
  CU_OK(cuTexObjectDestroy(texture));
  modes.flags = CU_TRSF_READ_AS_INTEGER;
  CU_OK(cuTexObjectCreate(&texture, &resource, &modes, nullptr));
  check::Array<unsigned char> integers(n);
  fetch<unsigned char><<<(n + 63) / 64, 64>>>(texture, integers.data(), n);
  check::equal("as integers", integers.get(), host);
  CUDA_RESOURCE_DESC known = {};
  CUDA_TEXTURE_DESC known_modes = {};
  CUDA_RESOURCE_VIEW_DESC view = {};
  CU_OK(cuTexObjectGetResourceDesc(&known, texture));
  CHECK(known.resType == resource.resType && known.res.linear.devPtr == resource.res.linear.devPtr);
  CU_OK(cuTexObjectGetTextureDesc(&known_modes, texture));
  CHECK_EQ(known_modes.flags, modes.flags);
  CHECK_EQ(cuTexObjectGetResourceViewDesc(&view, texture), CUDA_ERROR_INVALID_VALUE);
  CU_OK(cuTexObjectDestroy(texture));
  CHECK_EQ(cuTexObjectDestroy(texture), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cuTexObjectGetResourceDesc(&known, texture), CUDA_ERROR_INVALID_VALUE);
  resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  CHECK_EQ(cuTexObjectCreate(&texture, &resource, &modes, nullptr), CUDA_ERROR_INVALID_HANDLE);
}

/// An array, wrapped around, with coordinates from 0 to 1.
void samples() {
  const int width = 67, height = 31;
  std::vector<float> host(width * height);
  for (int i = 0; i < width * height; ++i) host[i] = static_cast<float>(i % 113) * 0.5f;
  CUarray array = nullptr;
  CUDA_ARRAY_DESCRIPTOR descriptor = {};
  descriptor.Width = width;
  descriptor.Height = height;
  descriptor.Format = CU_AD_FORMAT_FLOAT;
  descriptor.NumChannels = 1;
  CU_OK(cuArrayCreate(&array, &descriptor));
  CUDA_ARRAY_DESCRIPTOR known = {};
  CU_OK(cuArrayGetDescriptor(&known, array));
  CHECK_EQ(known.Width, size_t{width});
  CHECK_EQ(known.Height, size_t{height});
  CHECK_EQ(known.Format, CU_AD_FORMAT_FLOAT);
  CHECK_EQ(known.NumChannels, 1u);
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host.data();
  copy.srcPitch = copy.WidthInBytes = width * sizeof(float);
  copy.Height = height;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  CU_OK(cuMemcpy2D(&copy));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC modes = {};
  modes.addressMode[0] = modes.addressMode[1] = CU_TR_ADDRESS_MODE_WRAP;
  modes.flags = CU_TRSF_NORMALIZED_COORDINATES;
  CUtexObject texture = 0;
  CU_OK(cuTexObjectCreate(&texture, &resource, &modes, nullptr));
  check::Array<float> out(width * height);
  sample<<<dim3(2, height), 48>>>(texture, out.data(), width, height, true);
  check::equal("wrapped around", out.get(), host);
  CU_OK(cuTexObjectDestroy(texture));
  CU_OK(cuArrayDestroy(array));
}

void stores() {
  const int width = 45, height = 7;
  CUarray array = nullptr;
  CUDA_ARRAY3D_DESCRIPTOR descriptor = {
      width, height, 0, CU_AD_FORMAT_SIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST};
  CU_OK(cuArray3DCreate(&array, &descriptor));
  CUDA_ARRAY3D_DESCRIPTOR known = {};
  CU_OK(cuArray3DGetDescriptor(&known, array));
  CHECK_EQ(known.Format, CU_AD_FORMAT_SIGNED_INT32);
  CHECK_EQ(known.Flags, unsigned{CUDA_ARRAY3D_SURFACE_LDST});
  CHECK_EQ(known.Depth, size_t{0});
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUsurfObject surface = 0;
  CU_OK(cuSurfObjectCreate(&surface, &resource));
  store<<<dim3(1, height), 64>>>(surface, width);
  std::vector<int> got(width * height, -1), want(width * height);
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = got.data();
  copy.dstPitch = copy.WidthInBytes = width * sizeof(int);
  copy.Height = height;
  CU_OK(cuMemcpy2D(&copy));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) want[y * width + x] = x * 100 + y;
  }
  check::equal("surface", got, want);
  CU_OK(cuSurfObjectDestroy(surface));
  CU_OK(cuArrayDestroy(array));
  descriptor.Format = static_cast<CUarray_format>(77);
  CHECK_EQ(cuArray3DCreate(&array, &descriptor), CUDA_ERROR_INVALID_VALUE);
}

int main() {
  context();
  fetches();
  samples();
  stores();
  return check::finish();
}
