// One of two translation units with the same static names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../check.h"
#include "common.h"

__global__ void defined_in_second(int* out) { out[check::global_index()] = 4711; }

static __device__ int offset = 20;
static __constant__ int scale[2] = {20 + 1, 20 + 2};
namespace {
__device__ int hidden[3] = {20, 21, 22};
}
__device__ static int helper(int x) { return x + offset; }

static __global__ void kernel(int* out) {
  const int i = check::global_index();
  out[i] = helper(i) * scale[i % 2] + hidden[i % 3] + common_function(i);
}
namespace {
__global__ void change() { offset += 20; }
}  // namespace

std::vector<int> run_second(int n) {
  check::Array<int> out(n);
  kernel<<<n / 33, 33>>>(out.data());
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = (i + 20) * (20 + 1 + i % 2) + 20 + i % 3 + 5 + i % 3;
  const auto result = out.get();
  check::equal("kernel of second", result, want);
  change<<<1, 1>>>();
  int now = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&now, offset, sizeof now));
  CHECK_EQ(now, 2 * 20);
  common_kernel<int><<<n / 33, 33>>>(out.data(), 20);
  check::equal("common of second", out.get(), std::vector<int>(n, 20));
  const int back = 20;
  CUDA_OK(cudaMemcpyToSymbol(offset, &back, sizeof back));
  return result;
}
