// The usual warp and block reductions and scans built from shuffles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Warp operations | warp reduction and scan by shuffles, block reduction from warp results
#include "check.h"

__device__ int warp_sum(int value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

// Works for any block size: missing lanes are padded by reading zero for threads beyond n.
__global__ void block_sum(const int* in, int* out, int n) {
  __shared__ int partial[32];
  const int t = check::thread_index(), lane = t % 32, warp = t / 32;
  const int warps = (check::thread_count() + 31) / 32;
  int sum = 0;
  for (int i = blockIdx.x * check::thread_count() + t; i < n;
       i += gridDim.x * check::thread_count())
    sum += in[i];
  // Lanes outside a ragged last warp: combine only what exists.
  const int present = min(32, int(check::thread_count()) - warp * 32);
  for (int offset = 16; offset > 0; offset >>= 1) {
    const int other = __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane + offset < present) sum += other;
  }
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  if (t == 0) {
    int total = 0;
    for (int w = 0; w < warps; ++w) total += partial[w];
    atomicAdd(out, total);
  }
}

// The textbook form, for multiples of 32: first warp adds the warp results.
__global__ void block_sum_textbook(const int* in, int* out) {
  __shared__ int partial[32];
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  int sum = warp_sum(in[blockIdx.x * blockDim.x + t]);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < int(blockDim.x) / 32 ? partial[lane] : 0;
    sum = warp_sum(sum);
    if (lane == 0) out[blockIdx.x] = sum;
  }
}

// Inclusive scan of a block: warp scans, a scan of the warp sums, then the offset.
__global__ void block_scan(const long long* in, long long* out) {
  __shared__ long long sums[32];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int i = blockIdx.x * blockDim.x + t;
  long long value = in[i];
  for (int offset = 1; offset < 32; offset *= 2) {
    const long long other = __shfl_up_sync(0xffffffffu, value, offset);
    if (lane >= offset) value += other;
  }
  if (lane == 31 || t == int(blockDim.x) - 1) sums[warp] = value;
  __syncthreads();
  if (t == 0)
    for (int w = 1; w < int(blockDim.x + 31) / 32; ++w) sums[w] += sums[w - 1];
  __syncthreads();
  out[i] = value + (warp > 0 ? sums[warp - 1] : 0);
}

// Maximum with its index by butterfly: every lane has the answer.
__global__ void arg_max(const float* in, float* best, int* where) {
  const int t = threadIdx.x;
  float value = in[t];
  int index = t;
  for (int mask = 1; mask < 32; mask *= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, mask);
    const int other_index = __shfl_xor_sync(0xffffffffu, index, mask);
    if (other > value || (other == value && other_index < index)) {
      value = other;
      index = other_index;
    }
  }
  best[t] = value;
  where[t] = index;
}

// Sums of rows by whole blocks, with barriers, or by warps in rounds, without: as in layer norms.
__global__ void row_sums(const int* in, int* out, int rows, int columns, bool by_blocks) {
  __shared__ int partial[32];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, warps = blockDim.x / 32;
  if (by_blocks) {
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
      int sum = 0;
      for (int i = t; i < columns; i += blockDim.x) sum += in[row * columns + i];
      sum = warp_sum(sum);
      if (lane == 0) partial[warp] = sum;
      __syncthreads();
      if (t == 0) {
        for (int w = 1; w < warps; ++w) sum += partial[w];
        out[row] = sum;
      }
      __syncthreads();
    }
  } else {
    const int step = gridDim.x * warps, rounds = (rows + step - 1) / step;
    for (int round = 0; round < rounds; ++round) {
      const int row = round * step + blockIdx.x * warps + warp;
      if (row < rows) {
        int sum = 0;
        for (int i = lane; i < columns; i += 32) sum += in[row * columns + i];
        sum = warp_sum(sum);
        if (lane == 0) out[row] = sum;
      }
    }
  }
}

int main() {
  check::Random random(29);
  for (dim3 block : check::block_shapes())
    for (int n : {1, 1009, 20011}) {
      const auto in = random.integers<int>(n, -10000, 10000);
      check::Array<int> source(in), out(std::vector<int>(1, 0));
      block_sum<<<7, block>>>(source.data(), out.data(), n);
      int want = 0;
      for (int x : in) want += x;
      check::equal(check::name("block_sum", block), out.get(), std::vector<int>{want});
    }
  for (int threads : {32, 96, 256, 1024}) {
    const int blocks = 5;
    const auto in = random.integers<int>(blocks * threads, -10000, 10000);
    check::Array<int> source(in), out(blocks);
    block_sum_textbook<<<blocks, threads>>>(source.data(), out.data());
    std::vector<int> want(blocks, 0);
    for (int i = 0; i < blocks * threads; ++i) want[i / threads] += in[i];
    check::equal("block_sum_textbook", out.get(), want);
  }
  for (int threads : {1, 31, 32, 33, 96, 257, 1023, 1024}) {
    const int blocks = 3;
    const auto in = random.integers<long long>(blocks * threads, -1ll << 40, 1ll << 40);
    check::Array<long long> source(in), out(blocks * threads);
    block_scan<<<blocks, threads>>>(source.data(), out.data());
    auto want = in;
    for (int i = 0; i < blocks * threads; ++i)
      if (i % threads != 0) want[i] += want[i - 1];
    check::equal("block_scan", out.get(), want);
  }
  for (int threads : {32, 96, 1024})
    for (int rows : {0, 1, 37, 101})
      for (bool by_blocks : {false, true}) {
        const int columns = 71;
        const auto in = random.integers<int>(rows * columns + 1, -10000, 10000);
        check::Array<int> source(in), out(std::vector<int>(rows + 1, 7));
        row_sums<<<3, threads>>>(source.data(), out.data(), rows, columns, by_blocks);
        std::vector<int> want(rows + 1, 0);
        for (int i = 0; i < rows * columns; ++i) want[i / columns] += in[i];
        want[rows] = 7;
        check::equal(by_blocks ? "row_sums by blocks" : "row_sums by warps", out.get(), want);
      }
  {
    auto in = random.reals<float>(128, -5, 5);
    in[40] = in[50] = 6;  // a tie
    check::Array<float> source(in), best(128);
    check::Array<int> where(128);
    arg_max<<<1, 128>>>(source.data(), best.data(), where.data());
    std::vector<float> want(128);
    std::vector<int> want_where(128);
    for (int w = 0; w < 4; ++w) {
      int at = w * 32;
      for (int t = at; t < w * 32 + 32; ++t)
        if (in[t] > in[at]) at = t;
      for (int t = w * 32; t < w * 32 + 32; ++t) want[t] = in[at], want_where[t] = at;
    }
    check::equal("arg_max", best.get(), want);
    check::equal("arg_max index", where.get(), want_where);
  }
  return check::finish();
}
