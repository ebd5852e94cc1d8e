// Doubles between floats, in rows of known lengths and of others: the host's bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Shared memory | doubles between floats in tiles whose width is a number in the kernel, under conditions that lanes part at
#include "check.h"

namespace {

/// Exact as written: no operation can be fused with another.
__host__ __device__ float mixed(float a, float b) {
  const double sum = static_cast<double>(a) + b;
  const float root = static_cast<float>(sum < 0 ? -sum : sum);
  return static_cast<float>(1.0 / (1.5 + root));
}

template <int width>
__global__ void blend(const float* in, float* out, int n) {
  __shared__ float tile[1024];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  const int x = blockIdx.x * width + threadIdx.x,
            i = (blockIdx.y * blockDim.y + threadIdx.y) * n + x;
  tile[t] = x < n ? in[i] : 0;
  __syncthreads();
  const float other = tile[t ^ 1];
  float result = mixed(tile[t], other);
  if (other > 0.25f) result = static_cast<float>(result * 0.1);
  if (x < n) out[i] = result;
}

template <int width>
void test_blend(int n, dim3 block) {
  const int rows = 3 * static_cast<int>(block.y);
  const auto in = check::Random(8).reals<float>(static_cast<std::size_t>(rows * n), -1, 1);
  check::Array<float> from(in), to(std::vector<float>(in.size(), -1));
  blend<width><<<dim3((n + width - 1) / width, 3), block>>>(from.data(), to.data(), n);
  const auto got = to.get();
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < n; ++x) {
      // Its neighbour in the block's own row, if that has an even number of threads.
      const int neighbour = x / width * width + ((x % width) ^ 1);
      const float a = in[y * n + x], b = neighbour < n ? in[y * n + neighbour] : 0;
      float want = mixed(a, b);
      if (b > 0.25f) want = static_cast<float>(want * 0.1);
      if (!CHECK_EQ(got[y * n + x], want)) return;
    }
}

}  // namespace

int main() {
  for (const int n : {1, 15, 16, 17, 64, 333}) {
    test_blend<16>(n, dim3(16, 16));
    test_blend<16>(n, dim3(16, 3));
    test_blend<32>(n, dim3(32, 8));
    test_blend<24>(n, dim3(24, 4));
    test_blend<8>(n, dim3(8, 8));
  }
  return check::finish();
}
