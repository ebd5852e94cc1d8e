// Tiles in shared memory: halos filled by loops over rows and columns, of any width; sums and other
// numbers that go round a loop with barriers; guards with two ends.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Shared memory | tiles with halos, blocks of any shape
#include "check.h"

#include <algorithm>

namespace {

/// Sums of squares of (2 r + 1) x (2 r + 1) cells, through a tile.
__global__ void window_sums(const int* in, int* out, int n, int r) {
  extern __shared__ int tile[];
  const int width = static_cast<int>(blockDim.x) + 2 * r,
            height = static_cast<int>(blockDim.y) + 2 * r;
  const int left = static_cast<int>(blockIdx.x * blockDim.x),
            top = static_cast<int>(blockIdx.y * blockDim.y);
  for (int y = static_cast<int>(threadIdx.y); y < height; y += static_cast<int>(blockDim.y))
    for (int x = static_cast<int>(threadIdx.x); x < width; x += static_cast<int>(blockDim.x))
      tile[y * width + x] =
          in[min(max(top + y - r, 0), n - 1) * n + min(max(left + x - r, 0), n - 1)];
  __syncthreads();
  const int x = left + static_cast<int>(threadIdx.x), y = top + static_cast<int>(threadIdx.y);
  if (x >= n || y >= n) return;
  int sum = 0;
  for (int dy = 0; dy <= 2 * r; ++dy)
    for (int dx = 0; dx <= 2 * r; ++dx) {
      const int cell =
          tile[(static_cast<int>(threadIdx.y) + dy) * width + static_cast<int>(threadIdx.x) + dx];
      sum += cell * cell;
    }
  out[y * n + x] = sum;
}

/// Each row's first `some` columns are set more than once, the others never.
__global__ void narrow(int* out, int rows, int some) {
  const int t = static_cast<int>(threadIdx.x), dim = static_cast<int>(blockDim.x);
  for (int row = 0; row < rows; ++row) {
    out[row * 64 + 63] = row;
    for (int x = t; x < some; x += dim) out[row * 64 + x] += x * 3 + row + 1;
  }
}

template <int T>
__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float as[T][T], bs[T][T];
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y),
            row = static_cast<int>(blockIdx.y) * T + ty,
            col = static_cast<int>(blockIdx.x) * T + tx;
  float sum = 0;
  for (int m = 0; m < (n + T - 1) / T; ++m) {
    as[ty][tx] = row < n && m * T + tx < n ? a[row * n + m * T + tx] : 0;
    bs[ty][tx] = m * T + ty < n && col < n ? b[(m * T + ty) * n + col] : 0;
    __syncthreads();
    for (int k = 0; k < T; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}

/// The new number is there, and the old one is wanted still; rounds that are left out.
__global__ void rounds(int* out, int count, int skipped) {
  __shared__ int s[1024];
  const int t = static_cast<int>(threadIdx.x + blockDim.x * threadIdx.y),
            all = static_cast<int>(blockDim.x * blockDim.y);
  int sum = t, other = 1, last = -1;
  for (int k = 0; k < count; ++k) {
    if (k == skipped) continue;
    s[t] = sum;
    __syncthreads();
    const int fresh = sum + s[(t + 1) % all] + k;
    __syncthreads();
    s[t] = other;
    __syncthreads();
    last = sum ^ s[(t + 2) % all];
    other = sum - fresh;
    sum = fresh;
    __syncthreads();
  }
  out[t] = sum * 5 + other * 3 + last;
}

/// Threads of a diagonal.
__global__ void diagonals(int* out, int n) {
  __shared__ int s[33][33];
  const int t = static_cast<int>(threadIdx.x);
  for (int y = 0; y <= n; ++y) s[y][t] = y == 0 ? t : y;
  if (t == 0) s[0][n] = n;
  __syncthreads();
  for (int step = 0; step < 2 * n - 1; ++step) {
    const int y = step - t;
    if (y >= 0 && y < n && t < n)
      s[y + 1][t + 1] = max(s[y][t] * 3 % 101, max(s[y][t + 1], s[y + 1][t]) - 1);
    __syncthreads();
  }
  for (int y = 0; y < n; ++y)
    if (t < n) out[y * n + t] = s[y + 1][t + 1];
}

/// Guards with two ends, some of which wrap.
template <class Number>
__global__ void windows(int* out, Number base) {
  __shared__ int s[1024];
  const int t = static_cast<int>(threadIdx.x), dim = static_cast<int>(blockDim.x);
  s[t] = t;
  __syncthreads();
  const Number down = base - static_cast<Number>(threadIdx.x);
  if (down < 32) out[t] += s[dim - 1 - t] + static_cast<int>(down);
  __syncthreads();
  const Number up = base + static_cast<Number>(threadIdx.x);
  if (up < 5) out[t] += 1000 * s[dim - 1 - t] + static_cast<int>(up);
  __syncthreads();
  if (t >= 1 && t < 15) out[t] += 5000 * s[t - 1];
  __syncthreads();
  if (t > 2 && t <= 20 && out[t] > 0) out[t + dim] = t;
}

/// A tile that becomes smaller in each step.
__global__ void shrinking(int* out, int steps) {
  __shared__ int s[2][16][16];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  s[0][y][x] = s[1][y][x] = x * y + x;
  __syncthreads();
  for (int i = 0; i < steps; ++i) {
    if (x >= i + 1 && x <= 16 - i - 2 && y >= i + 1 && y <= 16 - i - 2)
      s[1][y][x] = s[0][y][x - 1] + s[0][y][x + 1] + s[0][y - 1][x] + s[0][y + 1][x];
    __syncthreads();
    if (x >= 1 && x < 15) s[0][y][x] = s[1][y][x];
    __syncthreads();
  }
  out[y * 16 + x] = s[0][y][x];
}

template <class Number>
void test_windows(int threads, Number base) {
  std::vector<int> want(2 * threads, 0);
  check::Array<int> out(want);
  windows<Number><<<1, threads>>>(out.data(), base);
  for (int t = 0; t < threads; ++t) {
    const Number down = base - static_cast<Number>(t), up = base + static_cast<Number>(t);
    if (down < 32) want[t] += threads - 1 - t + static_cast<int>(down);
    if (up < 5) want[t] += 1000 * (threads - 1 - t) + static_cast<int>(up);
    if (t >= 1 && t < 15) want[t] += 5000 * (t - 1);
    if (t > 2 && t <= 20 && want[t] > 0) want[t + threads] = t;
  }
  check::equal("windows", out.get(), want);
}

void test_shrinking(int steps) {
  check::Array<int> out(256);
  shrinking<<<1, dim3(16, 16)>>>(out.data(), steps);
  std::vector<int> now(256), want(256);
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 16; ++x) now[y * 16 + x] = want[y * 16 + x] = x * y + x;
  for (int i = 0; i < steps; ++i) {
    for (int y = i + 1; y <= 14 - i; ++y)
      for (int x = i + 1; x <= 14 - i; ++x)
        now[y * 16 + x] = want[y * 16 + x - 1] + want[y * 16 + x + 1] + want[(y - 1) * 16 + x] +
                          want[(y + 1) * 16 + x];
    want = now;
  }
  check::equal("shrinking", out.get(), want);
}

