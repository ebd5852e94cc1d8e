// Tiles of shared memory that are copies of arrays, and some that only look like it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Shared memory | tiles that are copies of arrays (matrix products), in blocks of their shape and of others, of arguments that are one array, with subscripts that wrap
#include "check.h"

#include <algorithm>

template <int T, int Padding>
__global__ void product(const int* a, const int* b, int* c, int n) {
  __shared__ int as[T][T + Padding], bs[T][T + Padding];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty,
            col = blockIdx.x * T + tx;
  int sum = 0;
  for (int m = 0; m < n / T; ++m) {
    as[ty][tx] = a[row * n + m * T + tx];
    bs[ty][tx] = b[(m * T + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < T; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

/// Each round of the inner loop has a weight of its own, whatever the tile.
__global__ void weighted(const int* a, const int* b, int* c, int n) {
  __shared__ int as[16][16], bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty,
            col = blockIdx.x * 16 + tx;
  int sum = 0;
  for (int m = 0; m < n / 16; ++m) {
    as[ty][tx] = a[row * n + m * 16 + tx];
    bs[ty][tx] = b[(m * 16 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[k][tx] * (k + 1);
    __syncthreads();
  }
  c[row * n + col] = sum;
}

/// Subscripts without sign: they wrap for rows before the first, and come back.
__global__ void without_sign(const int* a, const int* b, int* c, unsigned n, unsigned shift) {
  __shared__ int as[16][16], bs[16][16];
  const unsigned row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  int sum = 0;
  for (unsigned m = 0; m < n / 16; ++m) {
    as[threadIdx.y][threadIdx.x] = a[(row - shift) * n + m * 16 + threadIdx.x + shift * n];
    bs[threadIdx.y][threadIdx.x] = b[(m * 16 + threadIdx.y - shift) * n + shift * n + col];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

/// The first 32 of each round of all threads: blocks of another size get other sums.
__global__ void first_half(const int* a, int* c, int rounds) {
  __shared__ int tile[128];
  int sum = 0;
  for (int m = 0; m < rounds; ++m) {
    tile[threadIdx.x] = a[m * blockDim.x + threadIdx.x] + 0;
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += tile[k] * (k + 1);
    __syncthreads();
  }
  c[blockIdx.x * blockDim.x + threadIdx.x] = sum + threadIdx.x;
}

/// Only some threads fill; what the others would have read is out of bounds.
__global__ void some_fill(const int* a, int* c, int rounds) {
  __shared__ int tile[16];
  int sum = 0;
  for (int m = 0; m < rounds; ++m) {
    if (threadIdx.x < 16) tile[threadIdx.x] = a[m * 16 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum = sum * 3 + tile[k];
    __syncthreads();
  }
  c[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// What a barrier lets pass from thread to thread besides the tile.
__global__ void also_in_memory(const int* a, int* c, int rounds) {
  __shared__ int tile[64];
  const int base = blockIdx.x * 64, t = threadIdx.x;
  for (int m = 0; m < rounds; ++m) {
    tile[t] = a[m * 64 + t];
    __syncthreads();
    int sum = c[base + (t + 1) % 64];
    for (int k = 0; k < 64; ++k) sum += tile[k] ^ t;
    __syncthreads();
    c[base + t] = sum;
  }
}

/// Filled a second time before anybody looks.
__global__ void twice(const int* a, const int* b, int* c, int rounds) {
  __shared__ int tile[64];
  int sum = 0;
  for (int m = 0; m < rounds; ++m) {
    tile[threadIdx.x] = a[m * 64 + threadIdx.x];
    __syncthreads();
    if (m % 2 == 1) tile[63 - threadIdx.x] = b[m * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k) sum = sum * 5 + tile[k];
    __syncthreads();
  }
  c[blockIdx.x * 64 + threadIdx.x] = sum;
}

static std::vector<int> want_product(const std::vector<int>& a, const std::vector<int>& b, int n) {
  std::vector<int> c(a.size());
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
  return c;
}

template <int T, int Padding>
static void test_product(check::Random& random, int n) {
  const auto a = random.integers<int>(n * n, -99, 99), b = random.integers<int>(n * n, -99, 99);
  check::Array<int> da(a), db(b), dc(std::vector<int>(n * n, -5));
  const dim3 blocks(n / T, n / T), size(T, T);
  product<T, Padding><<<blocks, size>>>(da.data(), db.data(), dc.data(), n);
  KERNEL_OK();
  check::equal("product", dc.get(), want_product(a, b, n));
  product<T, Padding><<<blocks, size>>>(da.data(), da.data(), dc.data(), n);
  KERNEL_OK();
  check::equal("square", dc.get(), want_product(a, a, n));
  if (n == T) {  // one block has read everything when it stores
    product<T, Padding><<<blocks, size>>>(da.data(), db.data(), da.data(), n);
    KERNEL_OK();
    check::equal("in place", da.get(), want_product(a, b, n));
  }
  if (T != 16) return;
  auto b_weighted = b;
  for (int i = 0; i < n * n; ++i) b_weighted[i] *= i / n % 16 + 1;
  check::Array<int> wa(a), wc(std::vector<int>(n * n, -5));
  weighted<<<blocks, size>>>(wa.data(), db.data(), wc.data(), n);
  KERNEL_OK();
  check::equal("weighted", wc.get(), want_product(a, b_weighted, n));
  for (const unsigned shift : {0u, 1u, 40u, 0x1000'0000u}) {
    check::Array<int> ea(a), ec(std::vector<int>(n * n, -5));
    without_sign<<<blocks, size>>>(ea.data(), db.data(), ec.data(), n, shift);
    KERNEL_OK();
    check::equal("without sign", ec.get(), want_product(a, b, n));
  }
}

static void test_rows(check::Random& random, int rounds, int blocks) {
  const auto a = random.integers<int>(rounds * 128, -99, 99),
             b = random.integers<int>(rounds * 128, -99, 99);
  check::Array<int> da(a), db(b);
  for (const int size : {32, 64, 96, 128}) {
    check::Array<int> dc(std::vector<int>(blocks * size, -5));
    first_half<<<blocks, size>>>(da.data(), dc.data(), rounds);
    KERNEL_OK();
    std::vector<int> want(blocks * size);
    for (int i = 0; i < blocks * size; ++i) {
      want[i] = i % size;
      for (int m = 0; m < rounds; ++m)
        for (int k = 0; k < 32; ++k) want[i] += a[m * size + k] * (k + 1);
    }
    check::equal("first half", dc.get(), want);

    check::Array<int> dd(std::vector<int>(blocks * size, -5));
    some_fill<<<blocks, size>>>(da.data(), dd.data(), rounds);
    KERNEL_OK();
    unsigned sum = 0;
    for (int i = 0; i < rounds * 16; ++i) sum = sum * 3 + a[i];
    check::equal("some fill", dd.get(), std::vector<int>(blocks * size, static_cast<int>(sum)));
  }
  const auto first = random.integers<int>(blocks * 64, -99, 99);
  check::Array<int> dc(first);
  also_in_memory<<<blocks, 64>>>(da.data(), dc.data(), rounds);
  KERNEL_OK();
  std::vector<int> want = first;
  for (int m = 0; m < rounds; ++m) {
    const std::vector<int> before = want;
    for (int i = 0; i < blocks * 64; ++i) {
      unsigned sum = before[i / 64 * 64 + (i + 1) % 64];
      for (int k = 0; k < 64; ++k) sum += a[m * 64 + k] ^ (i % 64);
      want[i] = static_cast<int>(sum);
    }
  }
  check::equal("also in memory", dc.get(), want);

  check::Array<int> de(std::vector<int>(blocks * 64, -5));
  twice<<<blocks, 64>>>(da.data(), db.data(), de.data(), rounds);
  KERNEL_OK();
  unsigned sum = 0;
  for (int m = 0; m < rounds; ++m)
    for (int k = 0; k < 64; ++k) sum = sum * 5 + (m % 2 == 1 ? b[m * 64 + 63 - k] : a[m * 64 + k]);
  check::equal("twice", de.get(), std::vector<int>(blocks * 64, static_cast<int>(sum)));
}

int main() {
  check::Random random(__LINE__);
  // Larger than what is joined, except where nothing is.
  const int large = check::is_interpreted() ? 64 : 400;
  for (const int n : {16, 48, check::is_interpreted() ? 80 : 208, large})
    test_product<16, 0>(random, n);
  for (const int n : {8, 24, large / 2}) test_product<8, 1>(random, n);
  for (const int n : {32, check::is_interpreted() ? 96 : 416}) test_product<32, 1>(random, n);
  for (const int rounds : {1, 2, 7})
    for (const int blocks : {1, 5, 37}) test_rows(random, rounds, blocks);
  return check::finish();
}
