// cuda_occupancy.h: occupancy from numbers, held against the tables of NVIDIA's guide.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Device management | cuda_occupancy.h: occupancy of devices that are not there
#include <cuda_occupancy.h>

#include "check.h"

/// Compute capability 8.0.
cudaOccDeviceProp a100() {
  cudaOccDeviceProp device;
  device.computeMajor = 8;
  device.maxThreadsPerBlock = 1024;
  device.maxThreadsPerMultiprocessor = 2048;
  device.regsPerBlock = device.regsPerMultiprocessor = 65536;
  device.warpSize = 32;
  device.sharedMemPerBlock = 48 << 10;
  device.sharedMemPerBlockOptin = 163 << 10;
  device.sharedMemPerMultiprocessor = 164 << 10;
  device.reservedSharedMemPerBlock = 1 << 10;
  device.numSms = 108;
  return device;
}

struct Case {
  int registers, block_size;
  size_t shared;
  int blocks;
  unsigned limits;
};

__global__ void scale(float* values) { values[threadIdx.x] *= 2; }

size_t shared_of(int block_size) { return block_size * 96; }

int main() {
  const cudaOccDeviceProp device = a100();
  const cudaOccDeviceState state;
  cudaOccFuncAttributes kernel;
  kernel.maxThreadsPerBlock = 1024;
  kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  const Case cases[] = {
      {32, 256, 0, 8, OCC_LIMIT_WARPS | OCC_LIMIT_REGISTERS},
      {16, 32, 0, 32, OCC_LIMIT_BLOCKS},
      {64, 256, 0, 4, OCC_LIMIT_REGISTERS},
      {33, 1024, 0, 1, OCC_LIMIT_REGISTERS},  // 40 are allocated: 48 warps
      {32, 128, 48 << 10, 3, OCC_LIMIT_SHARED_MEMORY},
      {32, 128, 163 << 10, 1, OCC_LIMIT_SHARED_MEMORY},
      {32, 128, 164 << 10, 0, OCC_LIMIT_SHARED_MEMORY},
      {255, 512, 0, 0, OCC_LIMIT_REGISTERS},
      {32, 1056, 0, 0, OCC_LIMIT_WARPS},
  };
  for (const Case& c : cases) {
    kernel.numRegs = c.registers;
    cudaOccResult result;
    CHECK_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state,
                                                     c.block_size, c.shared),
             CUDA_OCC_SUCCESS);
    CHECK_EQ(result.activeBlocksPerMultiprocessor, c.blocks);
    CHECK_EQ(result.limitingFactors & c.limits, c.limits);
  }

  kernel.numRegs = 40;
  int grid_size = 0, block_size = 0;
  CHECK_EQ(cudaOccMaxPotentialOccupancyBlockSize(&grid_size, &block_size, &device, &kernel, &state,
                                                 nullptr, 0),
           CUDA_OCC_SUCCESS);
  CHECK_EQ(block_size, 768);
  CHECK_EQ(grid_size, 2 * 108);
  CHECK_EQ(cudaOccMaxPotentialOccupancyBlockSize(&grid_size, &block_size, &device, &kernel, &state,
                                                 shared_of, 0),
           CUDA_OCC_SUCCESS);
  CHECK_EQ(block_size, 768);

  // What the run time says of the device that is there can be asked about, too.
  cudaDeviceProp properties;
  cudaFuncAttributes attributes;
  CUDA_OK(cudaGetDeviceProperties(&properties, 0));
  CUDA_OK(cudaFuncGetAttributes(&attributes, scale));
  const cudaOccDeviceProp here(properties);
  const cudaOccFuncAttributes scale_kernel(attributes);
  cudaOccResult result;
  CHECK_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &here, &scale_kernel, &state, 128, 0),
           CUDA_OCC_SUCCESS);
  CHECK_EQ(result.activeBlocksPerMultiprocessor > 0, true);
  CHECK_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(nullptr, &here, &scale_kernel, &state, 128, 0),
           CUDA_OCC_ERROR_INVALID_INPUT);
  return check::finish();
}
