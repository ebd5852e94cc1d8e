// Threads of other blocks wait for what is stored, with the loads and stores of cuda::atomic and
// cuda::atomic_ref. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Atomics | threads that wait for other blocks by loads and stores of cuda::atomic and cuda::atomic_ref, relaxed and ordered
#include "check.h"

#include <cuda/atomic>

#include <vector>

/// Entry v is one more than entry v / 2, which some thread of some block finds.
template <cuda::memory_order loads, cuda::memory_order stores>
__global__ void depths(int n, int* depth) {
  bool again;
  do {
    again = false;
    for (int v = threadIdx.x + blockDim.x * blockIdx.x; v < n; v += gridDim.x * blockDim.x) {
      cuda::atomic_ref<int, cuda::thread_scope_device> own(depth[v]);
      if (own.load(loads) != 0) continue;
      const int before =
          v == 0 ? 0 : cuda::atomic_ref<int, cuda::thread_scope_device>(depth[v / 2]).load(loads);
      if (v == 0 || before != 0)
        own.store(before + 1, stores);
      else
        again = true;
    }
  } while (again);
}

/// Each block waits for the one before it, and then reads what that wrote.
__global__ void chain(cuda::atomic<unsigned, cuda::thread_scope_device>* done, int* sums,
                      const int* numbers) {
  const unsigned b = blockIdx.x;
  if (threadIdx.x == 0) {
    while (done->load(cuda::memory_order_acquire) != b) {
    }
    sums[b] = numbers[b] + (b > 0 ? sums[b - 1] : 0);
    done->store(b + 1, cuda::memory_order_release);
  }
}

template <class Kernel>
static void test_depths(Kernel kernel, int n, int blocks, int threads) {
  int* depth;
  CUDA_OK(cudaMalloc(&depth, n * sizeof(int)));
  CUDA_OK(cudaMemset(depth, 0, n * sizeof(int)));
  kernel<<<blocks, threads>>>(n, depth);
  CUDA_OK(cudaDeviceSynchronize());
  std::vector<int> got(n, -1);
  CUDA_OK(cudaMemcpy(got.data(), depth, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int v = 0; v < n; ++v) {
    int levels = 1;
    for (int at = v; at > 0; at /= 2) ++levels;
    CHECK_EQ(got[v], levels);
  }
  CUDA_OK(cudaFree(depth));
}

static void test_chain(int blocks) {
  std::vector<int> numbers(blocks), got(blocks, -1);
  for (int b = 0; b < blocks; ++b) numbers[b] = (b * 37 + 11) % 101;
  int *given, *sums;
  cuda::atomic<unsigned, cuda::thread_scope_device>* done;
  CUDA_OK(cudaMalloc(&given, blocks * sizeof(int)));
  CUDA_OK(cudaMalloc(&sums, blocks * sizeof(int)));
  CUDA_OK(cudaMalloc(&done, sizeof *done));
  CUDA_OK(cudaMemset(done, 0, sizeof *done));
  CUDA_OK(cudaMemcpy(given, numbers.data(), blocks * sizeof(int), cudaMemcpyHostToDevice));
  chain<<<blocks, 32>>>(done, sums, given);
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaMemcpy(got.data(), sums, blocks * sizeof(int), cudaMemcpyDeviceToHost));
  int sum = 0;
  for (int b = 0; b < blocks; ++b) {
    sum += numbers[b];
    CHECK_EQ(got[b], sum);
  }
  CUDA_OK(cudaFree(given));
  CUDA_OK(cudaFree(sums));
  CUDA_OK(cudaFree(done));
}

int main() {
  for (const int n : {1, 2, 61, 500}) {
    test_depths(depths<cuda::memory_order_relaxed, cuda::memory_order_relaxed>, n, 2, 1);
    test_depths(depths<cuda::memory_order_acquire, cuda::memory_order_release>, n, 5, 7);
    test_depths(depths<cuda::memory_order_seq_cst, cuda::memory_order_seq_cst>, n, 4, 32);
  }
  test_chain(1);
  test_chain(13);
  return check::finish();
}
