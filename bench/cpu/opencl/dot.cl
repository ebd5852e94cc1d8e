// A product of vectors; OpenCL 1.2 has no shuffles, so groups add up in local memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
float group_sum(float sum, __local float* s) {
  int t = get_local_id(0);
  s[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = get_local_size(0) / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return s[0];
}

__kernel void products(__global const float* a, __global const float* b, __global float* sums, int n) {
  __local float s[BLOCK];
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += a[i] * b[i];
  sum = group_sum(sum, s);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = sum;
}

__kernel void total(__global const float* sums, __global float* out) {
  __local float s[BLOCK];
  float sum = group_sum(sums[get_local_id(0)], s);
  if (get_local_id(0) == 0) out[0] = sum;
}
