// Bytes that the device filled, compressed: C++ compiled by gridcc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compressed.h"

#include <cuda_runtime.h>
#include <nvToolsExt.h>

int main(int, char** argv) {
  const int n = 3001;
  nvtxRangePushA("fill");
  unsigned char* memory = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&memory), n);
  cudaMemset(memory, 0xaa, n);
  cudaMemset(memory + 1000, 0x3c, n - 1000);
  std::vector<unsigned char> data(n, 0x11), expected(n, 0xaa);
  cudaMemcpy(data.data(), memory, n, cudaMemcpyDeviceToHost);
  nvtxRangePop();
  for (int i = 1000; i < n; ++i) expected[i] = 0x3c;
  std::printf("%s: %d of %d right\n", argv[0], count_right(data, expected), n);
}
