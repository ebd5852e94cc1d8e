// A histogram: a group's own bins in local memory, added to all at the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void count(__global const int* keys, int n, __global unsigned* bins) {
  __local unsigned mine[BINS];
  for (int b = get_local_id(0); b < BINS; b += get_local_size(0)) mine[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&mine[keys[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int b = get_local_id(0); b < BINS; b += get_local_size(0))
    if (mine[b]) atomic_add(&bins[b], mine[b]);
}
