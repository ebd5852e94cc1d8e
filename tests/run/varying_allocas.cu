// alloca of sizes that differ by thread, in kernels and functions, across barriers and in loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Functions and classes | alloca of sizes that differ by thread
#include "check.h"

__device__ int sum_below(int n) {
  int* numbers = static_cast<int*>(alloca(n * sizeof(int)));
  for (int i = 0; i < n; ++i) numbers[i] = i;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += numbers[n - 1 - i];
  return sum;
}

__global__ void across_barrier(int* out, int n) {
  const int i = threadIdx.x, size = 16 + n + i;
  __shared__ int shared[45];
  char* bytes = static_cast<char*>(alloca(size));
  for (int j = 0; j < size; ++j) bytes[j] = j + i;
  shared[i] = i;
  __syncthreads();
  out[blockIdx.x * blockDim.x + i] = bytes[3 + n] + shared[(i + 1) % 45];
}

__global__ void in_loops(int* out) {
  const int i = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < 4; ++round) sum += sum_below(i + round) + __shfl_sync(~0u, i, 2);
  int* last = static_cast<int*>(__builtin_alloca(i % 5 * 8 + 4));
  *last = sum;
  out[i] = *last;
}

int main() {
  constexpr int n = 7, threads = 45, blocks = 3;
  check::Array<int> out(threads * blocks);
  across_barrier<<<blocks, threads>>>(out.data(), n);
  KERNEL_OK();
  std::vector<int> got = out.get();
  for (int i = 0; i < threads * blocks; ++i)
    CHECK_EQ(got[i], 3 + n + i % threads + (i % threads + 1) % threads);
  in_loops<<<1, 32>>>(out.data());
  KERNEL_OK();
  got = out.get();
  for (int i = 0; i < 32; ++i) {
    int expected = 4 * 2;
    for (int below = i; below < i + 4; ++below) expected += below * (below - 1) / 2;
    CHECK_EQ(got[i], expected);
  }
  return check::finish();
}
