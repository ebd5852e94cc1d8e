// The CUDA form's device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device.h"

std::string bench::device_name(std::string& why_not) {
  cudaDeviceProp properties;
  const cudaError_t status = cudaGetDeviceProperties(&properties, 0);
  if (status == cudaSuccess) return properties.name;
  why_not = cudaGetErrorString(status);
  return "";
}