void test_window(const dim3& block, int n, int r) {
  std::vector<int> cells(n * n), want(n * n, 0);
  for (int i = 0; i < n * n; ++i) cells[i] = (i * 7919) % 23 - 11;
  check::Array<int> in(cells), out(n * n);
  const dim3 grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);
  window_sums<<<grid, block, (block.x + 2 * r) * (block.y + 2 * r) * sizeof(int)>>>(
      in.data(), out.data(), n, r);
  KERNEL_OK();
  auto clamp = [&](int i) { return std::min(std::max(i, 0), n - 1); };
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      for (int dy = -r; dy <= r; ++dy)
        for (int dx = -r; dx <= r; ++dx) {
          const int cell = cells[clamp(y + dy) * n + clamp(x + dx)];
          want[y * n + x] += cell * cell;
        }
  check::equal("window_sums", out.get(), want);
}

void test_narrow(int threads, int some) {
  check::Array<int> out(std::vector<int>(5 * 64, 7));
  narrow<<<1, threads>>>(out.data(), 5, some);
  KERNEL_OK();
  std::vector<int> want(5 * 64, 7);
  for (int row = 0; row < 5; ++row) {
    want[row * 64 + 63] = row;
    for (int x = 0; x < some; ++x) want[row * 64 + x] += x * 3 + row + 1;
  }
  check::equal("narrow", out.get(), want);
}

