// One of several files that have the same static names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>

static __device__ int number = PART;
static __constant__ int factors[2];
static __device__ int history[2048];  // which the host does not know
extern __shared__ int scratch[];

static __device__ int scaled(int value) { return value * factors[PART % 2] + number; }

static __global__ void work(const int* in, int* out, int n) {
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  scratch[t] = i < n ? scaled(in[i]) : 0;
  __syncthreads();
  if (i < n) out[i] = scratch[t] + scratch[t ^ 1] * PART;
}

static __global__ void remember(const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) history[i] = in[i] * PART;
}

static __global__ void recall(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += history[(i + 1) % n];
}

#define NAME(part) NAME_OF(part)
#define NAME_OF(part) run_part##part
cudaError_t NAME(PART)(const int* in, int* out, int n, const int* given, int more) {
  cudaError_t status = cudaMemcpyToSymbol(factors, given, sizeof factors);
  if (status == cudaSuccess) status = cudaMemcpyToSymbol(number, &more, sizeof more);
  if (status != cudaSuccess) return status;
  work<<<(n + 63) / 64, 64, 64 * sizeof(int)>>>(in, out, n);
  remember<<<(n + 63) / 64, 64>>>(in, n);
  recall<<<(n + 63) / 64, 64>>>(out, n);
  return cudaDeviceSynchronize();
}
