// Products of matrices and the like: threads of a column that load the same in their loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | threads of a column that walk down the same column of a matrix, of any size, in blocks of any shape; triangular, strided, chained and in-place forms
#include "check.h"

#include <algorithm>

template <class Number>
__global__ void product(const Number* a, const Number* b, Number* c, int rows, int columns, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y,
            column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || column >= columns) return;
  Number sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * columns + column];
  c[row * columns + column] = sum;
}

/// The second half of the columns of b, from the last row up; each thread's loop has its own
/// length.
__global__ void triangular(const int* a, const int* b, int* c, int rows, int columns, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y,
            column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || column >= columns) return;
  int sum = 0;
  for (int k = 0; k <= min(row, n - 1); ++k)
    sum += a[row * n + k] * b[(n - 1 - k) * columns + column];
  c[row * columns + column] = sum;
}

/// Two loops, one after the other, the second of which reads what the kernel has just written.
__global__ void chained(const int* a, const int* b, int* kept, int* c, int rows, int columns,
                        int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y,
            column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || column >= columns) return;
  int sum = 0, more = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * columns + column];
  kept[row * columns + column] = sum;
  for (int k = 0; k < n; ++k) {
    // Of its own only; what lies in other rows is b's.
    const int* from = k == row % n ? kept + row * columns : b + k * columns;
    more += a[row * n + k] ^ from[column];
  }
  c[row * columns + column] = more;
}

/// A thread stores into the matrix all read, where no other thread looks: rows of b from n on.
__global__ void own_row(const int* a, int* b, int* c, int rows, int columns, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y,
            column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || column >= columns) return;
  b[(n + row) * columns + column] = a[row * n] + 5;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * columns + column];
  for (int k = 0; k < n; ++k) sum -= b[(n + row) * columns + column] + k;
  c[row * columns + column] = sum;
}

/// One thread a column, and as many rows as it likes: nothing to share.
__global__ void tall(const int* a, const int* b, int* c, int rows, int columns, int n, int step) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y,
            column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || column >= columns) return;
  unsigned sum = 0;
  for (int k = 0; k < n; k += step) {
    if (a[k] < 0) continue;
    sum = sum * 3 + b[k * columns + column] + row;
  }
  c[row * columns + column] = sum;
}

/// Two layers of a block multiply matrices of their own by the same one.
__global__ void layered(const int* a, const int* b, int* c, int rows, int columns, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y,
            column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || column >= columns) return;
  const int mine = threadIdx.z * rows + row;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += a[mine * n + k] * b[k * columns + column];
  c[mine * columns + column] = sum;
}

/// A block multiplies by what it has just written, again and again.
__global__ void powers(const int* a, int* b, int n, int pitch, int rounds) {
  const int row = threadIdx.y, column = threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    int sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * pitch + column];
    __syncthreads();
    b[row * pitch + column] = sum % 100;
    __syncthreads();
  }
}

struct Case {
  dim3 block;
  int rows, columns, n;
};
static const Case cases[] = {
    {{16, 16, 1}, 200, 64, 100}, {{16, 16, 1}, 67, 131, 33},   {{32, 8, 1}, 97, 96, 257},
    {{8, 8, 1}, 400, 33, 64},    {{24, 4, 1}, 50, 100, 40},    {{64, 4, 1}, 33, 200, 19},
    {{5, 7, 1}, 61, 47, 31},     {{1, 1, 1}, 13, 17, 16},      {{32, 32, 1}, 260, 129, 65},
    {{256, 1, 1}, 29, 513, 48},  {{16, 16, 1}, 3, 3, 1},       {{32, 16, 1}, 1, 1000, 20},
    {{4, 64, 1}, 130, 8, 515},   {{16, 16, 1}, 1030, 16, 300}, {{48, 20, 1}, 60, 96, 70},
    {{16, 16, 1}, 800, 208, 40},
};

template <class Number>
static void test_product(const Case& one, check::Random& random, const char* what) {
  const int rows = one.rows, columns = one.columns, n = one.n;
  const dim3 block = one.block;
  // Small integers: sums are exact in any order, with and without fused multiply-add.
  const auto numbers = [&](int count) {
    const auto integers = random.integers<int>(count, -9, 9);
    return std::vector<Number>(integers.begin(), integers.end());
  };
  const auto a = numbers(rows * n), b = numbers(n * columns);
  check::Array<Number> da(a), db(b), dc(std::vector<Number>(rows * columns, Number(-77)));
  const dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  product<<<grid, block>>>(da.data(), db.data(), dc.data(), rows, columns, n);
  KERNEL_OK();
  std::vector<Number> want(rows * columns);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < columns; ++j) want[i * columns + j] += a[i * n + k] * b[k * columns + j];
  check::equal(what, dc.get(), want);
  // The same addresses with other contents.
  const auto other = numbers(n * columns);
  CUDA_OK(cudaMemcpy(db.data(), other.data(), other.size() * sizeof(Number), cudaMemcpyDefault));
  product<<<grid, block>>>(da.data(), db.data(), dc.data(), rows, columns, n);
  KERNEL_OK();
  std::fill(want.begin(), want.end(), Number(0));
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < columns; ++j)
        want[i * columns + j] += a[i * n + k] * other[k * columns + j];
  check::equal(what, dc.get(), want);
}

