// cudaDeviceReset frees all; destructors of static objects free theirs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CHECK=leaks %t => 0
// EXPECT: finished
// REFUSE: leaks
// STEP: GRIDSPAN_CHECK=leaks %t more => 0
// EXPECT: finished
// REFUSE: leaks
#include <cstdio>


struct Buffer {
  ~Buffer() { cudaFree(memory); }
  void* memory = nullptr;
};
static Buffer buffer;

int main(int count, char**) {
  cudaMalloc(&buffer.memory, 1000);
  void* other = nullptr;
  cudaMalloc(&other, 1000);
  if (count > 1) cudaFree(other);
  else cudaDeviceReset();
  if (count == 1) buffer.memory = nullptr;
  std::printf("finished\n");
  return 0;
}
