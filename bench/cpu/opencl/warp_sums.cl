// Sums of 32 numbers each, in local memory: OpenCL 1.2 has no shuffles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void warp_sums(__global const int* in, __global int* out, int n) {
  __local int s[BLOCK];
  int t = get_local_id(0), i = get_global_id(0);
  s[t] = i < n ? in[i] : 0;
  for (int d = 16; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t % 32 < d) s[t] += s[t + d];
  }
  if (t % 32 == 0 && i < n) out[i / 32] = s[t];
}
