// Blocks that go on from what blocks far before them left, without waiting: GPUs begin blocks in
// order, and these were done long ago.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Forward progress | blocks that read, without waiting, what blocks thousands before them wrote
#include "check.h"

constexpr int block_size = 32;

struct Carries {
  int* left;
  int chunks, rows, length;
};

/// Takes a while, so that several workers are at it.
__host__ __device__ int scrambled(unsigned sum) {
  for (int i = 0; i < 100; ++i) sum = sum * 1664525u + 1013904223u + (sum >> 15);
  return static_cast<int>(sum >> 12);
}

__device__ int sum_of_chunk(const int* x, int length) {
  __shared__ int sums[block_size];
  int sum = 0;
  for (int i = threadIdx.x; i < length; i += block_size) sum += x[i];
  sums[threadIdx.x] = sum;
  for (int half = block_size / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[0] = scrambled(sums[0]);
  __syncthreads();
  return sums[0];
}

// As in selective scans: a row's chunks, one after the other along y; one carry each for two sums.
__global__ void in_members(const int* x, Carries carries, int* out) {
  __shared__ int before;
  const int row = blockIdx.x, chunk = blockIdx.y, n = carries.length;
  for (int k = 0; k < 2; ++k) {
    const int at = (row * 2 + k) * carries.chunks;
    if (threadIdx.x == 0) before = chunk == 0 ? row : carries.left[at + (chunk - 1)];
    __syncthreads();
    const int sum = before + (k + 1) * sum_of_chunk(x + (row * carries.chunks + chunk) * n, n);
    if (threadIdx.x == block_size - 1) carries.left[at + chunk] = sum;
    out[(at + chunk) * block_size + threadIdx.x] = sum + threadIdx.x;
    __syncthreads();
  }
}

// Through an argument, along x alone.
__global__ void in_argument(const int* x, int n, int distance, int* left) {
  const int block = blockIdx.x;
  const int before = block < distance ? 0 : left[block - distance];
  const int sum = sum_of_chunk(x + block * n, n);
  if (threadIdx.x == 0) left[block] = before + sum;
}

// Without barriers: threads of neighbouring blocks could run as one block.
__global__ void without_barriers(const int* x, int n, int chunks, int* left, int* out) {
  const int row = blockIdx.x, chunk = blockIdx.y, at = row * chunks + chunk;
  int sum = chunk == 0 ? row : left[at - 1];
  for (int i = 0; i < n; ++i) sum += x[at * n + i];
  if (threadIdx.x == 0) left[at] = sum;
  out[at * blockDim.x + threadIdx.x] = sum + threadIdx.x;
}

int main() {
  for (int rows : {check::is_interpreted() ? 6007 : 60001})
    for (int chunks : {2}) {
      const int n = 35, blocks = rows * chunks;
      const std::vector<int> x = check::Random(rows).integers<int>(blocks * n, -1000, 1000);
      check::Array<int> source(x);
      auto sum = [&](int block) {
        int all = 0;
        for (int i = 0; i < n; ++i) all += x[block * n + i];
        return scrambled(all);
      };
      {
        check::Array<int> left(std::vector<int>(blocks * 2, -77));
        check::Array<int> out(std::vector<int>(blocks * 2 * block_size, -7));
        in_members<<<dim3(rows, chunks), block_size>>>(source.data(),
                                                       {left.data(), chunks, rows, n}, out.data());
        KERNEL_OK();
        std::vector<int> carries(blocks * 2), want(blocks * 2 * block_size);
        for (int row = 0; row < rows; ++row)
          for (int k = 0; k < 2; ++k)
            for (int chunk = 0, carry = row; chunk < chunks; ++chunk) {
              carry += (k + 1) * sum(row * chunks + chunk);
              const int at = (row * 2 + k) * chunks + chunk;
              carries[at] = carry;
              for (int t = 0; t < block_size; ++t) want[at * block_size + t] = carry + t;
            }
        check::equal("in_members: carries", left.get(), carries);
        check::equal("in_members: sums", out.get(), want);
      }
      {
        check::Array<int> left(std::vector<int>(blocks, -77));
        in_argument<<<blocks, block_size>>>(source.data(), n, rows, left.data());
        KERNEL_OK();
        std::vector<int> want(blocks);
        for (int b = 0; b < blocks; ++b) want[b] = sum(b) + (b < rows ? 0 : want[b - rows]);
        check::equal("in_argument", left.get(), want);
      }
      {
        check::Array<int> left(std::vector<int>(blocks, -77));
        check::Array<int> out(std::vector<int>(blocks * block_size, -7));
        without_barriers<<<dim3(rows, chunks), block_size>>>(source.data(), n, chunks, left.data(),
                                                             out.data());
        KERNEL_OK();
        std::vector<int> carries(blocks), want(blocks * block_size);
        for (int b = 0; b < blocks; ++b) {
          int carry = b % chunks == 0 ? b / chunks : carries[b - 1];
          for (int i = 0; i < n; ++i) carry += x[b * n + i];
          carries[b] = carry;
          for (int t = 0; t < block_size; ++t) want[b * block_size + t] = carry + t;
        }
        check::equal("without_barriers: carries", left.get(), carries);
        check::equal("without_barriers: sums", out.get(), want);
      }
    }
  return check::finish();
}