static void test_others(const Case& one, check::Random& random) {
  const int rows = one.rows, columns = one.columns, n = one.n;
  const dim3 block = one.block;
  const dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  const auto a = random.integers<int>(rows * n, -99, 99),
             b = random.integers<int>((n + rows) * columns, -99, 99);
  const std::vector<int> poison(rows * columns, -77);
  check::Array<int> da(a), db(b), dk(poison), dc(poison);
  std::vector<int> want(rows * columns), kept(rows * columns);
  const auto at = [&](int i, int j) -> int& { return want[i * columns + j]; };

  triangular<<<grid, block>>>(da.data(), db.data(), dc.data(), rows, columns, n);
  KERNEL_OK();
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      at(i, j) = 0;
      for (int k = 0; k <= std::min(i, n - 1); ++k)
        at(i, j) += a[i * n + k] * b[(n - 1 - k) * columns + j];
    }
  check::equal("triangular", dc.get(), want);

  chained<<<grid, block>>>(da.data(), db.data(), dk.data(), dc.data(), rows, columns, n);
  KERNEL_OK();
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      int sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * columns + j];
      kept[i * columns + j] = sum;
      at(i, j) = 0;
      for (int k = 0; k < n; ++k)
        at(i, j) += a[i * n + k] ^ (k == i % n ? sum : b[k * columns + j]);
    }
  check::equal("chained: kept", dk.get(), kept);
  check::equal("chained", dc.get(), want);

  for (int step : {1, 3}) {
    tall<<<grid, block>>>(da.data(), db.data(), dc.data(), rows, columns, n, step);
    KERNEL_OK();
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        unsigned sum = 0;
        for (int k = 0; k < n; k += step)
          if (a[k] >= 0) sum = sum * 3 + b[k * columns + j] + i;
        at(i, j) = static_cast<int>(sum);
      }
    check::equal("tall", dc.get(), want);
  }

  own_row<<<grid, block>>>(da.data(), db.data(), dc.data(), rows, columns, n);
  KERNEL_OK();
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      at(i, j) = 0;
      for (int k = 0; k < n; ++k) at(i, j) += a[i * n + k] * b[k * columns + j];
      for (int k = 0; k < n; ++k) at(i, j) -= a[i * n] + 5 + k;
    }
  check::equal("own row", dc.get(), want);
}

static void test_powers(int n, check::Random& random) {
  const int pitch = 512;
  const auto a = random.integers<int>(n * n, -99, 99);
  auto b = random.integers<int>(n * pitch, -99, 99);
  check::Array<int> da(a), db(b);
  powers<<<1, dim3(n, n)>>>(da.data(), db.data(), n, pitch, 5);
  KERNEL_OK();
  for (int round = 0; round < 5; ++round) {
    auto next = b;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        int sum = 0;
        for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * pitch + j];
        next[i * pitch + j] = sum % 100;
      }
    b = next;
  }
  check::equal("powers", db.get(), b);
}

static void test_layered(dim3 block, check::Random& random) {
  const int rows = 2 * block.y + 1, columns = 2 * block.x, n = 57;
  const auto a = random.integers<int>(2 * rows * n, -99, 99),
             b = random.integers<int>(n * columns, -99, 99);
  check::Array<int> da(a), db(b), dc(std::vector<int>(2 * rows * columns, -77));
  layered<<<dim3(2, 3), block>>>(da.data(), db.data(), dc.data(), rows, columns, n);
  KERNEL_OK();
  std::vector<int> want(2 * rows * columns);
  for (int i = 0; i < 2 * rows; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < columns; ++j) want[i * columns + j] += a[i * n + k] * b[k * columns + j];
  check::equal("layered", dc.get(), want);
}

int main() {
  check::Random random(61);
  for (dim3 block : {dim3(48, 8, 2), dim3(24, 20, 2), dim3(16, 20, 2), dim3(12, 17, 2),
                     dim3(32, 16, 2), dim3(3, 30, 2)})
    test_layered(block, random);
  for (int n : {32, 31, 24, 17, 16}) test_powers(n, random);
  for (const Case& one : cases) {
    test_product<float>(one, random, "float");
    test_product<double>(one, random, "double");
    test_product<int>(one, random, "int");
    test_others(one, random);
  }
  return check::finish();
}
