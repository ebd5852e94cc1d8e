// One of two translation units with the same static names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../check.h"
#include "common.h"

static __device__ int offset = 10;
static __constant__ int scale[2] = {10 + 1, 10 + 2};
namespace {
__device__ int hidden[3] = {10, 11, 12};
}
__device__ static int helper(int x) { return x + offset; }

static __global__ void kernel(int* out) {
  const int i = check::global_index();
  out[i] = helper(i) * scale[i % 2] + hidden[i % 3] + common_function(i);
}
namespace {
__global__ void change() { offset += 10; }
}  // namespace

std::vector<int> run_first(int n) {
  check::Array<int> out(n);
  kernel<<<n / 33, 33>>>(out.data());
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = (i + 10) * (10 + 1 + i % 2) + 10 + i % 3 + 5 + i % 3;
  const auto result = out.get();
  check::equal("kernel of first", result, want);
  change<<<1, 1>>>();
  int now = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&now, offset, sizeof now));
  CHECK_EQ(now, 2 * 10);
  common_kernel<int><<<n / 33, 33>>>(out.data(), 10);
  check::equal("common of first", out.get(), std::vector<int>(n, 10));
  defined_in_second<<<n / 33, 33>>>(out.data());
  check::equal("kernel of the other unit", out.get(), std::vector<int>(n, 4711));
  const int back = 10;
  CUDA_OK(cudaMemcpyToSymbol(offset, &back, sizeof back));
  return result;
}

int failure_count() { return check::failures; }
