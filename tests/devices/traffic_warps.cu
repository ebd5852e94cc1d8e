// What moves for a warp to each row: nothing, rows stay where they are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 203 rows of 77 integers, 4 warps a block: sums of two matrices, then each row scaled by its mean.
// Lanes and ranks come from a tile of cooperative groups in one kernel, from threadIdx in the
// other. The 2 * 20 launches cut both matrices alike; the first two show that.
//
// TRAFFIC cpu:2x1 device_to_device_bytes == 0
// TRAFFIC cpu:3x1 device_to_device_bytes == 0
// TRAFFIC cpu:7x1 device_to_device_bytes == 0
// TRAFFIC cpu:3x1 host_to_device_bytes == 2 * 203 * 77 * 4
// TRAFFIC cpu:3x1 device_to_host_bytes == (203 * 77 + 203) * 4
// TRAFFIC cpu:3x1 launches_exact == 42
// TRAFFIC cpu:3x1 launches_one_device == 0
// TRAFFIC cpu:3x1 merged_bytes == 0
#include <cooperative_groups.h>

#include "devices.h"

using namespace devices;
namespace cg = cooperative_groups;

constexpr int rows = 203, width = 77, warps = 4, rounds = 20;

__global__ void add(int* sum, const int* more, int n, int c) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row = blockIdx.x * (blockDim.x / 32) + warp;
  if (row >= n) return;
  for (int i = lane; i < c; i += 32) sum[row * c + i] += more[row * c + i];
}

__global__ void normalise(int* values, int* means, int n, int c) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= n) return;
  int* x = values + row * c;
  int sum = 0;
  for (int i = warp.thread_rank(); i < c; i += warp.size()) sum += x[i];
  for (int step = warp.size() / 2; step > 0; step /= 2) sum += warp.shfl_xor(sum, step);
  if (warp.thread_rank() == 0) means[row] = sum / c;
  for (int i = warp.thread_rank(); i < c; i += warp.size()) x[i] -= sum / c;
}

static void host_round(vector<int>& sum, const vector<int>& more, vector<int>& means) {
  for (int row = 0; row < rows; ++row) {
    int total = 0;
    for (int i = 0; i < width; ++i) total += sum[row * width + i] += more[row * width + i];
    means[row] = total / width;
    for (int i = 0; i < width; ++i) sum[row * width + i] -= total / width;
  }
}

int main() {
  Random random(47);
  vector<int> sum = random.integers<int>(rows * width, -8, 8);
  const vector<int> more = random.integers<int>(rows * width, -8, 8);
  vector<int> means(rows), got(rows * width), got_means(rows);
  int *d_sum = nullptr, *d_more = nullptr, *d_means = nullptr;
  CUDA_OK(cudaMalloc(&d_sum, sum.size() * sizeof(int)));
  CUDA_OK(cudaMalloc(&d_more, sum.size() * sizeof(int)));
  CUDA_OK(cudaMalloc(&d_means, rows * sizeof(int)));
  const unsigned grid = (rows + warps - 1) / warps;
  add<<<grid, warps * 32>>>(d_sum, d_more, rows, width);  // show the pattern
  normalise<<<grid, warps * 32>>>(d_sum, d_means, rows, width);
  CUDA_OK(cudaMemcpy(d_sum, sum.data(), sum.size() * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(d_more, more.data(), sum.size() * sizeof(int), cudaMemcpyHostToDevice));
  for (int round = 0; round < rounds; ++round) {
    add<<<grid, warps * 32>>>(d_sum, d_more, rows, width);
    normalise<<<grid, warps * 32>>>(d_sum, d_means, rows, width);
    host_round(sum, more, means);
  }
  CUDA_OK(cudaMemcpy(got.data(), d_sum, sum.size() * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_OK(cudaMemcpy(got_means.data(), d_means, rows * sizeof(int), cudaMemcpyDeviceToHost));
  result("values", got, sum);
  result("means", got_means, means);
  return finish();
}
