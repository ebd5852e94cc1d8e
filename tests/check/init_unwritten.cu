// A buffer of which nobody wrote the last elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=init %t => 0
// EXPECT: init_unwritten\.cu:20:\d+: warning: kernel 'sum\(float const\*, float\*, int\)', block \[0,0,0\], thread \[1,0,0\]: read of 4 bytes at 0x[0-9a-f]+, which nobody has written, 388 bytes inside the 400 bytes at 0x[0-9a-f]+$
// EXPECT: init_unwritten\.cu:26: note: the 400 bytes at 0x[0-9a-f]+ are allocated by cudaMalloc, called in main$
// EXPECT: note: 2 more times$
// EXPECT: finished: no error
// STEP: GRIDSPAN_CPU=interpret %t => 0
// EXPECT: finished
// REFUSE: warning
// STEP: GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=init,memory %t => 0
// EXPECT: which nobody has written
// REFUSE: error:
#include <cstdio>


__global__ void sum(const float* a, float* out, int n) {
  float total = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) total += a[i];
  out[threadIdx.x] = total;
}

int main() {
  float *a = nullptr, *out = nullptr;
  cudaMalloc(&a, 100 * sizeof(float));
  cudaMalloc(&out, 16 * sizeof(float));
  const float host[97] = {};
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  sum<<<1, 16>>>(a, out, 100);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
