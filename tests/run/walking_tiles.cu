// Tiles whose place in the matrix is walked along, as in CUDA's matrixMul, and loops that only look
// like it. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Shared memory | tiles at places that a loop walks along (matrixMul of the CUDA samples), of parts of arrays, with ends that depend on the block
#include "check.h"

#include <algorithm>

template <class T, int W>
__global__ void product(T* C, const T* A, const T* B, int wA, int wB) {
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int aBegin = wA * W * by, aEnd = aBegin + wA - 1, aStep = W;
  const int bBegin = W * bx, bStep = W * wB;
  T sum = 0;
  for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
    __shared__ T As[W][W];
    __shared__ T Bs[W][W];
    As[ty][tx] = A[a + wA * ty + tx];
    Bs[ty][tx] = B[b + wB * ty + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < W; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  const int c = wB * W * by + W * bx;
  C[c + wB * ty + tx] = sum;
}

/// A lower triangle: blocks further down go further right.
__global__ void triangle(int* C, const int* A, const int* B, int n) {
  __shared__ int As[16][16], Bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, begin = n * 16 * blockIdx.y,
            end = begin + 16 * (blockIdx.y + 1);
  int sum = 0;
  for (int a = begin, b = 16 * blockIdx.x; a < end; a += 16, b += 16 * n) {
    As[ty][tx] = A[a + n * ty + tx];
    Bs[ty][tx] = B[b + n * ty + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[n * 16 * blockIdx.y + 16 * blockIdx.x + n * ty + tx] = sum;
}

/// Rows of a block are two apart, and those of blocks side by side lie between each other's.
__global__ void every_other(int* C, const int* A, const int* B, int n) {
  __shared__ int As[16][16], Bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int begin = n * (32 * (blockIdx.y / 2) + blockIdx.y % 2), end = begin + n;
  int sum = 0;
  for (int a = begin, b = 16 * blockIdx.x; a < end; a += 16, b += 16 * n) {
    As[ty][tx] = A[a + 2 * n * ty + tx];
    Bs[ty][tx] = B[b + n * ty + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[begin + 2 * n * ty + 16 * blockIdx.x + tx] = sum;
}

/// Without sign, from an offset that only wraps back.
__global__ void without_sign(int* C, const int* A, const int* B, unsigned n, unsigned offset) {
  __shared__ int As[16][16], Bs[16][16];
  const unsigned tx = threadIdx.x, ty = threadIdx.y, begin = n * 16 * blockIdx.y + offset;
  int sum = 0;
  for (unsigned a = begin, b = 16 * blockIdx.x; a != begin + n; a += 16, b += 16 * n) {
    As[ty][tx] = A[a + n * ty + tx - offset];
    Bs[ty][tx] = B[b + n * ty + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[n * 16 * blockIdx.y + 16 * blockIdx.x + n * ty + tx] = sum;
}

template <class T>
static std::vector<T> want_product(const std::vector<T>& a, const std::vector<T>& b, int rows,
                                   int inner, int columns) {
  std::vector<T> c(rows * columns);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < inner; ++k)
      for (int j = 0; j < columns; ++j) c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
  return c;
}

template <class T, int W>
static void test_product(check::Random& random, int rows, int inner, int columns) {
  std::vector<T> a(rows * inner), b(inner * columns);
  for (T& x : a) x = static_cast<T>(random.integers<int>(1, -9, 9)[0]);
  for (T& x : b) x = static_cast<T>(random.integers<int>(1, -9, 9)[0]);
  const auto want = want_product(a, b, rows, inner, columns);
  const dim3 blocks(columns / W, rows / W), size(W, W);
  check::Array<T> da(a), db(b), dc(std::vector<T>(rows * columns, T(-5)));
  product<T, W><<<blocks, size>>>(dc.data(), da.data(), db.data(), inner, columns);
  KERNEL_OK();
  check::equal("product", dc.get(), want);

  // Parts of one array, the result in front.
  std::vector<T> all(rows * columns);
  all.insert(all.end(), a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  check::Array<T> one(all);
  T* c = one.data();
  product<T, W>
      <<<blocks, size>>>(c, c + rows * columns, c + rows * columns + rows * inner, inner, columns);
  KERNEL_OK();
  std::copy(want.begin(), want.end(), all.begin());
  check::equal("of one array", one.get(), all);
}

static void test_others(check::Random& random, int n) {
  const auto a = random.integers<int>(n * n, -9, 9), b = random.integers<int>(n * n, -9, 9);
  check::Array<int> da(a), db(b);
  const dim3 blocks(n / 16, n / 16), size(16, 16);
  const auto want = want_product(a, b, n, n, n);
  auto test = [&](const char* name, const std::vector<int>& wanted, auto launch) {
    check::Array<int> dc(std::vector<int>(n * n, -5));
    launch(dc.data());
    KERNEL_OK();
    check::equal(name, dc.get(), wanted);
  };
  auto lower = a;
  for (int i = 0; i < n * n; ++i)
    if (i % n / 16 > i / n / 16) lower[i] = 0;
  test("triangle", want_product(lower, b, n, n, n),
       [&](int* c) { triangle<<<blocks, size>>>(c, da.data(), db.data(), n); });
  if (n % 32 == 0)
    test("every other", want,
         [&](int* c) { every_other<<<blocks, size>>>(c, da.data(), db.data(), n); });
  for (const unsigned offset : {0u, 7u, 0x7fff'fff0u, 0xffff'ff00u})
    test("without sign", want,
         [&](int* c) { without_sign<<<blocks, size>>>(c, da.data(), db.data(), n, offset); });
}

int main() {
  check::Random random(__LINE__);
  const int sizes[][3] = {{1, 1, 1}, {3, 2, 5}, {4, 7, 3}, {9, 1, 5}};
  for (auto [rows, inner, columns] : sizes) {
    test_product<float, 16>(random, rows * 16, inner * 16, columns * 16);
    test_product<float, 32>(random, rows * 32, inner * 32, columns * 32);
    test_product<double, 8>(random, rows * 8, inner * 8, columns * 8);
    test_product<signed char, 16>(random, rows * 16, inner * 16, columns * 16);
    test_product<long long, 16>(random, rows * 16, inner * 16, columns * 16);
  }
  // No rounds at all.
  check::Array<float> none(std::vector<float>(256, 3.0f)), zeros(std::vector<float>(256, -5.0f));
  product<float, 16><<<1, dim3(16, 16)>>>(zeros.data(), none.data(), none.data(), 0, 16);
  KERNEL_OK();
  check::equal("no rounds", zeros.get(), std::vector<float>(256, 0.0f));
  for (const int n : {16, 32, 96, 112}) test_others(random, n);
  return check::finish();
}
