// Blocks wait for those before them: scans in one launch (look-back), by volatile flags, by loads
// past the nearest cache, by atomics, and by a word that holds flag and value.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Forward progress | blocks that wait for those before them, in launches of the same kernel again and again
#include "check.h"

constexpr int block_size = 128, blocks = 61;

/// The sum of a block's elements, in thread 0.
__device__ int sum_of_tile(const int* x, int each) {
  __shared__ int sums[block_size];
  int sum = 0;
  for (int k = 0; k < each; ++k) sum += x[(blockIdx.x * each + k) * block_size + threadIdx.x];
  sums[threadIdx.x] = sum;
  for (int half = block_size / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  return threadIdx.x == 0 ? sums[0] : 0;
}

__global__ void by_volatile(const int* x, int each, int* before, volatile int* values,
                            volatile int* flags) {
  const int sum = sum_of_tile(x, each);
  if (threadIdx.x != 0) return;
  int from = 0;
  if (blockIdx.x > 0) {
    while (flags[blockIdx.x - 1] == 0) {
    }
    __threadfence();
    from = values[blockIdx.x - 1];
  }
  values[blockIdx.x] = from + sum;
  __threadfence();
  flags[blockIdx.x] = 1;
  before[blockIdx.x] = from;
}

__global__ void by_loads(const int* x, int each, int* before, int* values, int* flags) {
  const int sum = sum_of_tile(x, each);
  if (threadIdx.x != 0) return;
  int from = 0;
  if (blockIdx.x > 0) {
    int flag = 0;
    do {
      __threadfence_block();
      asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(flag) : "l"(flags + blockIdx.x - 1));
    } while (flag == 0);
    __threadfence();
    asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(from) : "l"(values + blockIdx.x - 1));
  }
  asm volatile("st.global.cg.s32 [%0], %1;" ::"l"(values + blockIdx.x), "r"(from + sum));
  __threadfence();
  asm volatile("st.global.cg.s32 [%0], %1;" ::"l"(flags + blockIdx.x), "r"(1));
  before[blockIdx.x] = from;
}

__global__ void by_atomics(const int* x, int each, int* before, int* values, int* flags) {
  const int sum = sum_of_tile(x, each);
  if (threadIdx.x != 0) return;
  int from = 0;
  if (blockIdx.x > 0) {
    while (atomicAdd(&flags[blockIdx.x - 1], 0) == 0) {
    }
    __threadfence();
    from = atomicAdd(&values[blockIdx.x - 1], 0);
  }
  atomicExch(&values[blockIdx.x], from + sum);
  __threadfence();
  atomicExch(&flags[blockIdx.x], 1);
  before[blockIdx.x] = from;
}

/// All threads of the block look, together.
__global__ void by_words(const int* x, int each, int* before, int*, int* flags) {
  auto* words = reinterpret_cast<unsigned long long*>(flags);
  const int sum = sum_of_tile(x, each);
  __shared__ int from;
  if (blockIdx.x > 0) {
    unsigned long long word = 0;
    do {
      word = *static_cast<volatile unsigned long long*>(&words[blockIdx.x - 1]);
    } while (__syncthreads_or(word == 0));
    if (threadIdx.x == 0) from = static_cast<int>(word >> 32);
  } else if (threadIdx.x == 0) {
    from = 0;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  before[blockIdx.x] = from;
  *static_cast<volatile unsigned long long*>(&words[blockIdx.x]) =
      static_cast<unsigned long long>(static_cast<unsigned>(from + sum)) << 32 | 1;
}

using Kernel = void (*)(const int*, int, int*, int*, int*);

/// Again and again: later launches may begin elsewhere than the first ones.
static void run(Kernel kernel, const std::vector<int>& x, const int* device_x, int each) {
  const int tile = block_size * each;
  int *before = nullptr, *values = nullptr, *flags = nullptr;
  CUDA_OK(cudaMalloc(&before, blocks * sizeof(int)));
  CUDA_OK(cudaMalloc(&values, blocks * sizeof(int)));
  CUDA_OK(cudaMalloc(&flags, blocks * 8));
  for (int round = 0; round < 5; ++round) {
    CUDA_OK(cudaMemset(flags, 0, blocks * 8));
    CUDA_OK(cudaMemset(values, 0xff, blocks * sizeof(int)));
    CUDA_OK(cudaMemset(before, 0xff, blocks * sizeof(int)));
    kernel<<<blocks, block_size>>>(device_x, each, before, values, flags);
    KERNEL_OK();
    std::vector<int> got(blocks);
    CUDA_OK(cudaMemcpy(got.data(), before, blocks * sizeof(int), cudaMemcpyDeviceToHost));
    int sum = 0;
    for (int i = 0; i < blocks; ++i) {
      CHECK_EQ(got[i], sum);
      for (int k = 0; k < tile; ++k) sum += x[i * tile + k];
    }
  }
  CUDA_OK(cudaFree(before));
  CUDA_OK(cudaFree(values));
  CUDA_OK(cudaFree(flags));
}

int main() {
  // Long enough that launches go there and back in turn, where they may; slow modes have less.
  const bool is_slow = std::getenv("GRIDSPAN_CPU") || std::getenv("GRIDSPAN_VERIFY");
  const int each = is_slow ? 16 : 512;
  std::vector<int> x(blocks * block_size * each);
  for (int& one : x) one = std::rand() % 7 - 3;
  int* device_x = nullptr;
  CUDA_OK(cudaMalloc(&device_x, x.size() * sizeof(int)));
  CUDA_OK(cudaMemcpy(device_x, x.data(), x.size() * sizeof(int), cudaMemcpyHostToDevice));
  run(reinterpret_cast<Kernel>(by_volatile), x, device_x, each);
  run(by_loads, x, device_x, each);
  run(by_atomics, x, device_x, each);
  run(by_words, x, device_x, each);
  CUDA_OK(cudaFree(device_x));
  return check::finish();
}
