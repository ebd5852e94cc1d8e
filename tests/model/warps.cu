// A warp or a tile for each row: lanes, ranks and counts of warps, as programs write them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cooperative_groups.h>

#include "model.h"

using namespace model;
namespace cg = cooperative_groups;

// Every kernel: out[row][i] = in[row][i] + row for the rows of its warps.

__global__ void warps_divided(const int* in, int* out, int rows, int width) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const int row = blockIdx.x * warps + warp;
  if (row >= rows) return;
  for (int i = lane; i < width; i += 32) out[row * width + i] = in[row * width + i] + row;
}

__global__ void warps_bits(const int* in, int* out, int rows, int width) {
  const int lane = threadIdx.x & (warpSize - 1), warp = threadIdx.x >> 5;
  const int row = blockIdx.x * (blockDim.x >> 5) + warp;
  if (row >= rows) return;
  for (int i = lane; i < width; i += warpSize) out[row * width + i] = in[row * width + i] + row;
}

__global__ void warps_unsigned(const int* in, int* out, unsigned rows, unsigned width) {
  const unsigned lane = threadIdx.x % 32u, warp = threadIdx.x / 32u;
  const unsigned row = blockIdx.x * (blockDim.x / 32u) + warp;
  if (row >= rows) return;
  for (unsigned i = lane; i < width; i += 32u)
    out[row * width + i] = in[row * width + i] + static_cast<int>(row);
}

// A number of warps that the code knows: blocks of any size, if they are not larger.
__global__ void warps_eight(const int* in, int* out, int rows, int width) {
  const int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
  if (row >= rows) return;
  for (int i = lane; i < width; i += 32) out[row * width + i] = in[row * width + i] + row;
}

__global__ void warps_of_grid(const int* in, int* out, int rows, int width) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = thread / 32, lane = thread % 32;
  if (row >= rows) return;
  for (int i = lane; i < width; i += 32) out[row * width + i] = in[row * width + i] + row;
}

// Blocks of two dimensions, threads counted through.
__global__ void warps_counted(const int* in, int* out, int rows, int width) {
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int warp = thread / 32, lane = thread % 32;
  const int row = blockIdx.x * (blockDim.x * blockDim.y / 32) + warp;
  if (row >= rows) return;
  for (int i = lane; i < width; i += 32) out[row * width + i] = in[row * width + i] + row;
}

__device__ unsigned lane_register() {
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__global__ void warps_register(const int* in, int* out, int rows, int width) {
  const int lane = static_cast<int>(lane_register());
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= rows) return;
  for (int i = lane; i < width; i += 32) out[row * width + i] = in[row * width + i] + row;
}

// The form of layer norms: pointers to the row, groups by value, one result a row.
__global__ void warps_tiles(const int* in, int* out, int* first, int rows, int width) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows) return;
  const int* x = in + row * width;
  int* y = out + row * width;
  for (int i = warp.thread_rank(); i < width; i += warp.size()) y[i] = x[i] + row;
  if (warp.thread_rank() == 0) first[row] = x[0];
}

template <int size>
__device__ void by_tiles(const int* in, int* out, int rows, int width) {
  const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  const int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  if (row >= rows) return;
  for (int i = tile.thread_rank(); i < width; i += size)
    out[row * width + i] = in[row * width + i] + row;
}

__global__ void warps_small_tiles(const int* in, int* out, int rows, int width) {
  by_tiles<8>(in, out, rows, width);
}

// What is stored is warp by warp what lies in a row: positions put together again.
__global__ void warps_again(const int* in, int* out, int n) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + warp * 32 + lane;
  if (i < n) out[i] = in[i];
}

// Lanes are columns, warps are rows: turned.
__global__ void warps_turned(const int* in, int* out, int n, int pitch) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int column = blockIdx.x * 8 + warp;
  if (column < n) out[lane * pitch + column] = in[column * 32 + lane];
}

