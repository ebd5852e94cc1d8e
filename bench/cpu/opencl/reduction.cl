// Sums of blocks in local memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void block_sums(__global const int* in, __global int* out, int n) {
  __local int s[BLOCK];
  int t = get_local_id(0), i = get_global_id(0);
  s[t] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = get_local_size(0) / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) out[get_group_id(0)] = s[0];
}
