// What warps carry into loops with warp operations: from before a barrier, from loop to loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Warp operations | loops over a warp's rows whose first row is found before a barrier, or carried from loop to loop
#include "check.h"

constexpr unsigned everybody = 0xffffffffu;
constexpr int threads = 128, warps = threads / 32;

__device__ int sum_of_warp(int value) {
  for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(everybody, value, d);
  return value;
}

/// The first row is wanted before the barrier, too; `from`: where to find it instead.
__global__ void rows(const int* in, const int* from, int* firsts, int* out, int n) {
  __shared__ int turned[threads];
  const int lane = threadIdx.x % 32, step = gridDim.x * (blockDim.x / 32);
  int first = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (from) first = from[first];
  turned[threadIdx.x ^ 32] = first;
  firsts[blockIdx.x * blockDim.x + threadIdx.x] = first;
  __syncthreads();
  for (int row = first; row < n; row += step)
    out[row * 32 + lane] = sum_of_warp(in[row * 32 + lane]) + lane + turned[threadIdx.x];
}

void test_rows(int n, bool is_loaded) {
  const int blocks = 3, all = blocks * warps;
  std::vector<int> in(n * 32), from(all), firsts(blocks * threads), want(n * 32, -1);
  for (int i = 0; i < n * 32; ++i) in[i] = i % 101;
  for (int i = 0; i < all; ++i) from[i] = is_loaded ? all - 1 - i : i;
  check::Array<int> d_in(in), d_from(from), d_firsts(firsts), d_out(want);
  rows<<<blocks, threads>>>(d_in.data(), is_loaded ? d_from.data() : nullptr, d_firsts.data(),
                            d_out.data(), n);
  KERNEL_OK();
  for (int w = 0; w < all; ++w) {
    for (int lane = 0; lane < 32; ++lane) firsts[w * 32 + lane] = from[w];
    for (int row = from[w]; row < n; row += all) {
      int sum = 0;
      for (int lane = 0; lane < 32; ++lane) sum += in[row * 32 + lane];
      for (int lane = 0; lane < 32; ++lane) want[row * 32 + lane] = sum + lane + from[w ^ 1];
    }
  }
  const std::string name = std::to_string(n) + (is_loaded ? " rows, loaded" : " rows");
  check::equal(name, d_out.get(), want);
  check::equal("first of " + name, d_firsts.get(), firsts);
}

/// The block's counter goes on in each round where the last one stopped.
__global__ void counter(const int* limits, int* out, int rounds) {
  __shared__ int s[threads];
  const int t = threadIdx.x;
  int k = 0, sum = 0;
  for (int round = 0; round < rounds; ++round) {
    for (; k < limits[round]; ++k) sum += sum_of_warp((t + k) % 7);
    s[t] = sum;
    __syncthreads();
    sum += s[t ^ 32] * k;
    sum %= 1000;
    __syncthreads();
  }
  out[t] = sum + k;
}

void test_counter(const std::vector<int>& limits) {
  std::vector<int> want(threads);
  check::Array<int> d_limits(limits), d_out(want);
  counter<<<1, threads>>>(d_limits.data(), d_out.data(), int(limits.size()));
  KERNEL_OK();
  int k = 0;
  for (int limit : limits) {
    for (; k < limit; ++k)
      for (int t = 0; t < threads; ++t)
        for (int lane = 0; lane < 32; ++lane) want[t] += (t / 32 * 32 + lane + k) % 7;
    const std::vector<int> s = want;
    for (int t = 0; t < threads; ++t) want[t] = (want[t] + s[t ^ 32] * k) % 1000;
  }
  for (int& one : want) one += k;
  check::equal("counter of " + std::to_string(limits.size()), d_out.get(), want);
}

/// Each warp's row: from the loop, moved by its neighbour's, and sent by the first lane.
__global__ void moved(int* out, int n, int rounds) {
  __shared__ int s[threads];
  const int t = threadIdx.x, lane = t % 32;
  int row = t / 32, sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const int end = row + n;
    for (; row < end; row += 4) sum += sum_of_warp(row * lane);
    s[t] = row;
    __syncthreads();
    row = __shfl_sync(everybody, row + (s[t ^ 32] & 1) + lane, 0);
    __syncthreads();
  }
  out[t] = sum + row;
}

void test_moved(int n, int rounds) {
  std::vector<int> want(threads);
  check::Array<int> d_out(want);
  moved<<<1, threads>>>(d_out.data(), n, rounds);
  KERNEL_OK();
  int row[warps], sum[warps] = {};
  for (int w = 0; w < warps; ++w) row[w] = w;
  for (int round = 0; round < rounds; ++round) {
    int s[warps];
    for (int w = 0; w < warps; ++w) {
      const int end = row[w] + n;
      for (; row[w] < end; row[w] += 4) sum[w] += row[w] * (31 * 32 / 2);
      s[w] = row[w];
    }
    for (int w = 0; w < warps; ++w) row[w] += s[w ^ 1] & 1;
  }
  for (int t = 0; t < threads; ++t) want[t] = sum[t / 32] + row[t / 32];
  check::equal("moved " + std::to_string(rounds) + " times", d_out.get(), want);
}

int main() {
  for (int n : {0, 1, 11, 37, 200})
    for (bool is_loaded : {false, true}) test_rows(n, is_loaded);
  test_counter({3});
  test_counter({0, 5, 5, 2, 9});
  test_moved(0, 3);
  test_moved(7, 1);
  test_moved(9, 5);
  return check::finish();
}
