// Products of matrices with a tile of sums for each thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles whose columns are neighbours, as far apart as threads, in structures, of doubles; with and
// without shared memory; with threads that leave early, sums that some threads skip, and sums that
// are looked at between barriers.
// FEATURE: Barriers | tiles of sums of each thread's own, kept across barriers
#include "check.h"

namespace {

enum class Columns { neighbours, apart };

/// C += A * B, of m x k and k x n, one tile of TM x TN a thread; blocks cover BM x BN.
template <class T, int BM, int BN, int BK, int TM, int TN, Columns columns>
__global__ void product(const T* a, const T* b, T* c, int m, int n, int k) {
  constexpr int across = BN / TN, threads = (BM / TM) * across;
  __shared__ T as[BM * BK], bs[BK * BN];
  const int t = threadIdx.x, column = t % across, row = t / across;
  const int first_row = blockIdx.y * BM, first_column = blockIdx.x * BN;
  auto own_column = [&](int j) {
    return columns == Columns::neighbours ? column * TN + j : j * across + column;
  };
  T sums[TM * TN] = {}, left[TM] = {}, right[TN] = {};
  for (int begin = 0; begin < k; begin += BK) {
    for (int i = t; i < BM * BK; i += threads) {
      const int y = first_row + i / BK, x = begin + i % BK;
      as[i] = y < m && x < k ? a[y * k + x] : T(0);
    }
    for (int i = t; i < BK * BN; i += threads) {
      const int y = begin + i / BN, x = first_column + i % BN;
      bs[i] = y < k && x < n ? b[y * n + x] : T(0);
    }
    __syncthreads();
    for (int d = 0; d < BK; ++d) {
      for (int i = 0; i < TM; ++i) left[i] = as[(row * TM + i) * BK + d];
      for (int j = 0; j < TN; ++j) right[j] = bs[d * BN + own_column(j)];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) sums[i * TN + j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j) {
      const int y = first_row + row * TM + i, x = first_column + own_column(j);
      if (y < m && x < n) c[y * n + x] += sums[i * TN + j];
    }
}

/// The same without shared memory or barriers, by tiles of 4 x 4. Threads beyond leave at once.
__global__ void product_alone(const float* a, const float* b, float* c, int m, int n, int k) {
  const int y = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
  const int x = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (y + 4 > m || x + 4 > n) return;
  float sums[4][4] = {};
  for (int d = 0; d < k; ++d)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) sums[i][j] += a[(y + i) * k + d] * b[d * n + x + j];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) c[(y + i) * n + x + j] += sums[i][j];
}

