// Kernels that wait for the kernels that they launch, as until CUDA 11: on CPUs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | cudaDeviceSynchronize in kernels
#include "check.h"

namespace {

using check::Array;

#define CHECK_ON_DEVICE(condition) \
  do {                             \
    if (!(condition)) __trap();    \
  } while (0)

__global__ void double_all(int* values, int count) {
  const int i = check::global_index();
  if (i < count) values[i] *= 2;
}

/// One thread of each block launches and waits, the others wait for it; again and again.
__global__ void wait_in_turns(int* values, int* seen, int each, int rounds) {
  int* mine = values + blockIdx.x * each;
  const int t = threadIdx.x;
  for (int i = t; i < each; i += blockDim.x) mine[i] = blockIdx.x + i;
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();
    if (t == round % blockDim.x) {
      double_all<<<(each + 31) / 32, 32>>>(mine, each);
      cudaDeviceSynchronize();
      sum += mine[each - 1];
    }
    __syncthreads();
    sum += mine[t % each];
    sum += __shfl_xor_sync(~0u, t, 1) - (t ^ 1);
  }
  seen[blockIdx.x * blockDim.x + t] = sum;
}

void waiting() {
  constexpr int blocks = 13, threads = 64, each = 75, rounds = 5;
  Array<int> values(blocks * each), seen(blocks * threads);
  wait_in_turns<<<blocks, threads>>>(values.data(), seen.data(), each, rounds);
  KERNEL_OK();
  std::vector<int> want_values(blocks * each), want_seen(blocks * threads);
  for (int b = 0; b < blocks; ++b) {
    for (int i = 0; i < each; ++i) want_values[b * each + i] = (b + i) << rounds;
    for (int t = 0; t < threads; ++t)
      for (int round = 0; round < rounds; ++round) {
        const int now = round + 1;
        want_seen[b * threads + t] += (b + t % each) << now;
        if (t == round % threads) want_seen[b * threads + t] += (b + each - 1) << now;
      }
  }
  check::equal("values", values.get(), want_values);
  check::equal("seen", seen.get(), want_seen);
}

__global__ void fibonacci(int number, long long* result) {
  if (number < 2) {
    *result = number;
    return;
  }
  long long* parts_of_it;
  CHECK_ON_DEVICE(cudaMalloc(&parts_of_it, 2 * sizeof(long long)) == cudaSuccess);
  fibonacci<<<1, 1, 0, cudaStreamFireAndForget>>>(number - 1, parts_of_it);
  fibonacci<<<1, 1, 0, cudaStreamFireAndForget>>>(number - 2, parts_of_it + 1);
  cudaDeviceSynchronize();
  *result = parts_of_it[0] + parts_of_it[1];
  cudaFree(parts_of_it);
}

void waiting_in_depth() {
  Array<long long> result(1);
  fibonacci<<<1, 1>>>(11, result.data());
  KERNEL_OK();
  CHECK_EQ(result.get()[0], 89ll);
}

}  // namespace

int main() {
  waiting();
  waiting_in_depth();
  return check::finish();
}
