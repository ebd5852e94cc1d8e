// Kernels that take the length of a block's rows for granted: in blocks with such rows and in
// others, which leave parts of tiles unfilled, or overlap. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
// FEATURE: Shared memory | tiles whose width is a number in the kernel (blockIdx.x * 32), in blocks as wide as that, narrower and wider
#include "check.h"

#include <algorithm>

namespace {

constexpr int width = 32, most_rows = 16;

/// Of the row before it, with a halo; blocks may be narrower or wider than their tiles are apart.
__global__ void smooth(const int* in, int* out, int rows, int cols) {
  __shared__ int tile[most_rows][2 * width + 2];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * width + tx, y = blockIdx.y * blockDim.y + ty;
  const int row = min(y, rows - 1);
  tile[ty][tx + 1] = in[row * cols + min(x, cols - 1)];
  if (tx == 0) tile[ty][0] = in[row * cols + max(min(x, cols) - 1, 0)];
  if (tx == blockDim.x - 1) tile[ty][tx + 2] = in[row * cols + min(x + 1, cols - 1)];
  __syncthreads();
  if (x >= cols || y >= rows) return;
  out[y * cols + x] = tile[ty][tx] + 3 * tile[ty][tx + 1] - 7 * tile[ty][tx + 2];
}

void test_smooth(int rows, int cols, dim3 block, std::uint64_t seed) {
  const auto in = check::Random(seed).integers<int>(static_cast<std::size_t>(rows * cols), -99, 99);
  const dim3 grid((cols + width - 1) / width, (rows + block.y - 1) / block.y);
  check::Array<int> from(in), to(std::vector<int>(in.size(), -1));
  smooth<<<grid, block>>>(from.data(), to.data(), rows, cols);
  const auto got = to.get();
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < cols; ++x) {
      auto at = [&](int column) { return in[y * cols + std::clamp(column, 0, cols - 1)]; };
      const bool is_done = x % width < static_cast<int>(block.x) || block.x >= width;
      const int want = is_done ? at(x - 1) + 3 * at(x) - 7 * at(x + 1) : -1;
      if (!CHECK_EQ(got[y * cols + x], want)) return;
    }
}

/// Lanes hand on what they hold: a form for whole warps, too.
__global__ void warp_sums(const int* in, int* out) {
  __shared__ int sums[32];
  const int i = blockIdx.x * 128 + threadIdx.x;
  int sum = in[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    int all = 0;
    for (int w = 0; w < static_cast<int>(blockDim.x) / 32; ++w) all += sums[w];
    out[blockIdx.x] = all;
  }
}

void test_warps(int threads) {
  constexpr int blocks = 5;
  const auto in = check::Random(4).integers<int>(blocks * 128 + 256, -99, 99);
  check::Array<int> from(in), to(std::vector<int>(blocks, -1));
  warp_sums<<<blocks, threads>>>(from.data(), to.data());
  const auto got = to.get();
  for (int b = 0; b < blocks; ++b) {
    int want = 0;
    for (int t = 0; t < threads; ++t) want += in[b * 128 + t];
    CHECK_EQ(got[b], want);
  }
}

/// blockDim is a number in floating-point arithmetic: the same bits for all shapes.
__global__ void scaled(const float* in, float* out, float by) {
  __shared__ float tile[128];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[blockDim.x - 1 - threadIdx.x] * by + 0.1f * blockDim.x;
}

void test_scaled(int threads) {
  constexpr int blocks = 3;
  const auto in = check::Random(6).reals<float>(blocks * 64 + 128, -1, 1);
  check::Array<float> from(in), to(std::vector<float>(in.size(), 0));
  scaled<<<1, threads>>>(from.data(), to.data(), 0.3f);
  const auto got = to.get();
  for (int t = 0; t < threads; ++t) {
    const double want = double{in[threads - 1 - t]} * 0.3f + 0.1f * static_cast<float>(threads);
    CHECK(std::abs(got[t] - want) < 1e-5);
  }
}

/// The tile alone tells, and blocks may be smaller than it.
__global__ void mirrored(const int* in, int* out, int rows, int cols) {
  __shared__ int tile[16][16];
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  __syncthreads();
  const int left =
      min(static_cast<int>(blockDim.x), cols - static_cast<int>(blockIdx.x * blockDim.x));
  if (x < cols && y < rows) out[y * cols + x] = tile[threadIdx.y][left - 1 - threadIdx.x];
}

void test_mirrored(int rows, int cols, dim3 block) {
  const auto in = check::Random(9).integers<int>(static_cast<std::size_t>(rows * cols), -99, 99);
  check::Array<int> from(in), to(std::vector<int>(in.size(), -1));
  const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  mirrored<<<grid, block>>>(from.data(), to.data(), rows, cols);
  const auto got = to.get();
  const int width = static_cast<int>(block.x);
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < cols; ++x) {
      const int first = x / width * width, last = std::min(first + width, cols) - 1;
      if (!CHECK_EQ(got[y * cols + x], in[y * cols + first + last - x])) return;
    }
}

}  // namespace

int main() {
  for (const dim3 block : {dim3(16, 16), dim3(16, 4), dim3(8, 16), dim3(5, 3)})
    for (const int cols : {1, 15, 16, 50, 161}) test_mirrored(cols % 13 + 3, cols, block);
  for (const dim3 block : {dim3(32, 8), dim3(32, 16), dim3(32, 1), dim3(16, 8), dim3(7, 3)})
    for (const int cols : {1, 31, 32, 33, 100, 517}) test_smooth(cols % 37 + 5, cols, block, 2);
  test_smooth(19, 130, dim3(32, 5), 3);
  for (const int threads : {32, 64, 128, 256}) test_warps(threads);
  for (const int threads : {33, 64, 128}) test_scaled(threads);
  return check::finish();
}
