// C++ without a kernel that calls the run time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime_api.h>

#include <cstdio>

int main(int, char** argv) {
  const int n = 1013;
  unsigned char *memory = nullptr, back[n] = {};
  cudaMalloc(reinterpret_cast<void**>(&memory), n);
  cudaMemset(memory, 0x5a, n);
  cudaMemcpy(back, memory, n, cudaMemcpyDeviceToHost);
  int right = 0;
  for (unsigned char byte : back) right += byte == 0x5a;
  std::printf("%s: %d of %d right\n", argv[0], right, n);
}
