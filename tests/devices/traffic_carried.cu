// What moves for a stencil in space whose neighbours are found once, clamped, and carried along z.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 96 x 61 columns of 7 integers: a thread runs up its column, first and last plane apart. Cut
// between columns: each border is two lines of at most 96 elements in 7 planes, at each launch. The
// planner may change from one axis to the other once, which moves two arrays at most. If the model
// knew no box, each of the 30 launches would move most of one.
//
// TRAFFIC cpu:2x1 device_to_device_bytes <= 30 * 1 * 2 * 96 * 7 * 4 + 2 * 96 * 61 * 7 * 4
// TRAFFIC cpu:3x1 device_to_device_bytes <= 30 * 2 * 2 * 96 * 7 * 4 + 2 * 96 * 61 * 7 * 4
// TRAFFIC cpu:4x1 device_to_device_bytes <= 30 * 3 * 2 * 96 * 7 * 4 + 2 * 96 * 61 * 7 * 4
// TRAFFIC cpu:3x1 launches_one_device == 0
// TRAFFIC cpu:3x1 launches_exact == 31
// TRAFFIC cpu:3x1 merged_bytes == 0
// TRAFFIC cpu:3x1 device_to_host_bytes == 96 * 61 * 7 * 4
#include "devices.h"

using namespace devices;

constexpr int nx = 96, ny = 61, nz = 7, steps = 30;

__global__ void heat(const int* in, const int* power, int* out, int w, int h, int d) {
  const int i = global_x(), j = global_y();
  if (i >= w || j >= h) return;
  int c = i + j * w;
  const int plane = w * h;
  int west = i == 0 ? c : c - 1, east = i == w - 1 ? c : c + 1;
  int north = j == 0 ? c : c - w, south = j == h - 1 ? c : c + w;
  int below = in[c], here = below, above = in[c + plane];
  out[c] = (here + below + above + in[west] + in[east] + in[north] + in[south]) / 7 + power[c];
  c += plane;
  west += plane;
  east += plane;
  north += plane;
  south += plane;
  for (int k = 1; k < d - 1; ++k) {
    below = here;
    here = above;
    above = in[c + plane];
    out[c] = (here + below + above + in[west] + in[east] + in[north] + in[south]) / 7 + power[c];
    c += plane;
    west += plane;
    east += plane;
    north += plane;
    south += plane;
  }
  below = here;
  here = above;
  out[c] = (here + below + here + in[west] + in[east] + in[north] + in[south]) / 7 + power[c];
}

static vector<int> host_heat(const vector<int>& in, const vector<int>& power) {
  vector<int> out(in.size());
  const auto at = [&](int x, int y, int z) {
    x = std::clamp(x, 0, nx - 1);
    y = std::clamp(y, 0, ny - 1);
    return in[(std::clamp(z, 0, nz - 1) * ny + y) * nx + x];
  };
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        out[(z * ny + y) * nx + x] =
            (at(x, y, z) + at(x, y, z - 1) + at(x, y, z + 1) + at(x - 1, y, z) + at(x + 1, y, z) +
             at(x, y - 1, z) + at(x, y + 1, z)) /
                7 +
            power[(z * ny + y) * nx + x];
  return out;
}

int main() {
  Random random(53);
  vector<int> values = random.integers<int>(nx * ny * nz, -900, 900);
  const vector<int> power = random.integers<int>(nx * ny * nz, -9, 9);
  const size_t bytes = values.size() * sizeof(int);
  int *a = nullptr, *b = nullptr, *p = nullptr;
  for (int** array : {&a, &b, &p}) CUDA_OK(cudaMalloc(array, bytes));
  const dim3 block(32, 4), grid = blocks(nx, ny, block);
  heat<<<grid, block>>>(a, p, b, nx, ny, nz);  // shows the pattern
  CUDA_OK(cudaMemcpy(a, values.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(p, power.data(), bytes, cudaMemcpyHostToDevice));
  for (int step = 0; step < steps; ++step) {
    heat<<<grid, block>>>(a, p, b, nx, ny, nz);
    values = host_heat(values, power);
    std::swap(a, b);
  }
  vector<int> got(values.size());
  CUDA_OK(cudaMemcpy(got.data(), a, bytes, cudaMemcpyDeviceToHost));
  result("values", got, values);
  return finish();
}
