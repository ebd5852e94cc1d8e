// A matrix transposed through tiles in local memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void transpose(__global const float* in, __global float* out, int n) {
  __local float s[TILE][TILE + 1];
  int tx = get_local_id(0), ty = get_local_id(1), gx = get_group_id(0), gy = get_group_id(1);
  int x = gx * TILE + tx, y = gy * TILE + ty;
  for (int dy = 0; dy < TILE; dy += ROWS) s[ty + dy][tx] = in[(y + dy) * n + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = gy * TILE + tx;
  y = gx * TILE + ty;
  for (int dy = 0; dy < TILE; dy += ROWS) out[(y + dy) * n + x] = s[tx][ty + dy];
}
