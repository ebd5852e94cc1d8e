// Device functions that kernels of another file call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parts.h"

#include <cassert>
#include <cstdio>

namespace {
__device__ int hidden = 3;  // variables.cu and main.cu have one, too
__device__ int add_hidden(int a, int b) { return a + b + hidden; }
}  // namespace

static __device__ int helper(int a, int b) { return a + b; }
static __device__ int product(int a, int b) { return a * b; }

__device__ Operation operations[3] = {helper, product, add_hidden};

__device__ Operation chosen_operation(int which) { return which == 0 ? product : add_hidden; }

__device__ int block_sum(int value) {
  __shared__ int parts[256];
  const int n = blockDim.x;
  const int t = threadIdx.x;
  parts[t] = value;
  __syncthreads();
  for (int width = n; width > 1;) {
    const int half = (width + 1) / 2;
    if (t + half < width) parts[t] += parts[t + half];
    __syncthreads();
    width = half;
  }
  const int sum = parts[0];
  __syncthreads();
  return sum;
}

__device__ int warp_prefix(int value) {
  const int lane = threadIdx.x % 32;
  for (int step = 1; step < 32; step *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, value, step);
    if (lane >= step) value += left;
  }
  return value;
}

__device__ void reverse_dynamic(int* values) {
  extern __shared__ int scratch[];
  scratch[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = scratch[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
}

__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

__device__ void say(int value) {
  assert(value > 0);
  printf("said %d\n", value);
}
