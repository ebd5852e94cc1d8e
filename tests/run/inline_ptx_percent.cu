// Registers with a single percent sign and operands without commas, which nvcc takes and
// GNU's syntax does not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Inline PTX | special registers after one percent sign, as nvcc takes them
// FEATURE: Inline PTX | registers that a statement declares after one percent sign
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

/// The product of the low halves, plus the high half of `a` if it is odd.
__device__ unsigned halves(unsigned a, unsigned b) {
  unsigned result;
  asm("{\n\t"
      ".reg .u16  %al, %ah, %bl, %bh;\n\t"
      ".reg .pred %p<2>;\n\t"
      ".reg .u32  %high, odd;\n\t"
      "mov.b32 {%al, %ah}, %1;\n\t"
      "mov.b32 {%bl, %bh}, %2;\n\t"
      "mul.wide.u16 %0, %al, %bl;\n\t"
      "cvt.u32.u16 %high, %ah;\n\t"
      "and.b32 odd, %high, 1;\n\t"
      "setp.ne.u32 %p1, odd, 0;\n\t"
      "@%p1 add.u32 %0, %0, %high;\n\t"
      "}"
      : "=r"(result)
      : "r"(a), "r"(b));
  return result;
}

__global__ void multiply(unsigned* out, int n) {
  const int i = check::global_index();
  if (i < n) out[i] = halves(i * 40503U, i + 77777U);
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
  check::Array<unsigned> products(n);
  multiply<<<(n + size - 1) / size, size>>>(products.data(), n);
  KERNEL_OK();
  std::vector<unsigned> wanted(n);
  for (unsigned i = 0; i < unsigned(n); ++i) {
    const unsigned a = i * 40503U, b = i + 77777U, high = a >> 16;
    wanted[i] = (a & 0xffff) * (b & 0xffff) + (high % 2 ? high : 0);
  }
  check::equal("declared registers", products.get(), wanted);
  compute<<<(n + size - 1) / size, size>>>(out.data(), n);
  KERNEL_OK();
  for (int i = 0; i < n; ++i) {
    const int sum = i + i % size, product = i * (i % size) + size + 2;
    want[i] = product - sum + std::min(sum, product);
  }
  check::equal("operands without commas", out.get(), want);
  return check::finish();
}