// Structs that functions hand on by value.
struct View {
  const int* from;
  int count;
};
__device__ View row_of(const int* in, int row, int width) { return {in + row * width, width}; }
__device__ View tail(View view) { return {view.from + 1, view.count - 1}; }

__global__ void warps_view(const int* in, int* out, int width) {
  const View view = tail(row_of(in, blockIdx.x, width));
  for (int i = threadIdx.x; i < view.count; i += blockDim.x)
    out[blockIdx.x * width + i] = view.from[i];
}

template <class Launch>
static void rows_test(const char* name, Random& random, int rows, int width, Launch launch) {
  const auto in = small<int>(random, static_cast<size_t>(rows) * width);
  Array<int> d_in(in), out(rows * width);
  launch(d_in.data(), out.data());
  auto want = poisoned<int>(rows * width);
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < width; ++i) want[row * width + i] = in[row * width + i] + row;
  equal(name, out.get(), want);
}

static void test_rows(Random& random, int rows, int width, unsigned warps) {
  const unsigned grid = blocks(rows, warps), block = warps * 32;
  const auto plain = [&](const char* name, auto kernel, unsigned blocks_, dim3 threads) {
    rows_test(name, random, rows, width,
              [&](const int* in, int* out) { kernel<<<blocks_, threads>>>(in, out, rows, width); });
  };
  plain("divided", warps_divided, grid, block);
  plain("bits", warps_bits, grid, block);
  plain("unsigned", warps_unsigned, grid, block);
  plain("eight", warps_eight, blocks(rows, 8), 256);
  plain("of grid", warps_of_grid, grid, block);
  plain("counted", warps_counted, grid, dim3(block / 4, 4));
  plain("register", warps_register, grid, block);
  plain("small tiles", warps_small_tiles, blocks(rows, warps * 4), block);
  Array<int> first(rows);
  vector<int> in_first;
  rows_test("tiles", random, rows, width, [&](const int* in, int* out) {
    warps_tiles<<<grid, block>>>(in, out, first.data(), rows, width);
    vector<int> all(static_cast<size_t>(rows) * width);
    CUDA_OK(cudaMemcpy(all.data(), in, all.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (int row = 0; row < rows; ++row) in_first.push_back(all[row * width]);
  });
  equal("tiles, first", first.get(), in_first);
}

static void test_others(Random& random, int n, unsigned block) {
  const auto in = small<int>(random, n * 32);
  Array<int> d_in(in), out(n), turned(32 * (n + 3)), tails(n * 32);
  warps_again<<<blocks(n, block), block>>>(d_in.data(), out.data(), n);
  equal("again", out.get(), vector<int>(in.begin(), in.begin() + n));
  warps_turned<<<blocks(n, 8), 256>>>(d_in.data(), turned.data(), n, n + 3);
  auto want = poisoned<int>(32 * (n + 3)), want_tails = poisoned<int>(n * 32);
  for (int column = 0; column < n; ++column)
    for (int lane = 0; lane < 32; ++lane) want[lane * (n + 3) + column] = in[column * 32 + lane];
  equal("turned", turned.get(), want);
  warps_view<<<n, block>>>(d_in.data(), tails.data(), 32);
  for (int row = 0; row < n; ++row)
    for (int i = 0; i < 31; ++i) want_tails[row * 32 + i] = in[row * 32 + i + 1];
  equal("view", tails.get(), want_tails);
}

int main() {
  Random random(43);
  test_rows(random, 37, 61, 4);
  test_rows(random, 5, 3, 8);
  test_rows(random, 19, 100, 1);
  test_others(random, 77, 96);
  test_others(random, 13, 40);
  // Blocks of no whole warps: the rows of neighbouring blocks overlap, or columns are left out.
  const auto in = small<int>(random, 64);
  Array<int> d_in(in), out(64);
  warps_divided<<<2, 40>>>(d_in.data(), out.data(), 2, 32);
  vector<int> want = in;
  for (int i = 32; i < 64; ++i) ++want[i];
  equal("no whole warps", out.get(), want);
  return check::finish();
}
