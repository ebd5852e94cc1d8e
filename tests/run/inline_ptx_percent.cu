// Special registers with a single percent sign, which nvcc takes and GNU's syntax does not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Inline PTX | special registers after one percent sign, as nvcc takes them
#include "check.h"

__device__ int lane() {
  int lane;
  asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
  return lane;
}

__global__ void read(int* out, int n) {
  const int i = check::global_index();
  if (i >= n) return;
  int thread, block;
  asm(  // a comment with %tid.x in it
      "mov.u32 %0, %tid.x;\n\t"
      "mov.u32 %1, %%ctaid.x;"
      : "=r"(thread), "=r"(block));
  out[i] = lane() + 100 * thread + 100000 * block;
}

int main() {
  const int n = 500, size = 96;
  check::Array<int> out(n);
  read<<<(n + size - 1) / size, size>>>(out.data(), n);
  KERNEL_OK();
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = i % size % 32 + 100 * (i % size) + 100000 * (i / size);
  check::equal("registers", out.get(), want);
  return check::finish();
}
