// Alignment of sequences: tiles of one diagonal in a launch, a barrier for each diagonal of a tile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void align(__global const int* left, __global const int* top, __global int* score, int n,
                    int diagonal, int first) {
  __local int s[TILE + 1][TILE + 1], letters[TILE];
  int t = get_local_id(0), width = n + 1;
  int tx = first + get_group_id(0), ty = diagonal - tx;
  __global int* corner = score + ty * TILE * width + tx * TILE;
  s[0][t + 1] = corner[t + 1];
  s[t + 1][0] = corner[(t + 1) * width];
  if (t == 0) s[0][0] = corner[0];
  letters[t] = left[ty * TILE + t];
  int letter = top[tx * TILE + t];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 0; step < 2 * TILE - 1; ++step) {
    int y = step - t;
    if (y >= 0 && y < TILE) {
      int both = s[y][t] + (letters[y] == letter ? 5 : -3);
      s[y + 1][t + 1] = max(both, max(s[y][t + 1], s[y + 1][t]) - GAP);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int y = 0; y < TILE; ++y) corner[(y + 1) * width + t + 1] = s[y + 1][t + 1];
}
