// What moves for a stencil: the rows next to the borders, once in each direction, at each step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plane of 257 x 129 floats. With k devices there are k - 1 borders; at each launch each side of
// a border reads one line of the other's: at most 257 floats (rows; columns have 129). The first
// launch shows the pattern, so that the host's data arrives with the lines at the borders twice and
// the first of the 50 steps moves nothing. Everything comes back once.
//
// TRAFFIC cpu:2x1 device_to_device_bytes <= 49 * 1 * 2 * 257 * 4
// TRAFFIC cpu:3x1 device_to_device_bytes <= 49 * 2 * 2 * 257 * 4
// TRAFFIC cpu:4x1 device_to_device_bytes <= 49 * 3 * 2 * 257 * 4
// TRAFFIC cpu:7x1 device_to_device_bytes <= 49 * 6 * 2 * 257 * 4
// TRAFFIC cpu:3x1 device_to_device_copies == 49 * 2 * 2
// TRAFFIC cpu:3x1 host_to_device_bytes <= (257 * 129 + 2 * 2 * 257) * 4
// TRAFFIC cpu:3x1 launches_exact == 51
// TRAFFIC cpu:3x1 launches_one_device == 0
// TRAFFIC cpu:3x1 parts == 51 * 3
// TRAFFIC cpu:3x1 merged_bytes == 0
// TRAFFIC cpu:3x1 device_to_host_bytes == 257 * 129 * 4
#include "devices.h"

using namespace devices;

constexpr int w = 257, h = 129;

__global__ void smooth(const float* in, float* out) {
  const int x = global_x(), y = global_y();
  if (x >= w || y >= h) return;
  float sum = in[y * w + x];
  if (x > 0) sum += in[y * w + x - 1];
  if (x < w - 1) sum += in[y * w + x + 1];
  if (y > 0) sum += in[(y - 1) * w + x];
  if (y < h - 1) sum += in[(y + 1) * w + x];
  out[y * w + x] = sum * 0.25f;
}

void host_smooth(const vector<float>& in, vector<float>& out) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      float sum = in[y * w + x];
      if (x > 0) sum += in[y * w + x - 1];
      if (x < w - 1) sum += in[y * w + x + 1];
      if (y > 0) sum += in[(y - 1) * w + x];
      if (y < h - 1) sum += in[(y + 1) * w + x];
      out[y * w + x] = sum * 0.25f;
    }
}

int main() {
  Random random(31);
  vector<float> a = random.reals<float>(w * h, 0, 1), b(w * h);
  float *da = nullptr, *db = nullptr;
  CUDA_OK(cudaMalloc(&da, w * h * sizeof(float)));
  CUDA_OK(cudaMalloc(&db, w * h * sizeof(float)));
  const dim3 block(32, 4), grid = blocks(w, h, block);
  smooth<<<grid, block>>>(da, db);  // shows the pattern; what stands there does not matter
  CUDA_OK(cudaMemcpy(da, a.data(), w * h * sizeof(float), cudaMemcpyHostToDevice));
  for (int step = 0; step < 25; ++step) {
    smooth<<<grid, block>>>(da, db);
    host_smooth(a, b);
    smooth<<<grid, block>>>(db, da);
    host_smooth(b, a);
  }
  vector<float> got(w * h);
  CUDA_OK(cudaMemcpy(got.data(), da, w * h * sizeof(float), cudaMemcpyDeviceToHost));
  result("smoothed", got, a);
  return finish();
}
