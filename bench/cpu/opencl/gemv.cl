// A matrix times a vector: 32 work-items for each row, their sums in local memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void gemv(__global const float* a, __global const float* x, __global float* y, int rows,
                   int columns) {
  __local float s[128];
  int t = get_local_id(0), lane = t % 32, row = get_global_id(0) / 32;
  float sum = 0;
  if (row < rows)
    for (int i = lane; i < columns; i += 32) sum += a[row * columns + i] * x[i];
  s[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 16; d > 0; d >>= 1) {
    if (lane < d) s[t] += s[t + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0 && row < rows) y[row] = s[t];
}
