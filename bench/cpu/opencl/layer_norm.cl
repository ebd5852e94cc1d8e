// Layer normalisation: a work-group for each row, sums in local memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void layer_norm(__global const float* in, __global const float* scale,
                         __global const float* shift, __global float* out, int columns) {
  __local float2 s[256];
  int t = get_local_id(0), size = get_local_size(0);
  __global const float* row = in + get_group_id(0) * columns;
  float2 sum = (float2)(0, 0);  // of values and of their squares
  for (int i = t; i < columns; i += size) {
    float value = row[i];
    sum.x += value;
    sum.y += value * value;
  }
  s[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = size / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float mean = s[0].x / columns;
  float factor = rsqrt(s[0].y / columns - mean * mean + 1e-5f);
  for (int i = t; i < columns; i += size)
    out[get_group_id(0) * columns + i] = (row[i] - mean) * factor * scale[i] + shift[i];
}
