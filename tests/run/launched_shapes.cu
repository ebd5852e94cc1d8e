// Kernels with a form for the blocks that one launch in this source has, in such blocks and in
// others. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | kernels compiled for the shape of blocks that a launch in the same source gives as a constant, in such blocks and in others
#include "check.h"

#include <numeric>

namespace {

constexpr int usual = 64, most = 1024;

/// Sums of blocks by a tree, for any number of threads: odd steps leave one over.
__global__ void tree(const int* in, int* out) {
  __shared__ int s[most];
  const unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned left = blockDim.x; left > 1; left = (left + 1) / 2) {
    const unsigned half = (left + 1) / 2;
    if (t + half < left) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0] + 100000 * static_cast<int>(blockDim.x);
}

template <class Launch>
void test_tree(int threads, Launch launch) {
  constexpr int blocks = 7;
  const auto in = check::Random(threads).integers<int>(blocks * threads, -99, 99);
  check::Array<int> from(in), to(std::vector<int>(blocks, -1));
  launch(blocks, from.data(), to.data());
  const auto got = to.get();
  for (int b = 0; b < blocks; ++b) {
    const auto begin = in.begin() + b * threads;
    if (!CHECK_EQ(got[b], std::accumulate(begin, begin + threads, 100000 * threads))) return;
  }
}

/// Rows turned round inside of each block, planes, too: a tile without a length of its own.
__global__ void turned(const int* in, int* out) {
  extern __shared__ int tile[];
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  const int width = blockDim.x, height = blockDim.y, depth = blockDim.z;
  const int first = blockIdx.x * width * height * depth;
  tile[(z * height + y) * width + x] = in[first + (z * height + y) * width + x];
  __syncthreads();
  const int from = ((depth - 1 - z) * height + (height - 1 - y)) * width + (width - 1 - x);
  out[first + (z * height + y) * width + x] = 10 * tile[from] + (x == 0 ? 1 : 0);
}

template <class Launch>
void test_turned(dim3 block, Launch launch) {
  constexpr int blocks = 5;
  const int size = static_cast<int>(block.x * block.y * block.z);
  const auto in = check::Random(size).integers<int>(blocks * size, -99, 99);
  check::Array<int> from(in), to(std::vector<int>(in.size(), -1));
  launch(blocks, size * sizeof(int), from.data(), to.data());
  const auto got = to.get();
  for (int i = 0; i < blocks * size; ++i) {
    const int first = i / size * size, edge = i % static_cast<int>(block.x) == 0 ? 1 : 0;
    if (!CHECK_EQ(got[i], 10 * in[first + size - 1 - (i - first)] + edge)) return;
  }
}

/// Sums of warps and of those, as far as there are whole warps.
__global__ void warp_sums(const int* in, int* out) {
  __shared__ int sums[32];
  const unsigned t = threadIdx.x;
  int sum = in[blockIdx.x * blockDim.x + t];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (t % 32 == 0) sums[t / 32] = sum;
  __syncthreads();
  int all = 0;
  for (unsigned w = 0; w < blockDim.x / 32; ++w) all += (w + 1) * sums[w];
  out[blockIdx.x * blockDim.x + t] = all;
}

template <class Launch>
void test_warps(int threads, Launch launch) {
  constexpr int blocks = 3;
  const auto in = check::Random(threads).integers<int>(blocks * threads, -99, 99);
  check::Array<int> from(in), to(std::vector<int>(in.size(), -1));
  launch(blocks, from.data(), to.data());
  const auto got = to.get();
  for (int i = 0; i < blocks * threads; ++i) {
    const int first = i / threads * threads;
    int want = 0;
    for (int k = 0; k < threads; ++k) want += (k / 32 + 1) * in[first + k];
    if (!CHECK_EQ(got[i], want)) return;
  }
}

}  // namespace

int main() {
  test_tree(usual, [](int blocks, auto... data) { tree<<<blocks, usual>>>(data...); });
  for (int threads : {1, 8, 31, 32, 63, 64, 65, 100, 256, 1000, 1024})
    test_tree(threads, [=](int blocks, auto... data) { tree<<<blocks, threads>>>(data...); });

  const dim3 block(16, 3, 2);
  test_turned(block, [&](int blocks, std::size_t bytes, auto... data) {
    turned<<<blocks, block, bytes>>>(data...);
  });
  for (const dim3 other : {dim3(16, 3, 1), dim3(16, 1, 2), dim3(17, 3, 2), dim3(16, 4, 2), dim3(1),
                           dim3(5, 7), dim3(96), dim3(1, 9, 4), dim3(16, 3, 2)})
    test_turned(other, [=](int blocks, std::size_t bytes, auto... data) {
      turned<<<blocks, other, bytes>>>(data...);
    });

  test_warps(96, [](int blocks, auto... data) { warp_sums<<<blocks, 96>>>(data...); });
  for (int threads : {32, 64, 96, 128, 1024})
    test_warps(threads, [=](int blocks, auto... data) { warp_sums<<<blocks, threads>>>(data...); });
  return check::finish();
}
