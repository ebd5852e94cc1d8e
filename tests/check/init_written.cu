// Everything is written somehow: by copies, fills, kernels, atomics and through symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=init %t => 0
// EXPECT: finished: no error
// REFUSE: warning
#include <cstdio>


__device__ int zeros[8];

__global__ void write(int* a, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) a[i] = i;
}
__global__ void read(const int* a, const int* b, const char* c, const int* d, const int* e, int* out) {
  const int i = threadIdx.x;
  atomicAdd(out, a[i] + b[i] + c[i] + d[i] + e[i] + zeros[i % 8]);
}

int main() {
  int *a = nullptr, *b = nullptr, *d = nullptr, *e = nullptr, *out = nullptr;
  char* c = nullptr;
  const int host[33] = {};
  cudaMalloc(&a, 33 * 4);
  cudaMalloc(&b, 33 * 4);
  cudaMalloc(&c, 33);
  cudaMalloc(&d, 33 * 4);
  cudaMallocManaged(&e, 33 * 4);
  cudaMalloc(&out, 4);
  write<<<1, 7>>>(a, 33);
  cudaMemcpyAsync(b, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset2D(c, 11, 1, 11, 3);
  cudaMemcpy(d, b, sizeof host, cudaMemcpyDeviceToDevice);
  cudaMemsetAsync(out, 0, 4);
  read<<<1, 33>>>(a, b, c, d, e, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
