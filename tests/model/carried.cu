// Subscripts found once, clamped, and carried along a loop: what solvers in space do along z.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

// Four neighbours and the planes above and below; first and last plane apart. No guard: the grid
// covers the plane exactly.
__global__ void carried_space(const int* in, const int* power, int* out, int w, int h, int d) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  int c = i + j * w;
  const int plane = w * h;
  int west = i == 0 ? c : c - 1, east = i == w - 1 ? c : c + 1;
  int north = j == 0 ? c : c - w, south = j == h - 1 ? c : c + w;
  int below = in[c], here = below, above = in[c + plane];
  out[c] = below + above + in[west] + in[east] + in[north] + in[south] + power[c];
  c += plane;
  west += plane;
  east += plane;
  north += plane;
  south += plane;
  for (int k = 1; k < d - 1; ++k) {
    below = here;
    here = above;
    above = in[c + plane];
    out[c] = below + above + in[west] + in[east] + in[north] + in[south] + power[c];
    c += plane;
    west += plane;
    east += plane;
    north += plane;
    south += plane;
  }
  out[c] = here + above + in[west] + in[east] + in[north] + in[south] + power[c];
}

// Clamped by min and max, guarded by a flag, two elements beside.
__global__ void carried_clamped(const int* in, int* out, int w, int h, int d) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i >= w) | (j >= h)) return;
  int left = j * w + max(i - 2, 0), right = j * w + min(i + 2, w - 1), c = j * w + i;
  for (int k = 0; k < d; ++k, left += w * h, right += w * h, c += w * h)
    out[c] = in[left] - in[right];
}

// Along z itself.
__global__ void carried_up(const int* in, int* out, int w, int h, int d) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= w || j >= h) return;
  int c = i + j * w;
  const int plane = w * h;
  for (int k = 0; k < d; ++k) {
    const int below = k == 0 ? c : c - plane, above = k == d - 1 ? c : c + plane;
    out[c] = in[below] - in[above];
    c += plane;
  }
}

static void test(Random& random, int w, int h, int d, dim3 block, dim3 exact) {
  const auto in = small<int>(random, w * h * d), power = small<int>(random, w * h * d);
  Array<int> d_in(in), d_power(power), space(w * h * d), clamped(w * h * d), up(w * h * d);
  const auto at = [&](int x, int y, int z) {
    return in[(std::clamp(z, 0, d - 1) * h + std::clamp(y, 0, h - 1)) * w +
              std::clamp(x, 0, w - 1)];
  };
  auto want_space = poisoned<int>(w * h * d), want_clamped = want_space, want_up = want_space;
  for (int z = 0, c = 0; z < d; ++z)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x, ++c) {
        want_space[c] = at(x, y, z - 1) + at(x, y, z + 1) + at(x - 1, y, z) + at(x + 1, y, z) +
                        at(x, y - 1, z) + at(x, y + 1, z) + power[c];
        want_clamped[c] = at(x - 2, y, z) - at(x + 2, y, z);
        want_up[c] = at(x, y, z - 1) - at(x, y, z + 1);
      }
  const dim3 grid = blocks(w, h, block);
  carried_space<<<blocks(w, h, exact), exact>>>(d_in.data(), d_power.data(), space.data(), w, h, d);
  carried_clamped<<<grid, block>>>(d_in.data(), clamped.data(), w, h, d);
  carried_up<<<grid, block>>>(d_in.data(), up.data(), w, h, d);
  equal("space", space.get(), want_space);
  equal("clamped", clamped.get(), want_clamped);
  equal("up", up.get(), want_up);
}

int main() {
  Random random(59);
  test(random, 33, 10, 5, dim3(8, 4), dim3(11, 5));
  test(random, 7, 3, 2, dim3(8, 4), dim3(7, 1));
  test(random, 16, 21, 3, dim3(5, 6), dim3(4, 7));
  return check::finish();
}
