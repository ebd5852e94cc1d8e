// Scalars in shared memory, and variables of the device, that single threads write in branches of
// their own. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | __shared__ and __device__ scalars written in branches that differ in nothing else
#include "check.h"

__device__ unsigned first, second, third;
__constant__ unsigned given[3] = {11, 22, 33};

__global__ void one_each(const unsigned* n, unsigned* out) {
  __shared__ unsigned a, b, c;
  const unsigned t = threadIdx.x;
  if (t == 0) a = n[0];
  if (t == 32) b = n[1];
  if (t == 33) c = n[2];
  __syncthreads();
  out[t] = a + 10 * b + 100 * c;
}

__global__ void either(const unsigned* n, unsigned* out) {
  __shared__ unsigned a, b;
  const unsigned t = threadIdx.x;
  if (t < 2) {
    if (n[t] % 2 == 0)
      a = n[t];
    else
      b = n[t];
  }
  __syncthreads();
  out[t] = a * 3 + b * 5;
}

__global__ void variables(const unsigned* n) {
  const unsigned t = threadIdx.x;
  if (t == 0)
    first = n[0] + given[1];
  else if (t == 1)
    second = n[1] + given[1];
  else if (t == 2)
    third = n[2] + given[1];
}

int main() {
  const unsigned numbers[] = {6, 9, 1}, threads = 67;
  unsigned *n, *out;
  CUDA_OK(cudaMallocManaged(&n, sizeof numbers));
  CUDA_OK(cudaMallocManaged(&out, threads * sizeof *out));
  std::memcpy(n, numbers, sizeof numbers);
  std::memset(out, 0xff, threads * sizeof *out);
  one_each<<<1, threads>>>(n, out);
  KERNEL_OK();
  for (unsigned i = 0; i < threads; ++i) CHECK_EQ(out[i], 6u + 90u + 100u);
  std::memset(out, 0xff, threads * sizeof *out);
  either<<<1, threads>>>(n, out);
  KERNEL_OK();
  for (unsigned i = 0; i < threads; ++i) CHECK_EQ(out[i], 6u * 3 + 9u * 5);
  variables<<<1, 32>>>(n);
  KERNEL_OK();
  unsigned value = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&value, first, sizeof value));
  CHECK_EQ(value, 28u);
  CUDA_OK(cudaMemcpyFromSymbol(&value, second, sizeof value));
  CHECK_EQ(value, 31u);
  CUDA_OK(cudaMemcpyFromSymbol(&value, third, sizeof value));
  CHECK_EQ(value, 23u);
  CUDA_OK(cudaFree(n));
  CUDA_OK(cudaFree(out));
  return check::finish();
}
