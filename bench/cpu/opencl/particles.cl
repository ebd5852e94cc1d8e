// Particles move: structures of six numbers, of which three change.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void move(__global float* all, float time, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  for (int axis = 0; axis < 3; ++axis) all[6 * i + axis] += time * all[6 * i + 3 + axis];
}
