// The Mandelbrot set: work-items that leave a loop at different times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void mandelbrot(__global int* out, int n, int limit) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= n || y >= n) return;
  float cr = x * (3.0f / n) - 2, ci = y * (2.0f / n) - 1, zr = 0, zi = 0;
  int i = 0;
  while (i < limit && zr * zr + zi * zi < 4) {
    float t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    ++i;
  }
  out[y * n + x] = i;
}
