// Each lane calls __ballot_sync with a mask of the lanes below it. CUDA leaves that undefined; a
// GPU counts those lanes, and programs rely on it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: warp_masks_of_others\.cu:\d+:\d+: error: .*lane \d+.*__ballot_sync.*which does not contain it
// STEP: %t => 0
// EXPECT: right$
// STEP: GRIDSPAN_DEVICES=cpu:3 %t => 0
// EXPECT: right$
#include <cstdio>

constexpr int block = 96, count = 7 * block;

__host__ __device__ bool votes(int i) { return i * 37 % 11 < 5; }

// After a ballot, lanes 3, 10, 17 … take a way of their own; after the barrier all meet again.
__global__ void count_before(int* before, int* odd) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const unsigned below = (1u << lane) - 1;
  before[i] = __popc(__ballot_sync(below, votes(i)));
  if (lane % 7 == 3)
    odd[i] = -1;
  else
    odd[i] = __popc(__ballot_sync(below & ~0x81020408u & 0xfffffff0u, i % 3 == 0));
  __syncthreads();
  before[i] += 1000 * __popc(__ballot_sync(0xffffffffu, votes(i)));
}

int main() {
  int *before, *odd, seen[2][count];
  cudaMalloc(&before, sizeof seen[0]);
  cudaMalloc(&odd, sizeof seen[1]);
  cudaMemset(before, 0x55, sizeof seen[0]);
  cudaMemset(odd, 0x55, sizeof seen[1]);
  count_before<<<count / block, block>>>(before, odd);
  cudaMemcpy(seen[0], before, sizeof seen[0], cudaMemcpyDeviceToHost);
  cudaMemcpy(seen[1], odd, sizeof seen[1], cudaMemcpyDeviceToHost);
  int wrong = cudaGetLastError() != cudaSuccess;
  for (int i = 0; i < count; ++i) {
    const int first = i / 32 * 32, lane = i % 32;
    int all = 0, below = 0, others = 0;
    for (int k = 0; k < 32; ++k) all += votes(first + k);
    for (int k = 0; k < lane; ++k) below += votes(first + k);
    for (int k = 4; k < lane; ++k) others += k % 7 != 3 && (first + k) % 3 == 0;
    wrong += seen[0][i] != below + 1000 * all;
    wrong += seen[1][i] != (lane % 7 == 3 ? -1 : others);
  }
  std::printf(wrong == 0 ? "right\n" : "%d wrong\n", wrong);
  return wrong != 0;
}
