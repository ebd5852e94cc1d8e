// An electromagnetic field in the plane: three kernels a step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void step_ey(__global float* ey, __global const float* hz, float source, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= n || y >= n) return;
  int i = y * n + x;
  ey[i] = y == 0 ? source : ey[i] - 0.5f * (hz[i] - hz[i - n]);
}

__kernel void step_ex(__global float* ex, __global const float* hz, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= n || y >= n || x == 0) return;
  int i = y * n + x;
  ex[i] -= 0.5f * (hz[i] - hz[i - 1]);
}

__kernel void step_hz(__global const float* ex, __global const float* ey, __global float* hz,
                      int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= n - 1 || y >= n - 1) return;
  int i = y * n + x;
  hz[i] -= 0.7f * (ex[i + 1] - ex[i] + ey[i + n] - ey[i]);
}
