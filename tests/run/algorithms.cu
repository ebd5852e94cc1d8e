// Textbook kernels that combine the features.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Programs | tiled matrix product, bitonic sort, work-efficient scan, sliding-window stencil, all with ragged edges
#include "check.h"

#include <algorithm>

template <int Tile>
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float ta[Tile][Tile], tb[Tile][Tile];
  const int row = blockIdx.y * Tile + threadIdx.y, col = blockIdx.x * Tile + threadIdx.x;
  float sum = 0;
  for (int p = 0; p < (k + Tile - 1) / Tile; ++p) {
    const int ak = p * Tile + threadIdx.x, bk = p * Tile + threadIdx.y;
    ta[threadIdx.y][threadIdx.x] = row < m && ak < k ? a[row * k + ak] : 0;
    tb[threadIdx.y][threadIdx.x] = bk < k && col < n ? b[bk * n + col] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Tile; ++i) sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

__global__ void bitonic(int* data, int n) {
  extern __shared__ int cells[];
  const int t = threadIdx.x;
  for (int i = t; i < n; i += blockDim.x) cells[i] = data[blockIdx.x * n + i];
  __syncthreads();
  for (int size = 2; size <= n; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      for (int i = t; i < n; i += blockDim.x) {
        const int j = i ^ stride;
        if (j > i) {
          const bool up = (i & size) == 0;
          if ((cells[i] > cells[j]) == up) {
            const int x = cells[i];
            cells[i] = cells[j];
            cells[j] = x;
          }
        }
      }
      __syncthreads();
    }
  for (int i = t; i < n; i += blockDim.x) data[blockIdx.x * n + i] = cells[i];
}

// Blelloch's exclusive scan over 2 * blockDim.x elements.
__global__ void scan(const int* in, int* out, int* sums, int total) {
  extern __shared__ int cells[];
  const int t = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n;
  cells[2 * t] = base + 2 * t < total ? in[base + 2 * t] : 0;
  cells[2 * t + 1] = base + 2 * t + 1 < total ? in[base + 2 * t + 1] : 0;
  int offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) cells[offset * (2 * t + 2) - 1] += cells[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) {
    if (sums) sums[blockIdx.x] = cells[n - 1];
    cells[n - 1] = 0;
  }
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int i = offset * (2 * t + 1) - 1, j = offset * (2 * t + 2) - 1;
      const int x = cells[i];
      cells[i] = cells[j];
      cells[j] += x;
    }
  }
  __syncthreads();
  if (base + 2 * t < total) out[base + 2 * t] = cells[2 * t];
  if (base + 2 * t + 1 < total) out[base + 2 * t + 1] = cells[2 * t + 1];
}
__global__ void add_sums(int* out, const int* sums, int chunk, int total) {
  const int i = check::global_index();
  if (i < total) out[i] += sums[i / chunk];
}

// 2-D stencil with a halo loaded by the edge threads.
__global__ void stencil(const int* in, int* out, int width, int height) {
  __shared__ int tile[10][34];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  const auto at = [&](int cx, int cy) {
    cx = max(0, min(width - 1, cx));
    cy = max(0, min(height - 1, cy));
    return in[cy * width + cx];
  };
  tile[ly][lx] = at(x, y);
  if (threadIdx.x == 0) tile[ly][0] = at(x - 1, y);
  if (threadIdx.x == 31) tile[ly][33] = at(x + 1, y);
  if (threadIdx.y == 0) tile[0][lx] = at(x, y - 1);
  if (threadIdx.y == 7) tile[9][lx] = at(x, y + 1);
  __syncthreads();
  if (x >= width || y >= height) return;
  out[y * width + x] =
      4 * tile[ly][lx] - tile[ly][lx - 1] - tile[ly][lx + 1] - tile[ly - 1][lx] - tile[ly + 1][lx];
}

template <int Tile>
void test_matmul(int m, int n, int k) {
  check::Random random(m);
  const auto a = random.integers<float>(m * k, -9, 9), b = random.integers<float>(k * n, -9, 9);
  check::Array<float> da(a), db(b), dc(m * n);
  matmul<Tile><<<dim3((n + Tile - 1) / Tile, (m + Tile - 1) / Tile), dim3(Tile, Tile)>>>(
      da.data(), db.data(), dc.data(), m, n, k);
  std::vector<float> want(m * n, 0);
  for (int i = 0; i < m; ++i)
    for (int p = 0; p < k; ++p)
      for (int j = 0; j < n; ++j) want[i * n + j] += a[i * k + p] * b[p * n + j];
  check::equal("matmul", dc.get(), want);
}

int main() {
  test_matmul<16>(1, 1, 1);
  test_matmul<16>(37, 53, 41);
  test_matmul<32>(64, 33, 100);
  test_matmul<7>(50, 50, 50);
  check::Random random(139);
  for (int n : {1, 2, 64, 2048})
    for (int threads : {33, 1024}) {
      auto data = random.integers<int>(3 * n, -1000, 1000);
      check::Array<int> device(data);
      bitonic<<<3, threads, n * sizeof(int)>>>(device.data(), n);
      for (int b = 0; b < 3; ++b) std::sort(data.begin() + b * n, data.begin() + (b + 1) * n);
      check::equal("bitonic", device.get(), data);
    }
  for (int total : {1, 1009, 20011})
    for (int threads : {1, 64, 512}) {
      const auto in = random.integers<int>(total, -100, 100);
      const int chunk = 2 * threads, blocks = (total + chunk - 1) / chunk;
      check::Array<int> source(in), out(total), sums(blocks);
      scan<<<blocks, threads, chunk * sizeof(int)>>>(source.data(), out.data(), sums.data(), total);
      auto host_sums = sums.get();
      int running = 0;
      for (int& s : host_sums) {
        const int next = running + s;
        s = running;
        running = next;
      }
      check::Array<int> scanned(host_sums);
      add_sums<<<(total + 256) / 257, 257>>>(out.data(), scanned.data(), chunk, total);
      std::vector<int> want(total, 0);
      for (int i = 1; i < total; ++i) want[i] = want[i - 1] + in[i - 1];
      check::equal("scan", out.get(), want);
    }
  for (int width : {1, 31, 100})
    for (int height : {1, 19}) {
      const auto in = random.integers<int>(width * height, -1000, 1000);
      check::Array<int> source(in), out(width * height);
      stencil<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(source.data(), out.data(),
                                                                          width, height);
      std::vector<int> want(width * height);
      const auto at = [&](int x, int y) {
        return in[std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1)];
      };
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
          want[y * width + x] =
              4 * at(x, y) - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1);
      check::equal("stencil", out.get(), want);
    }
  return check::finish();
}
