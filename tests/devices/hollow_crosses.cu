// Stencils of the neighbours without the point itself: parts that are one point wide or high read
// boxes with a hole between them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void cross(const int* in, int* out, int width, int height) {
  const int x = global_x() + 1, y = global_y() + 1;
  if (x >= width - 1 || y >= height - 1) return;
  const int* const c = in + y * width + x;
  out[y * width + x] = c[-1] + 3 * c[1] + 5 * c[-width] + 7 * c[width];
}

// Two points away, too.
__global__ void far_cross(const int* in, int* out, int width, int height) {
  const int x = global_x() + 2, y = global_y() + 2;
  if (x >= width - 2 || y >= height - 2) return;
  const int* const c = in + y * width + x;
  out[y * width + x] = c[-2] + 3 * c[2] + 5 * c[-2 * width] + 7 * c[2 * width];
}

__global__ void star(const int* in, int* out, int n, int planes) {
  const int x = global_x() + 1, y = global_y() + 1;
  const int z = blockIdx.z * blockDim.z + threadIdx.z + 1;
  if (x >= n - 1 || y >= n - 1 || z >= planes - 1) return;
  const int* const c = in + (z * n + y) * n + x;
  out[(z * n + y) * n + x] =
      c[-1] + 3 * c[1] + 5 * c[-n] + 7 * c[n] + 9 * c[-n * n] + 11 * c[n * n];
}

vector<int> crossed(const vector<int>& in, vector<int> out, int width, int height, int reach) {
  for (int y = reach; y < height - reach; ++y) {
    for (int x = reach; x < width - reach; ++x) {
      const int c = y * width + x;
      out[c] =
          in[c - reach] + 3 * in[c + reach] + 5 * in[c - reach * width] + 7 * in[c + reach * width];
    }
  }
  return out;
}

vector<int> starred(const vector<int>& in, vector<int> out, int n, int planes) {
  for (int z = 1; z < planes - 1; ++z) {
    for (int y = 1; y < n - 1; ++y) {
      for (int x = 1; x < n - 1; ++x) {
        const int c = (z * n + y) * n + x;
        out[c] = in[c - 1] + 3 * in[c + 1] + 5 * in[c - n] + 7 * in[c + n] + 9 * in[c - n * n] +
                 11 * in[c + n * n];
      }
    }
  }
  return out;
}

int main() {
  Random random(31);
  const auto some = [&](int count) { return random.integers<int>(count, -1000, 1000); };
  for (const dim3 block : {dim3(1, 1), dim3(2, 1), dim3(1, 3), dim3(32, 4)}) {
    for (const auto& [width, height] : {std::pair(3, 3), {3, 40}, {40, 3}, {4, 5}, {37, 41}}) {
      vector<int> a = some(width * height), b = some(width * height);
      Array<int> on_a(a), on_b(b);
      const dim3 grid = blocks(width - 2, height - 2, block);
      for (int step = 0; step < 2; ++step) {
        cross<<<grid, block>>>(on_a.data(), on_b.data(), width, height);
        b = crossed(a, b, width, height, 1);
        far_cross<<<grid, block>>>(on_b.data(), on_a.data(), width, height);
        a = crossed(b, a, width, height, 2);
      }
      result("cross", on_b, b);
      result("far cross", on_a, a);
    }
    for (const int planes : {3, 4, 19}) {
      constexpr int n = 9;
      vector<int> a = some(n * n * planes), b = some(n * n * planes);
      Array<int> on_a(a), on_b(b);
      dim3 grid = blocks(n - 2, n - 2, block);
      grid.z = static_cast<unsigned>(planes) - 2;
      star<<<grid, block>>>(on_a.data(), on_b.data(), n, planes);
      b = starred(a, b, n, planes);
      star<<<grid, block>>>(on_b.data(), on_a.data(), n, planes);
      a = starred(b, a, n, planes);
      result("star", on_b, b);
      result("star again", on_a, a);
    }
  }
  return finish();
}
