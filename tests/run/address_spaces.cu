// Generic addresses and the spaces behind them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Memory | generic pointers to shared, global, constant and local memory through one function
// FEATURE: Memory | __cvta_generic_to_shared
// FEATURE: Memory | unsigned subscripts below a pointer to shared memory, where addresses wrap at 32 bits
#include "check.h"

__constant__ int constant_data[4] = {7, 8, 9, 10};
__device__ int global_data[4] = {1, 2, 3, 4};

__device__ __noinline__ int sum_of(const int* p, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += p[i];
  return sum;
}
__device__ __noinline__ void bump(int* p, int by) { *p += by; }

__global__ void generic(const int* argument, int* out) {
  __shared__ int cells[4];
  const int t = check::thread_index();
  if (t < 4) cells[t] = 100 * t;
  int local[4] = {t, t + 1, t + 2, t + 3};
  __syncthreads();
  const int* all[5] = {cells, local, constant_data, global_data, argument};
  const int* which = all[t % 5];  // the space differs from thread to thread
  int result = sum_of(which, 4);
  bump(&local[t % 4], 1000);
  int* target = t % 2 ? &local[1] : &local[0];
  bump(target, 10000);
  out[check::global_index()] = result + sum_of(local, 4);
}

__global__ void offsets(unsigned* out) {
  __shared__ int cells[64];
  cells[threadIdx.x] = 0;
  out[threadIdx.x] = static_cast<unsigned>(__cvta_generic_to_shared(&cells[threadIdx.x]) -
                                           __cvta_generic_to_shared(&cells[0]));
}

__global__ void wrapping(unsigned n, int* out) {
  extern __shared__ int cells[];
  __shared__ int fixed[64];
  cells[threadIdx.x] = 10 * threadIdx.x;
  fixed[threadIdx.x] = 1000 * threadIdx.x;
  __syncthreads();
  const unsigned back = threadIdx.x % n;
  const int* end = cells + threadIdx.x + 1;
  const int* fixed_end = fixed + threadIdx.x + 1;
  out[threadIdx.x] = end[~back] + fixed_end[~back] + (cells + threadIdx.x)[0u - back];
}

int main() {
  check::Array<int> argument(std::vector<int>{20, 21, 22, 23});
  for (dim3 block : check::few_block_shapes()) {
    const int threads = check::volume(block), n = threads * 2;
    if (threads < 4) continue;
    check::Array<int> out(n);
    generic<<<2, block>>>(argument.data(), out.data());
    std::vector<int> want(n);
    for (int i = 0; i < n; ++i) {
      const int t = i % threads, sums[5] = {600, 4 * t + 6, 34, 10, 86};
      want[i] = sums[t % 5] + 4 * t + 6 + 11000;
    }
    check::equal(check::name("generic", block), out.get(), want);
  }
  check::Array<unsigned> bytes(64);
  offsets<<<1, 64>>>(bytes.data());
  std::vector<unsigned> want(64);
  for (unsigned i = 0; i < 64; ++i) want[i] = 4 * i;
  check::equal("offsets", bytes.get(), want);
  check::Array<int> sums(64);
  wrapping<<<1, 64, 64 * sizeof(int)>>>(7, sums.data());
  std::vector<int> want_sums(64);
  for (int i = 0; i < 64; ++i) want_sums[i] = 1020 * (i - i % 7);
  check::equal("wrapping", sums.get(), want_sums);
  return check::finish();
}
