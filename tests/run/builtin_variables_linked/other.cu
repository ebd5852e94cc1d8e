// Functions that take, keep and return references, and a constant of the file's own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parts.h"

constexpr int warpSize = 32;

__device__ const uint3& where() { return threadIdx; }
__device__ const dim3* shape(bool of_grid) {
  const dim3& chosen = of_grid ? gridDim : blockDim;
  return &chosen;
}
__device__ __noinline__ unsigned taken(const uint3& a, const dim3& b) {
  return code(a) + 3 * code(b);
}
__device__ int own_lanes() {
  __shared__ int lanes[warpSize];  // a constant expression here
  return int(sizeof lanes / sizeof *lanes) + check::thread_index() % warpSize;
}
const int& host_lanes() { return warpSize; }
__device__ View::View() : index(blockIdx), size(gridDim) {}
__device__ unsigned View::value() const { return code(index) + 7 * code(size); }
