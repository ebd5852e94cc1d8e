// A kernel's results, compressed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compressed.h"

#include <nvToolsExt.h>

__global__ void fill(unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<unsigned char>(i * 7 + i / 251);
}

int main(int, char** argv) {
  const int n = 3001;
  nvtxRangePushA("fill");
  unsigned char* memory = nullptr;
  cudaMalloc(&memory, n);
  cudaMemset(memory, 0xaa, n);
  fill<<<(n + 95) / 96, 96>>>(memory, n);
  std::vector<unsigned char> data(n, 0x11), expected(n);
  cudaMemcpy(data.data(), memory, n, cudaMemcpyDeviceToHost);
  nvtxRangePop();
  for (int i = 0; i < n; ++i) expected[i] = static_cast<unsigned char>(i * 7 + i / 251);
  std::printf("%s: %d of %d right\n", argv[0], count_right(data, expected), n);
}
