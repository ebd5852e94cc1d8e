// Sums of all numbers up to each: groups in local memory, then sums of groups, then both added.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define CHUNK (THREADS * ITEMS)

__kernel void scan_blocks(__global const int* in, __global int* out, __global int* sums, int n) {
  __local int s[THREADS];
  int t = get_local_id(0), first = get_group_id(0) * CHUNK + t * ITEMS, mine[ITEMS], sum = 0;
  for (int i = 0; i < ITEMS; ++i) mine[i] = sum += first + i < n ? in[first + i] : 0;
  s[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < THREADS; d *= 2) {
    int before = t >= d ? s[t - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[t] += before;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  int before = t > 0 ? s[t - 1] : 0;
  for (int i = 0; i < ITEMS; ++i)
    if (first + i < n) out[first + i] = before + mine[i];
  if (t == THREADS - 1) sums[get_group_id(0)] = s[t];
}

__kernel void add_blocks(__global int* out, __global const int* sums, int n) {
  int group = get_group_id(0);
  int before = group > 0 ? sums[group - 1] : 0;
  for (int i = get_local_id(0); i < CHUNK; i += THREADS) {
    int at = group * CHUNK + i;
    if (at < n) out[at] += before;
  }
}
