// Tiles whose fill has a guard: zero behind the end of the data, bit by bit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Shared memory | tiles of matrices whose sides are no multiples of the tile's, filled up with zeros; infinities, NaN and -0.0 in them
#include "check.h"

#include <cmath>
#include <cstring>
#include <limits>

template <class T>
__host__ __device__ T fused(T a, T b, T c) {
  return a * b + c;
}
__host__ __device__ inline float fused(float a, float b, float c) { return fmaf(a, b, c); }
__host__ __device__ inline double fused(double a, double b, double c) { return fma(a, b, c); }

template <class T, int W>
__global__ void product(const T* a, const T* b, T* c, int n, int k, int m) {
  __shared__ T as[W][W], bs[W][W + 1];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * W + ty,
            col = blockIdx.x * W + tx;
  T sum = 0;
  for (int t = 0; t < (k + W - 1) / W; ++t) {
    as[ty][tx] = row < n && t * W + tx < k ? a[row * k + t * W + tx] : T(0);
    if (col < m && t * W + ty < k)
      bs[ty][tx] = b[(t * W + ty) * m + col];
    else
      bs[ty][tx] = 0;
    __syncthreads();
    for (int j = 0; j < W; ++j) sum = fused(as[ty][j], bs[j][tx], sum);
    __syncthreads();
  }
  if (row < n && col < m) c[row * m + col] = sum;
}

/// What is added in the last rounds is the weight times zero: NaN, if the weight is infinite.
__global__ void weighted(const float* a, float* c, int n, int k, float weight) {
  __shared__ float tile[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int t = 0; t < (k + 15) / 16; ++t) {
    tile[ty][tx] = row < n && t * 16 + tx < k ? a[row * k + t * 16 + tx] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 16; ++j) sum = fmaf(tile[ty][j], weight, sum);
    __syncthreads();
  }
  if (row < n) c[row * 16 + blockIdx.x * gridDim.y * 256 + tx] = sum;
}

/// Rounds behind the end count; so do threads there, which are told of by others.
__global__ void counted(const int* a, int* c, int n, int k) {
  __shared__ int tile[32];
  const int i = blockIdx.x * 32 + threadIdx.x;
  int sum = 0, rounds = 0;
  for (int t = 0; t < (k + 31) / 32; ++t) {
    tile[threadIdx.x] = t * 32 + threadIdx.x < k ? a[t * 32 + threadIdx.x] : 0;
    __syncthreads();
    for (int j = 0; j < 32; ++j) {
      sum += tile[j];
      rounds = rounds * 3 + 1;
    }
    __syncthreads();
  }
  if (i < n) c[i] = sum + rounds * 7;
}

/// All threads store; those outside of the rows have zeros.
__global__ void all_store(const int* a, int* c, int n, int k) {
  __shared__ int tile[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty;
  int sum = 0;
  for (int t = 0; t < (k + 15) / 16; ++t) {
    tile[ty][tx] = row < n && t * 16 + tx < k ? a[row * k + t * 16 + tx] : 0;
    __syncthreads();
    for (int j = 0; j < 16; ++j) sum += tile[ty][j];
    __syncthreads();
  }
  c[row * 16 * gridDim.x + blockIdx.x * 16 + tx] = sum;
}

/// Ones behind the end, and a number of tiles that the host gives.
__global__ void filled_with_ones(const int* a, int* c, int n, int k, int tiles) {
  __shared__ int tile[32], ones[32];
  const int i = blockIdx.x * 32 + threadIdx.x;
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = t * 32 + static_cast<int>(threadIdx.x) < k ? a[t * 32 + threadIdx.x] : 1;
    ones[threadIdx.x] = t * 32 + static_cast<int>(threadIdx.x) < k ? a[t * 32 + threadIdx.x] : 0;
    __syncthreads();
    for (int j = 0; j < 32; ++j) sum += tile[j] + 2 * ones[j];
    __syncthreads();
  }
  if (i < n) c[i] = sum;
}

template <class T>
static std::vector<long long> bits(const std::vector<T>& values) {
  std::vector<long long> words(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] == values[i])  // one NaN is like another
      std::memcpy(&words[i], &values[i], sizeof(T));
    else
      words[i] = -1;
  return words;
}

template <class T, int W>
static void test_product(const std::vector<T>& a, const std::vector<T>& b, int n, int k, int m) {
  check::Array<T> da(a), db(b), dc(std::vector<T>(n * m, T(-5)));
  const dim3 blocks((m + W - 1) / W, (n + W - 1) / W), size(W, W);
  product<T, W><<<blocks, size>>>(da.data(), db.data(), dc.data(), n, k, m);
  KERNEL_OK();
  std::vector<T> want(n * m);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      T sum = 0;
      for (int l = 0; l < (k + W - 1) / W * W; ++l)
        sum = l < k ? fused(a[i * k + l], b[l * m + j], sum) : fused(T(0), T(0), sum);
      want[i * m + j] = sum;
    }
  check::equal("product", bits(dc.get()), bits(want));
}

