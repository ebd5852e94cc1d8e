// All shortest paths: a launch for each node on the way.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void relax(__global int* distance, int n, int k) {
  int to = get_global_id(0), from = get_global_id(1);
  if (from >= n || to >= n) return;
  int through = distance[from * n + k] + distance[k * n + to];
  if (through < distance[from * n + to]) distance[from * n + to] = through;
}
