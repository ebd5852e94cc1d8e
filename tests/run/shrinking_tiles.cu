// Tiles that shrink with each step between barriers: threads are in a range with several ends, and
// flags remember who was. Ranges beyond the block, empty ones, and ends far away.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Shared memory | flags kept across barriers, guards with several ends
#include "check.h"

#include <algorithm>
#include <climits>

namespace {

template <int size>
__global__ void smooth(const int* in, int* out, int rows, int cols, int steps) {
  __shared__ int now[size][size], next[size][size];
  const int tx = threadIdx.x, ty = threadIdx.y, inner = size - 2 * steps;
  const int top = inner * static_cast<int>(blockIdx.y) - steps;
  const int left = inner * static_cast<int>(blockIdx.x) - steps;
  const int y = top + ty, x = left + tx;
  if (y >= 0 && y < rows && x >= 0 && x < cols) now[ty][tx] = in[y * cols + x];
  __syncthreads();
  const int min_y = top < 0 ? -top : 0, min_x = left < 0 ? -left : 0;
  const int max_y = top + size > rows ? rows - 1 - top : size - 1;
  const int max_x = left + size > cols ? cols - 1 - left : size - 1;
  const int up = max(ty - 1, min_y), down = min(ty + 1, max_y);
  const int west = max(tx - 1, min_x), east = min(tx + 1, max_x);
  bool computed = false;
  for (int i = 0; i < steps; ++i) {
    computed = false;
    if (tx >= i + 1 && tx <= size - i - 2 && ty >= i + 1 && ty <= size - i - 2 && tx >= min_x &&
        tx <= max_x && ty >= min_y && ty <= max_y) {
      computed = true;
      next[ty][tx] =
          3 * now[ty][tx] + now[up][tx] - now[down][tx] + 2 * now[ty][west] - 5 * now[ty][east];
    }
    __syncthreads();
    if (i == steps - 1) break;
    if (computed) now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (computed) out[y * cols + x] = next[ty][tx];
}

std::vector<int> smoothed(std::vector<int> now, int rows, int cols, int steps) {
  for (int step = 0; step < steps; ++step) {
    std::vector<int> next(now.size());
    auto at = [&](int y, int x) {
      return now[std::clamp(y, 0, rows - 1) * cols + std::clamp(x, 0, cols - 1)];
    };
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < cols; ++x)
        next[y * cols + x] =
            3 * at(y, x) + at(y - 1, x) - at(y + 1, x) + 2 * at(y, x - 1) - 5 * at(y, x + 1);
    now = next;
  }
  return now;
}

template <int size>
void test_smooth(int rows, int cols, int steps) {
  const auto in = check::Random(3).integers<int>(static_cast<std::size_t>(rows * cols), -9, 9);
  check::Array<int> from(in), to(std::vector<int>(in.size(), -1));
  const int inner = size - 2 * steps;
  const dim3 grid((cols + inner - 1) / inner, (rows + inner - 1) / inner);
  smooth<size><<<grid, dim3(size, size)>>>(from.data(), to.data(), rows, cols, steps);
  check::equal("smooth", to.get(), smoothed(in, rows, cols, steps));
}

/// Threads in the range of all these ends count, twice, around a barrier.
__global__ void ranges(int* out, int low, int high, unsigned above, long long far, int margin) {
  const int t = threadIdx.x;
  bool mine = false;
  if (threadIdx.x > above) {
    if (t >= low && t <= high && margin - t > 2 && static_cast<long long>(t) < far && t != 0) {
      mine = true;
      out[blockIdx.x * blockDim.x + t] += 1;
    }
  }
  __syncthreads();
  if (mine) out[blockIdx.x * blockDim.x + t] += 10 * t;
}

void test_ranges(unsigned threads, int low, int high, unsigned above, long long far, int margin) {
  constexpr unsigned blocks = 2;
  check::Array<int> out(std::vector<int>(threads * blocks, 7));
  ranges<<<blocks, threads>>>(out.data(), low, high, above, far, margin);
  std::vector<int> want;
  for (unsigned i = 0; i < threads * blocks; ++i) {
    const int t = static_cast<int>(i % threads);
    const bool mine = i % threads > above && t >= low && t <= high &&
                      static_cast<long long>(margin) - t > 2 && t < far && t != 0;
    want.push_back(mine ? 8 + 10 * t : 7);
  }
  check::equal("ranges", out.get(), want);
}

}  // namespace

int main() {
  for (int steps : {1, 2, 3}) {
    test_smooth<16>(37, 53, steps);
    test_smooth<16>(16, 16, steps);
    test_smooth<8>(5, 61, steps);
    test_smooth<32>(70, 29, steps);
    test_smooth<13>(31, 40, steps);
    test_smooth<16>(1, 3, steps);
  }
  for (unsigned threads : {1u, 7u, 32u, 61u, 96u, 256u})
    for (int low : {INT_MIN, -3, 0, 5, 300})
      for (int high : {INT_MAX, 59, 4, -1})
        for (unsigned above : {0u, 3u, UINT_MAX, 200u}) {
          test_ranges(threads, low, high, above, LLONG_MAX, 1000);
          test_ranges(threads, low, high, above, 44, INT_MAX);
          test_ranges(threads, low, high, above, LLONG_MIN, 70);
          test_ranges(threads, low, high, above, 1LL << 33, 40);
        }
  return check::finish();
}
