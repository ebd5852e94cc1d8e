// Blocks that allocate, use and free memory in kernels: the next block gets the same addresses, and that is no race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_THREADS=1 GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=memory,init,race,sync %t => 0
// EXPECT: sum 1908
// EXPECT: finished: no error
// REFUSE: warning:
// REFUSE: error:
#include <cstdio>

__global__ void own(int* out) {
  int* const mine = new int[11];
  for (int i = 0; i < 11; ++i) mine[i] = int(blockIdx.x) + i;
  int most = 0;
  for (int i = 0; i < 11; ++i) most = mine[i] > most ? mine[i] : most;
  out[blockIdx.x] = most;
  delete[] mine;
  const auto pair = static_cast<int*>(malloc(2 * sizeof(int)));
  pair[0] = most, pair[1] = pair[0] + 1;
  out[blockIdx.x] = pair[1] - 1;
  free(pair);
}

int main() {
  constexpr int blocks = 53;
  int *out = nullptr, host[blocks], sum = 0;
  cudaMalloc(&out, sizeof host);
  cudaMemset(out, 0xff, sizeof host);
  own<<<blocks, 1>>>(out);
  const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < blocks; ++i) sum += host[i];
  std::printf("sum %d\nfinished: %s\n", sum, cudaGetErrorString(error));
  return error != cudaSuccess;
}
