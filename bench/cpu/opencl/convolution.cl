// A convolution of an image: a tile and its halo in local memory, weights in constant memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define WINDOW (2 * RADIUS + 1)

__kernel void convolve(__global const float* in, __constant float* weights, __global float* out,
                       int n) {
  __local float s[HEIGHT + 2 * RADIUS][WIDTH + 2 * RADIUS];
  int tx = get_local_id(0), ty = get_local_id(1);
  int left = get_group_id(0) * WIDTH, top = get_group_id(1) * HEIGHT;
  for (int y = ty; y < HEIGHT + 2 * RADIUS; y += HEIGHT)
    for (int x = tx; x < WIDTH + 2 * RADIUS; x += WIDTH)
      s[y][x] =
          in[clamp(top + y - RADIUS, 0, n - 1) * n + clamp(left + x - RADIUS, 0, n - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  int x = left + tx, y = top + ty;
  if (x >= n || y >= n) return;
  float sum = 0;
  for (int dy = 0; dy < WINDOW; ++dy)
    for (int dx = 0; dx < WINDOW; ++dx) sum += weights[dy * WINDOW + dx] * s[ty + dy][tx + dx];
  out[y * n + x] = sum;
}
