// Numbers of threads divided and masked by powers of two: what is the same for neighbours, and what
// is not, in vectors of any length.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | threads told apart by parts of their number (threadIdx.x / 16, threadIdx.x & 16)
#include "check.h"

/// Rows that share what they load, with a number for each 16 columns.
__global__ void rows(const int* a, const int* b, const int* s, int* c, int n, int pitch) {
  __shared__ int one[4];
  const int x = threadIdx.x, y = threadIdx.y;
  if (x < 4 && y == 0) one[x] = 1;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * pitch + x];
  c[y * pitch + x] = sum + s[x / 16] * one[0] + s[(x >> 4) & 1] + s[(x & 48) >> 4];
}

/// Short loops, for vectors of several registers.
__global__ void turns(const int* a, int* c, int n) {
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += a[i] * int(threadIdx.x / 16 + 1) + a[threadIdx.x & 16];
  c[threadIdx.x] = sum;
}

/// Branches on them.
__global__ void ways(const int* a, int* c) {
  const int x = threadIdx.x / 16, y = threadIdx.x % 16, z = threadIdx.x / 32;
  if (x % 2 == 1)
    c[threadIdx.x] = a[x * 100 + y] + z;
  else
    c[threadIdx.x] = a[x] - y;
  if (threadIdx.x / 8 % 2 == 1) c[threadIdx.x] += 7;
}

int main() {
  check::Random random(3);
  for (int height : {1, 4, 8, 12, 16})
    for (int width : {16, 32, 48, 61, 64}) {
      const int n = 40, pitch = 512;
      const auto a = random.integers<int>(height * n, -9, 9);
      const auto b = random.integers<int>(n * pitch, -9, 9), s = random.integers<int>(8, 0, 1000);
      check::Array<int> da(a), db(b), ds(s), dc(std::vector<int>(height * pitch, -1));
      rows<<<1, dim3(width, height)>>>(da.data(), db.data(), ds.data(), dc.data(), n, pitch);
      std::vector<int> want(height * pitch, -1);
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          int sum = 0;
          for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * pitch + x];
          want[y * pitch + x] = sum + s[x / 16] + s[x / 16 & 1] + s[(x & 48) >> 4];
        }
      check::equal("rows", dc.get(), want);
    }
  for (int threads : {32, 64, 96, 100, 256}) {
    const int n = 1000;
    const auto a = random.integers<int>(4000, -99, 99);
    check::Array<int> da(a), sums(std::vector<int>(threads, -1)),
        out(std::vector<int>(threads, -1));
    turns<<<1, threads>>>(da.data(), sums.data(), n);
    ways<<<1, threads>>>(da.data(), out.data());
    std::vector<int> want_sums(threads), want(threads);
    for (int t = 0; t < threads; ++t) {
      for (int i = t; i < n; i += threads) want_sums[t] += a[i] * (t / 16 + 1) + a[t & 16];
      const int x = t / 16, y = t % 16;
      want[t] = (x % 2 == 1 ? a[x * 100 + y] + t / 32 : a[x] - y) + (t / 8 % 2 == 1 ? 7 : 0);
    }
    check::equal("turns", sums.get(), want_sums);
    check::equal("ways", out.get(), want);
  }
  return check::finish();
}