template <class T, int W>
static void test_sizes(check::Random& random) {
  const int sizes[][3] = {{1, 1, 1},   {W, W, W},      {W - 1, W + 1, 2 * W - 1}, {5, 0, 7},
                          {37, 41, 3}, {100, 67, 130}, {2 * W, 3 * W, 5 * W},     {3, 200, 260}};
  for (auto [n, k, m] : sizes) {
    std::vector<T> a(n * k), b(k * m);
    for (auto& x : a) x = static_cast<T>(random.integers<int>(1, -9, 9)[0]);
    for (auto& x : b) x = static_cast<T>(random.integers<int>(1, -9, 9)[0]);
    test_product<T, W>(a, b, n, k, m);
  }
}

/// Sums that are -0.0 until a zero is added; infinities that must not meet zeros.
template <class T>
static void test_special() {
  const T tiny = -std::numeric_limits<T>::denorm_min(), small = T(0.25),
          infinite = std::numeric_limits<T>::infinity();
  for (const int k : {16, 17, 32, 33}) {
    const int n = 19, m = 35;
    std::vector<T> a(n * k, tiny), b(k * m, small);
    test_product<T, 16>(a, b, n, k, m);
    for (int i = 0; i < n * k; i += 7) a[i] = infinite;
    for (int i = 0; i < k * m; i += 11) b[i] = -infinite;
    test_product<T, 16>(a, b, n, k, m);
    for (int i = 0; i < k * m; i += 5) b[i] = T(-0.0);
    test_product<T, 16>(a, b, n, k, m);
  }
}

static void test_others(check::Random& random) {
  for (const int k : {0, 1, 16, 31, 32, 33, 100}) {
    const int n = 21, all = 64;
    const auto a = random.integers<int>(all * 100, -99, 99);
    check::Array<int> da(a), dc(std::vector<int>(all * 64, -5));
    counted<<<2, 32>>>(da.data(), dc.data(), n, k);
    KERNEL_OK();
    unsigned sum = 0, rounds = 0;
    for (int j = 0; j < k; ++j) sum += a[j];
    for (int j = 0; j < (k + 31) / 32 * 32; ++j) rounds = rounds * 3 + 1;
    std::vector<int> want(all * 64, -5);
    for (int i = 0; i < n; ++i) want[i] = static_cast<int>(sum + rounds * 7);
    check::equal("counted", dc.get(), want);

    for (const int tiles : {0, 1, 3}) {
      filled_with_ones<<<2, 32>>>(da.data(), dc.data(), n, k, tiles);
      KERNEL_OK();
      int ones = 0;
      for (int j = 0; j < tiles * 32; ++j) ones += j < k ? a[j] * 3 : 1;
      for (int i = 0; i < n; ++i) want[i] = ones;
      check::equal("filled with ones", dc.get(), want);
    }

    all_store<<<dim3(4, 2), dim3(16, 16)>>>(da.data(), dc.data(), n, k);
    KERNEL_OK();
    for (int row = 0; row < 32; ++row) {
      int of_row = 0;
      for (int j = 0; j < k && row < n; ++j) of_row += a[row * k + j];
      for (int col = 0; col < 64; ++col) want[row * 64 + col] = of_row;
    }
    check::equal("all store", dc.get(), want);

    for (const float weight : {2.0f, -0.0f, std::numeric_limits<float>::infinity()}) {
      std::vector<float> numbers(a.begin(), a.end());
      for (float& x : numbers) x = std::abs(x) + 1;
      check::Array<float> df(numbers), dg(std::vector<float>(2 * 512, -5.0f));
      weighted<<<dim3(2, 2), dim3(16, 16)>>>(df.data(), dg.data(), n, k, weight);
      KERNEL_OK();
      std::vector<float> sums(2 * 512, -5.0f);
      for (int block = 0; block < 2; ++block)
        for (int i = 0; i < n * 16; ++i) {
          float s = 0;
          for (int j = 0; j < (k + 15) / 16 * 16; ++j)
            s = fmaf(j < k ? numbers[i / 16 * k + j] : 0.0f, weight, s);
          sums[block * 512 + i] = s;
        }
      check::equal("weighted", bits(dg.get()), bits(sums));
    }
  }
}

int main() {
  check::Random random(__LINE__);
  test_sizes<float, 16>(random);
  test_sizes<double, 8>(random);
  test_sizes<int, 16>(random);
  test_sizes<float, 32>(random);
  test_special<float>();
  test_special<double>();
  test_others(random);
  return check::finish();
}