template <int T>
void test_product(int n) {
  std::vector<float> left(n * n), right(n * n), want(n * n, 0.0f);
  for (int i = 0; i < n * n; ++i) left[i] = static_cast<float>(i % 7 - 3);
  for (int i = 0; i < n * n; ++i) right[i] = static_cast<float>(i % 5 - 2);
  check::Array<float> a(left), b(right), c(n * n);
  const int blocks = (n + T - 1) / T;
  product<T><<<dim3(blocks, blocks), dim3(T, T)>>>(a.data(), b.data(), c.data(), n);
  KERNEL_OK();
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      for (int k = 0; k < n; ++k) want[y * n + x] += left[y * n + k] * right[k * n + x];
  check::equal("product", c.get(), want);
}

void test_rounds(const dim3& block, int count, int skipped) {
  const int all = static_cast<int>(block.x * block.y);
  check::Array<int> out(all);
  rounds<<<1, block>>>(out.data(), count, skipped);
  KERNEL_OK();
  std::vector<int> sum(all), other(all, 1), last(all, -1), want(all);
  for (int t = 0; t < all; ++t) sum[t] = t;
  for (int k = 0; k < count; ++k) {
    if (k == skipped) continue;
    std::vector<int> fresh(all);
    for (int t = 0; t < all; ++t) fresh[t] = sum[t] + sum[(t + 1) % all] + k;
    for (int t = 0; t < all; ++t) last[t] = sum[t] ^ other[(t + 2) % all];
    for (int t = 0; t < all; ++t) other[t] = sum[t] - fresh[t];
    sum = fresh;
  }
  for (int t = 0; t < all; ++t) want[t] = sum[t] * 5 + other[t] * 3 + last[t];
  check::equal("rounds", out.get(), want);
}

void test_diagonals(int threads, int n) {
  check::Array<int> out(n * n);
  diagonals<<<1, threads>>>(out.data(), n);
  KERNEL_OK();
  std::vector<std::vector<int>> s(n + 1, std::vector<int>(n + 1));
  std::vector<int> want(n * n);
  for (int y = 0; y <= n; ++y)
    for (int x = 0; x <= n; ++x) s[y][x] = y == 0 ? x : y;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      want[y * n + x] = s[y + 1][x + 1] =
          std::max(s[y][x] * 3 % 101, std::max(s[y][x + 1], s[y + 1][x]) - 1);
  check::equal("diagonals", out.get(), want);
}

}  // namespace

int main() {
  for (const dim3 block : {dim3(32, 8), dim3(16, 16), dim3(8, 8), dim3(5, 3), dim3(33, 4),
                           dim3(40, 2), dim3(64, 1), dim3(20, 5)})
    for (int r : {0, 1, 2, 5}) {
      test_window(block, 70, r);
      test_window(block, 3, r);
    }
  for (int threads : {1, 4, 8, 13, 16, 32, 50, 64})
    for (int some : {0, 1, 3, 8, 15, 16, 31, 32, 36, 63}) test_narrow(threads, some);
  for (int n : {1, 16, 33, 64}) {
    test_product<16>(n);
    test_product<8>(n);
    test_product<7>(n);
    test_product<32>(n);
  }
  for (const dim3 block : {dim3(1), dim3(7), dim3(32, 8), dim3(16, 16), dim3(256), dim3(12, 5)})
    for (int count : {0, 1, 2, 6}) {
      test_rounds(block, count, count / 2 + 1);
      test_rounds(block, count, 0);
    }
  for (int n : {1, 2, 8, 31, 32}) {
    test_diagonals(n, n);
    test_diagonals(32, n);
  }
  for (int threads : {1, 7, 16, 32, 50, 256})
    for (unsigned base : {0u, 5u, 31u, 40u, 300u, 0u - 1, 0u - 10, 0u - 40, 1u << 31,
                          (1u << 31) + 9, (1u << 31) - 3}) {
      test_windows<unsigned>(threads, base);
      test_windows<unsigned long long>(threads, base);
      test_windows<unsigned long long>(threads, 0ull - base);
      test_windows<unsigned long long>(threads, (1ull << 63) - base);
    }
  for (int steps : {0, 1, 3, 7, 8}) test_shrinking(steps);
  return check::finish();
}
