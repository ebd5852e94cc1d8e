// Calls of the run time in C++03.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda.h>
#include <cuda_runtime.h>

int cxx_of_host(dim3 shape, float4 of) {
  cudaGraphNodeParams node = cudaGraphNodeParams();
  node.kernel.gridDim.y = shape.y;
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count < 1) return -1;
  return __cplusplus < 201103L && node.kernel.gridDim.y == 3 && shape.z == 1 && of.w == 4;
}
