// Heat on a chip: straight from memory, and with a tile and its halo in local memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define CAP 0.5f
#define RX 0.1f
#define RY 0.1f
#define RZ 0.01f

__kernel void hotspot(__global const float* power, __global const float* in, __global float* out,
                      int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= n || y >= n) return;
  float c = in[y * n + x];
  float north = in[max(y - 1, 0) * n + x], south = in[min(y + 1, n - 1) * n + x];
  float west = in[y * n + max(x - 1, 0)], east = in[y * n + min(x + 1, n - 1)];
  out[y * n + x] = c + CAP * (power[y * n + x] + (north + south - 2 * c) * RY +
                              (west + east - 2 * c) * RX + (80.0f - c) * RZ);
}

__kernel void hotspot_tiled(__global const float* power, __global const float* in,
                            __global float* out, int n) {
  __local float s[HEIGHT + 2][WIDTH + 2];
  int tx = get_local_id(0) + 1, ty = get_local_id(1) + 1;
  int x = get_global_id(0), y = get_global_id(1);
  int row = min(y, n - 1), col = min(x, n - 1);
  s[ty][tx] = in[row * n + col];
  if (tx == 1) s[ty][0] = in[row * n + max(x - 1, 0)];
  if (tx == WIDTH) s[ty][tx + 1] = in[row * n + min(x + 1, n - 1)];
  if (ty == 1) s[0][tx] = in[max(y - 1, 0) * n + col];
  if (ty == HEIGHT) s[ty + 1][tx] = in[min(y + 1, n - 1) * n + col];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x >= n || y >= n) return;
  float c = s[ty][tx];
  out[y * n + x] = c + CAP * (power[y * n + x] + (s[ty - 1][tx] + s[ty + 1][tx] - 2 * c) * RY +
                              (s[ty][tx - 1] + s[ty][tx + 1] - 2 * c) * RX + (80.0f - c) * RZ);
}
