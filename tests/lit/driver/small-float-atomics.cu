// Sums of 16-bit numbers by atomic updates beside a barrier: nobody waits for another thread, so threads need no fibers.
// RUN: %gridspan explain %s | FileCheck %s --implicit-check-not=fibers
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// CHECK: sum_pairs(
__global__ void sum_pairs(const __nv_bfloat162* in, __nv_bfloat162* out, int n) {
  __shared__ __nv_bfloat162 s[8];
  if (threadIdx.x < 8) s[threadIdx.x] = __nv_bfloat162{0.f, 0.f};
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&s[i % 8], in[i]);
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&out[threadIdx.x], s[threadIdx.x]);
}

// CHECK: sum(
__global__ void sum(const __half* in, __half* out, int n) {
  __shared__ __half s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&s, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, s);
}
