// How mixed an image is around each pixel: a work-item counts the shades of its window.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void entropy(__global const int* in, __constant float* weight, __global float* out,
                      int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= n || y >= n) return;
  int count[SHADES];
  for (int shade = 0; shade < SHADES; ++shade) count[shade] = 0;
  for (int dy = -RADIUS; dy <= RADIUS; ++dy)
    for (int dx = -RADIUS; dx <= RADIUS; ++dx)
      ++count[in[clamp(y + dy, 0, n - 1) * n + clamp(x + dx, 0, n - 1)]];
  float sum = 0;
  for (int shade = 0; shade < SHADES; ++shade) sum += weight[count[shade]];
  out[y * n + x] = sum;
}