/// Rows of A times rows of B, four numbers at a time; sums are members of structures. Each thread
/// begins its round of the tile elsewhere.
__global__ void product_of_rows(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[64][32], bs[64][32];
  const int t = threadIdx.y * 8 + threadIdx.x;
  const int first_row = blockIdx.y * 64, first_column = blockIdx.x * 64;
  float4 sums[8][2] = {};
  for (int begin = 0; begin < k; begin += 32) {
    for (int i = t; i < 64 * 8; i += 64) {
      const int y = i / 8, x = i % 8 * 4;
      for (int part = 0; part < 4; ++part) {
        const bool inside = begin + x + part < k;
        const int row = first_row + y, column = first_column + y;
        as[y][x + part] = inside && row < m ? a[row * k + begin + x + part] : 0.0f;
        bs[y][x + part] = inside && column < n ? b[column * k + begin + x + part] : 0.0f;
      }
    }
    __syncthreads();
    for (int step = 0; step < 8; ++step) {
      const int at = (step + threadIdx.x) % 8 * 4;
      float4 right[8];
      for (int j = 0; j < 8; ++j)
        right[j] = *reinterpret_cast<const float4*>(&bs[threadIdx.x * 8 + j][at]);
      for (int i = 0; i < 8; ++i) {
        const float4 left = *reinterpret_cast<const float4*>(&as[threadIdx.y * 8 + i][at]);
        float* row = &sums[i][0].x;
        for (int j = 0; j < 8; ++j) {
          row[j] += left.x * right[j].x;
          row[j] += left.y * right[j].y;
          row[j] += left.z * right[j].z;
          row[j] += left.w * right[j].w;
        }
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      const int y = first_row + threadIdx.y * 8 + i, x = first_column + threadIdx.x * 8 + j;
      const float4& four = sums[i][j / 4];
      const float sum = j % 4 == 0 ? four.x : j % 4 == 1 ? four.y : j % 4 == 2 ? four.z : four.w;
      if (y < m && x < n) c[y * n + x] += sum;
    }
}

/// Sums of windows that only threads with work take part in; after each turn neighbours exchange an
/// element of their tiles.
__global__ void exchanged(const float* in, float* out, int turns, int active) {
  __shared__ float passed[128];
  const int t = threadIdx.x;
  float sums[16];
  for (int i = 0; i < 16; ++i) sums[i] = static_cast<float>(i + t);
  for (int turn = 0; turn < turns; ++turn) {
    if (t < active)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sums[i * 4 + j] += in[turn * 512 + t * 4 + i] * in[turn * 512 + (127 - t) * 4 + j];
    passed[t] = sums[turn % 16];
    __syncthreads();
    sums[(turn + 5) % 16] += passed[(t + 1) % 128];
    __syncthreads();
  }
  for (int i = 0; i < 16; ++i) out[t * 16 + i] = sums[i];
}

template <class T>
std::vector<T> wanted(const std::vector<T>& a, const std::vector<T>& b, std::vector<T> c, int m,
                      int n, int k, bool rows = false) {
  for (int y = 0; y < m; ++y)
    for (int x = 0; x < n; ++x)
      for (int d = 0; d < k; ++d)
        c[y * n + x] += a[y * k + d] * (rows ? b[x * k + d] : b[d * n + x]);
  return c;
}

/// `launch(a, b, c)`
template <class T, class Launch>
void test(const char* name, int m, int n, int k, bool rows, Launch launch) {
  check::Random random(m * 31 + n * 7 + k);
  const auto whole = [&](int count) {
    const auto numbers = random.integers<int>(count, -9, 9);
    return std::vector<T>(numbers.begin(), numbers.end());
  };
  const std::vector<T> a = whole(m * k), b = whole(k * n), c = whole(m * n);
  check::Array<T> da(a), db(b), dc(c);
  launch(da.data(), db.data(), dc.data());
  KERNEL_OK();
  check::equal(name, dc.get(), wanted(a, b, c, m, n, k, rows));
}

constexpr int blocks(int size, int block) { return (size + block - 1) / block; }

template <class T, int BM, int BN, int BK, int TM, int TN, Columns columns>
void test_product(const char* name, int m, int n, int k) {
  test<T>(name, m, n, k, false, [&](const T* a, const T* b, T* c) {
    product<T, BM, BN, BK, TM, TN, columns>
        <<<dim3(blocks(n, BN), blocks(m, BM)), (BM / TM) * (BN / TN)>>>(a, b, c, m, n, k);
  });
}

void test_exchanged(int turns, int active) {
  const auto numbers = check::Random(turns).integers<int>(turns * 512, -3, 3);
  const std::vector<float> in(numbers.begin(), numbers.end());
  check::Array<float> from(in), to(128 * 16);
  exchanged<<<1, 128>>>(from.data(), to.data(), turns, active);
  KERNEL_OK();
  std::vector<float> want(128 * 16);
  for (int t = 0; t < 128; ++t)
    for (int i = 0; i < 16; ++i) want[t * 16 + i] = static_cast<float>(i + t);
  for (int turn = 0; turn < turns; ++turn) {
    for (int t = 0; t < active; ++t)
      for (int i = 0; i < 16; ++i)
        want[t * 16 + i] += in[turn * 512 + t * 4 + i / 4] * in[turn * 512 + (127 - t) * 4 + i % 4];
    std::vector<float> passed(128);
    for (int t = 0; t < 128; ++t) passed[t] = want[t * 16 + turn % 16];
    for (int t = 0; t < 128; ++t) want[t * 16 + (turn + 5) % 16] += passed[(t + 1) % 128];
  }
  check::equal("exchanged", to.get(), want);
}

}  // namespace

int main() {
  test_product<float, 64, 64, 8, 8, 8, Columns::neighbours>("neighbours", 128, 64, 64);
  test_product<float, 64, 64, 8, 8, 8, Columns::neighbours>("neighbours", 67, 131, 29);
  test_product<float, 32, 64, 5, 4, 8, Columns::neighbours>("of 5 rows", 33, 65, 31);
  test_product<float, 64, 64, 8, 8, 8, Columns::apart>("apart", 67, 131, 29);
  test_product<float, 32, 48, 8, 4, 6, Columns::apart>("apart, of 6", 37, 101, 17);
  test_product<double, 32, 32, 8, 4, 4, Columns::neighbours>("double", 45, 77, 23);
  test_product<double, 32, 32, 8, 4, 4, Columns::apart>("double, apart", 45, 77, 23);
  test<float>("alone", 64, 36, 19, false, [](const float* a, const float* b, float* c) {
    product_alone<<<dim3(2, 2), dim3(8, 16)>>>(a, b, c, 64, 36, 19);
  });
  test<float>("rows", 70, 129, 45, true, [](const float* a, const float* b, float* c) {
    product_of_rows<<<dim3(blocks(129, 64), blocks(70, 64)), dim3(8, 8)>>>(a, b, c, 70, 129, 45);
  });
  test_exchanged(7, 128);
  test_exchanged(40, 93);
  return check::finish();
}
