// Uses much of the headers that precede it, in ways that depend on macros.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scale.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <vector>

#ifndef WEIGHT
#define WEIGHT 2
#endif

__constant__ float offset = 0.5f;
__device__ int counter;

/// Only the plug-in makes the definition one for both sides.
__host__ __device__ int same(int value);
int same(int value) { return value; }

template <class T>
struct Pair {
  T first, second;
  __host__ __device__ T sum() const { return first + second; }
};

__global__ void fill(float2* out, int n) {
  __shared__ float staged[33];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  staged[threadIdx.x] = WEIGHT * fmaxf(sqrtf(9.0f), 1.0f);
  __syncthreads();
  if (i >= n) return;
  assert(out);
  atomicAdd(&counter, __popc(same(i)));
  const Pair<float> pair{staged[blockDim.x - 1 - threadIdx.x], offset};
  out[i] = make_float2(pair.first, pair.sum());
}

int main() {
  constexpr int n = 67;
  std::vector<float2> host(n, make_float2(-1, -1));
  float2* device = nullptr;
  cudaMalloc(&device, n * sizeof *device);
  fill<<<3, 33>>>(device, n);
  cudaMemcpyAsync(host.data(), device, n * sizeof *device, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  int bits = 0, expected = 0;
  cudaMemcpyFromSymbol(&bits, counter, sizeof bits);
  for (int i = 0; i < n; ++i) expected += __builtin_popcount(i);
  const bool same = std::all_of(host.begin(), host.end(), [&](float2 one) {
    return one.x == WEIGHT * scale() && one.y == one.x + 0.5f;
  });
  std::printf("%g %g %s\n", host[0].x, host[n - 1].y, same && bits == expected ? "ok" : "wrong");
  return !same;
}
