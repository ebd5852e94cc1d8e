// Breadth-first search: a launch for each level, a work-item for each node of the frontier.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void expand(__global const int* begin, __global const int* target,
                     __global const int* frontier, int count, __global volatile int* depth,
                     int level, __global int* next, __global volatile int* next_count) {
  int i = get_global_id(0);
  if (i >= count) return;
  int node = frontier[i];
  for (int k = begin[node]; k < begin[node + 1]; ++k) {
    int to = target[k];
    if (depth[to] == -1 && atomic_cmpxchg(&depth[to], -1, level) == -1)
      next[atomic_inc(next_count)] = to;
  }
}
