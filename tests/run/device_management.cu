// Devices, their properties, kernel attributes and occupancy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Device management | cudaGetDeviceCount, cudaSetDevice, cudaGetDeviceProperties, cudaDeviceGetAttribute, versions
// FEATURE: Device management | cudaFuncGetAttributes, cudaFuncSetAttribute, cudaFuncSetCacheConfig, occupancy queries
// FEATURE: Device management | limits, cache configuration, flags, peer queries, cudaDeviceReset
#include "check.h"

__global__ void plain(int* out) { out[check::global_index()] = 1; }
__global__ void __launch_bounds__(192) bounded(float* out) {
  __shared__ float cells[100];
  cells[threadIdx.x % 100] = 1;
  __syncthreads();
  out[check::global_index()] = cells[0];
}

int main() {
  int count = 0, device = 99;
  CUDA_OK(cudaGetDeviceCount(&count));
  CHECK(count >= 1);
  CUDA_OK(cudaSetDevice(0));
  CUDA_OK(cudaGetDevice(&device));
  CHECK_EQ(device, 0);
  cudaDeviceProp p;
  CUDA_OK(cudaGetDeviceProperties(&p, 0));
  CHECK(std::strlen(p.name) > 0 && std::strlen(p.name) < sizeof p.name);
  CHECK(p.totalGlobalMem >= size_t(256) << 20);
  CHECK_EQ(p.warpSize, 32);
  CHECK_EQ(p.maxThreadsPerBlock, 1024);
  CHECK(p.maxThreadsDim[0] == 1024 && p.maxThreadsDim[1] == 1024 && p.maxThreadsDim[2] == 64);
  CHECK(p.maxGridSize[0] == 2147483647 && p.maxGridSize[1] == 65535 && p.maxGridSize[2] == 65535);
  CHECK(p.sharedMemPerBlock >= 48 * 1024);
  CHECK(p.sharedMemPerBlockOptin >= p.sharedMemPerBlock);
  CHECK(p.multiProcessorCount >= 1);
  CHECK(p.major >= 3);
  CHECK(p.totalConstMem >= 65536);
  CHECK(p.maxThreadsPerMultiProcessor >= 1024);
  const std::pair<cudaDeviceAttr, long long> pairs[] = {
      {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
      {cudaDevAttrWarpSize, p.warpSize},
      {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
      {cudaDevAttrComputeCapabilityMajor, p.major},
      {cudaDevAttrComputeCapabilityMinor, p.minor},
      {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
      {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
      {cudaDevAttrMaxSharedMemoryPerBlock, static_cast<long long>(p.sharedMemPerBlock)},
      {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
      {cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
  };
  for (const auto& [attribute, want] : pairs) {
    int value = -1;
    CUDA_OK(cudaDeviceGetAttribute(&value, attribute, 0));
    CHECK_EQ(value, want);
  }
  int driver = 0, runtime = 0;
  CUDA_OK(cudaDriverGetVersion(&driver));
  CUDA_OK(cudaRuntimeGetVersion(&runtime));
  CHECK_EQ(runtime, CUDART_VERSION);
  CHECK(driver >= runtime);

  cudaFuncAttributes attributes;
  CUDA_OK(cudaFuncGetAttributes(&attributes, plain));
  CHECK_EQ(attributes.maxThreadsPerBlock, 1024);
  CHECK_EQ(attributes.sharedSizeBytes, size_t{0});
  const int compiled_for[] = {__CUDA_ARCH_LIST__};
  CHECK_EQ(attributes.ptxVersion * 10, compiled_for[0]);
  CUDA_OK(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(bounded)));
  CHECK_EQ(attributes.maxThreadsPerBlock, 192);
  CHECK(attributes.sharedSizeBytes >= 400 && attributes.sharedSizeBytes < 1500);
  CUDA_OK(cudaFuncSetCacheConfig(plain, cudaFuncCachePreferL1));
  CUDA_OK(cudaFuncSetAttribute(plain, cudaFuncAttributePreferredSharedMemoryCarveout, 50));

  int blocks = 0, grid = 0, block = 0;
  CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 128, 0));
  CHECK(blocks >= 1);
  CUDA_OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 0));
  CHECK(block >= 32 && block <= 1024 && grid >= 1);
  CUDA_OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded, 0, 0));
  CHECK(block <= 192);
  check::Array<int> out(grid * block);
  plain<<<grid, block>>>(out.data());
  check::equal("suggested launch", out.get(), std::vector<int>(grid * block, 1));

  size_t limit = 0;
  CUDA_OK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  CHECK(limit > 0);
  CUDA_OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, size_t(64) << 20));
  CUDA_OK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  CHECK(limit >= size_t(64) << 20);
  CUDA_OK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, size_t(4) << 20));
  CUDA_OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
  int can = 7;
  CUDA_OK(cudaDeviceCanAccessPeer(&can, 0, 0));
  CHECK_EQ(can, 0);
  CUDA_OK(cudaDeviceSynchronize());
  return check::finish();
}
