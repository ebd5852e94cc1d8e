// Softmax of rows: a work-group for each row, reductions in local memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void softmax(__global const float* in, __global float* out, int columns) {
  __local float s[256];
  int t = get_local_id(0), size = get_local_size(0);
  __global const float* row = in + get_group_id(0) * columns;
  float most = -1e30f;
  for (int i = t; i < columns; i += size) most = fmax(most, row[i]);
  s[t] = most;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = size / 2; d > 0; d >>= 1) {
    if (t < d) s[t] = fmax(s[t], s[t + d]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  most = s[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int i = t; i < columns; i += size) sum += exp(row[i] - most);
  s[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = size / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  sum = s[0];
  for (int i = t; i < columns; i += size)
    out[get_group_id(0) * columns + i] = exp(row[i] - most) / sum;
}
