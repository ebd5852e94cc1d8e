// Laplace's equation by Jacobi's method: each step tells how much changed, group by group.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void relax(__global const float* in, __global float* out, __global float* partial, int n) {
  __local float s[SIDE * SIDE];
  int x = get_global_id(0), y = get_global_id(1);
  int t = get_local_id(1) * SIDE + get_local_id(0);
  float moved = 0;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
    int i = y * n + x;
    float now = 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
    out[i] = now;
    moved = fabs(now - in[i]);
  }
  s[t] = moved;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = SIDE * SIDE / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) partial[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = s[0];
}

// One group: OpenCL 1.2 has no atomic sums of floating-point numbers.
__kernel void add_up(__global const float* partial, __global float* change, int step, int count) {
  __local float s[SIDE * SIDE];
  int t = get_local_id(0);
  s[t] = 0;
  for (int i = t; i < count; i += SIDE * SIDE) s[t] += partial[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = SIDE * SIDE / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) change[step] = s[0];
}
