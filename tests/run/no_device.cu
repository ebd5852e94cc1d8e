// GRIDSPAN_DEVICES=none: what a program meets on a machine without GPUs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Device management | GRIDSPAN_DEVICES=none: both APIs and NVML answer that there is no device
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvml.h>

#include <cstdlib>
#include <cstring>

#include "check.h"

__device__ int written = 3;
__global__ void write(int* out) { *out = written = 5; }

void refuses_run_time_calls() {
  int count = 77;
  CHECK_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
  CHECK_EQ(count, 0);
  CHECK_EQ(cudaGetLastError(), cudaErrorNoDevice);
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  CHECK_EQ(std::strcmp(cudaGetErrorName(cudaErrorNoDevice), "cudaErrorNoDevice"), 0);
  int version = 0, driver = 0;
  CHECK_EQ(cudaRuntimeGetVersion(&version), cudaSuccess);
  CHECK_EQ(cudaDriverGetVersion(&driver), cudaSuccess);
  CHECK(version >= 12000 && driver >= 12000);

  int device = 9, host = 1;
  int* memory = &host;
  cudaDeviceProp properties;
  cudaStream_t stream;
  cudaEvent_t event;
  CHECK_EQ(cudaSetDevice(0), cudaErrorNoDevice);
  CHECK_EQ(cudaGetDevice(&device), cudaErrorNoDevice);
  CHECK_EQ(cudaGetDeviceProperties(&properties, 0), cudaErrorNoDevice);
  CHECK_EQ(cudaMalloc(&memory, 100), cudaErrorNoDevice);
  CHECK(memory == &host);
  CHECK_EQ(cudaMallocManaged(&memory, 100), cudaErrorNoDevice);
  CHECK_EQ(cudaMemcpyToSymbol(written, &host, sizeof host), cudaErrorNoDevice);
  CHECK_EQ(cudaStreamCreate(&stream), cudaErrorNoDevice);
  CHECK_EQ(cudaEventCreate(&event), cudaErrorNoDevice);
  CHECK_EQ(cudaFree(nullptr), cudaErrorNoDevice);
  (void)cudaGetLastError();
  write<<<1, 1>>>(memory);
  CHECK_EQ(cudaGetLastError(), cudaErrorNoDevice);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorNoDevice);
  CHECK_EQ(host, 1);
}

void refuses_driver_calls() {
  int count = 5, version = 0;
  CUdevice device;
  CHECK_EQ(cuInit(0), CUDA_ERROR_NO_DEVICE);
  CHECK_EQ(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_EQ(cuDeviceGet(&device, 0), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_EQ(cuDriverGetVersion(&version), CUDA_SUCCESS);
  CHECK(version >= 12000);
}

void has_nothing_to_manage() {
  unsigned count = 5;
  nvmlDevice_t device;
  CHECK_EQ(nvmlInit_v2(), NVML_SUCCESS);
  CHECK_EQ(nvmlDeviceGetCount_v2(&count), NVML_SUCCESS);
  CHECK_EQ(count, 0u);
  CHECK_EQ(nvmlDeviceGetHandleByIndex_v2(0, &device), NVML_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(nvmlShutdown(), NVML_SUCCESS);
}

int main() {
  setenv("GRIDSPAN_DEVICES", "none", 1);  // read at the first call
  refuses_run_time_calls();
  refuses_driver_calls();
  has_nothing_to_manage();
  return check::finish();
}
