// Macros that expand to a directive, which nvcc's preprocessor hands on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | macros that stand for a directive: #define UNROLL #pragma unroll
#include "check.h"

#define UNROLL #pragma unroll
// clang-format off
#define UNROLL_4 \
  #  pragma unroll 4  /* times */ // or so
// clang-format on

template <int N>
__device__ int sum(const int* values) {
  int total = 0;
  UNROLL
  for (int i = 0; i < N; ++i) total += values[i];
  return total;
}

__global__ void fill(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int values[7];
  UNROLL_4
  for (int k = 0; k < 7; ++k) values[k] = in[(i + k) % n];
  out[i] = sum<7>(values) + __LINE__;
}

int main() {
  const int n = 213;
  std::vector<int> in(n), want(n, 26);
  for (int i = 0; i < n; ++i) in[i] = i * i;
  check::Array<int> out(n), values(in);
  fill<<<2, 128>>>(out.data(), values.data(), n);
  KERNEL_OK();
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 7; ++k) want[i] += in[(i + k) % n];
  check::equal("sums", out.get(), want);
  return check::finish();
}
