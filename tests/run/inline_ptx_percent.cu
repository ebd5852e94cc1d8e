// Special registers with a single percent sign and operands without commas, which nvcc takes and
// GNU's syntax does not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Inline PTX | special registers after one percent sign, as nvcc takes them
// FEATURE: Inline PTX | operands without commas between them, as nvcc takes them
#include "check.h"

#include <algorithm>

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

// clang-format off
#define MINIMUM(result, a, b) asm("min.s32 %0, %1, %2;" : "=r"(result) : "r"(a) "r"(b))

template <typename T>
__device__ T difference(T a, T b) {
  T result;
  asm("sub.s32 %[to], %1, %2;" : [to] "=r"(result) : "r"(a) "r"((b)));
  return result;
}

__global__ void compute(int* out, int n) {
  const int i = check::global_index();
  if (i >= n) return;
  int sum, product, least;
  asm volatile("add.s32 %0, %2, %3;\n\t"
               "mad.lo.s32 %1, %2, %3, %4;"
               : "=r"(sum) "=r"(product)
               : "r"(i) "r"(int(threadIdx.x))
                 "r"(blockDim.x + (2)));
  MINIMUM(least, sum, product);
  asm volatile("st.global.s32 [%0], %1;" ::"l"(out + i) "r"(difference(product, sum) + least) : "memory");
}
// clang-format on

int main() {
  const int n = 500, size = 96;
  check::Array<int> out(n);
  read<<<(n + size - 1) / size, size>>>(out.data(), n);
  KERNEL_OK();
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = i % size % 32 + 100 * (i % size) + 100000 * (i / size);
  check::equal("registers", out.get(), want);
  compute<<<(n + size - 1) / size, size>>>(out.data(), n);
  KERNEL_OK();
  for (int i = 0; i < n; ++i) {
    const int sum = i + i % size, product = i * (i % size) + size + 2;
    want[i] = product - sum + std::min(sum, product);
  }
  check::equal("operands without commas", out.get(), want);
  return check::finish();
}
