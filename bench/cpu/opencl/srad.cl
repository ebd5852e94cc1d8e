// Speckle reduction: statistics of the image, diffusion coefficients, diffusion.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define RATE 0.5f

__kernel void sums(__global const float* image, __global float2* out, int count) {
  __local float2 s[THREADS];
  int t = get_local_id(0);
  float2 sum = (float2)(0, 0);  // of values and of their squares
  for (int i = get_global_id(0); i < count; i += get_global_size(0)) {
    float value = image[i];
    sum.x += value;
    sum.y += value * value;
  }
  s[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = THREADS / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) out[get_group_id(0)] = s[0];
}

__kernel void coefficients(__global const float* image, __global float* coefficient, int n,
                           float speckle, float scale) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= n || y >= n) return;
  float c = image[y * n + x], inverse = 1 / c;
  float north = image[max(y - 1, 0) * n + x] - c, south = image[min(y + 1, n - 1) * n + x] - c;
  float west = image[y * n + max(x - 1, 0)] - c, east = image[y * n + min(x + 1, n - 1)] - c;
  float gradient =
      (north * north + south * south + west * west + east * east) * inverse * inverse;
  float laplacian = (north + south + west + east) * inverse;
  float spread = 1 + 0.25f * laplacian;
  float q = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (spread * spread);
  float d = 1 / (1 + (q - speckle) * scale);
  coefficient[y * n + x] = clamp(d, 0.0f, 1.0f);
}

__kernel void diffuse(__global const float* image, __global const float* coefficient,
                      __global float* out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= n || y >= n) return;
  int i = y * n + x, south = min(y + 1, n - 1) * n + x, east = y * n + min(x + 1, n - 1);
  float c = image[i], here = coefficient[i];
  float flow = here * (image[max(y - 1, 0) * n + x] - c) +
               here * (image[y * n + max(x - 1, 0)] - c) +
               coefficient[south] * (image[south] - c) + coefficient[east] * (image[east] - c);
  out[i] = c + 0.25f * RATE * flow;
}
