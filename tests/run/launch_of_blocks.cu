// Launches that name their blocks only, as CUDA 13 has them: blocks of one thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | kernel<<<blocks>>>(…)
#include "check.h"

__global__ void plain(int* out) {
  out[blockIdx.x + gridDim.x * blockIdx.y] += blockDim.x * blockDim.y * blockDim.z + threadIdx.x;
}
template <class T>
__global__ void generic(T* out, int n) {
  for (int i = blockIdx.x; i < n; i += gridDim.x) out[i] += T(10 * blockDim.x);
}

int main() {
  constexpr int n = 21;
  int* out;
  CUDA_OK(cudaMallocManaged(&out, n * sizeof *out));
  for (int i = 0; i < n; ++i) out[i] = 0x5a00;
  plain<<<n>>>(out);
  plain<<<dim3(7, 3)>>>(out);
  generic<int><<<4>>>(out, n);
  KERNEL_OK();
  for (int i = 0; i < n; ++i) CHECK_EQ(out[i], 0x5a00 + 2 + 10);
  cudaFree(out);
  return check::finish();
}
