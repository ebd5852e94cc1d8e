// Kernels of a module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FACTOR
#define FACTOR 3
#endif

__constant__ int offset = 11;
__device__ unsigned long long calls;
__device__ int table[5] = {2, 4, 8, 16, 32};

struct Pair {
  char tag;
  double weight;
};

extern "C" __global__ void affine(char shift, int* out, const int* in, short n, Pair pair) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i] * FACTOR + offset + shift + int(pair.weight) * pair.tag + table[i % 5];
  atomicAdd(&calls, 1ull);
}

extern "C" __global__ void reverse(int* values, int n) {
  extern __shared__ int tile[];
  const int t = threadIdx.x, base = blockIdx.x * blockDim.x;
  tile[t] = base + t < n ? values[base + t] : 0;
  __syncthreads();
  if (base + t < n) values[base + t] = tile[blockDim.x - 1 - t];
}
