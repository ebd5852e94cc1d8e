// Who is refused an access does not keep the others from their barriers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: thread_leaves_barrier\.cu:15:\d+: error: kernel 'work\(int\*, int\*\)', block \[0,0,0\], thread \[33,0,0\]: write of 4 bytes at 0x[0-9a-f]+, (in no device memory; )?\d+ bytes behind the end of the \d+ bytes at
// EXPECT: note: 2 more threads do the same$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void work(int* a, int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  if (threadIdx.x == 33) a[1000000] = 1;
  atomicAdd(&sum, __popc(__ballot_sync(~0u, 1)));
  __syncthreads();
  out[threadIdx.x] = sum;
}

int main() {
  int *a = nullptr, *out = nullptr;
  cudaMalloc(&a, 400);
  cudaMalloc(&out, 256 * 4);
  work<<<3, 256>>>(a, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
