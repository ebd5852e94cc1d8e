// LU decomposition in place, without pivots: a tile on the diagonal, its row and column, the rest.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void diagonal(__global float* a, int n, int first) {
  __local float s[TILE][TILE];
  int t = get_local_id(0);
  __global float* corner = a + first * n + first;
  for (int y = 0; y < TILE; ++y) s[y][t] = corner[y * n + t];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < TILE - 1; ++k) {
    if (t > k) {
      s[t][k] /= s[k][k];
      for (int x = k + 1; x < TILE; ++x) s[t][x] -= s[t][k] * s[k][x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int y = 0; y < TILE; ++y) corner[y * n + t] = s[y][t];
}

// The first half of a group does a tile right of the diagonal, the other half one below.
__kernel void borders(__global float* a, int n, int first) {
  __local float d[TILE][TILE], right[TILE][TILE], below[TILE][TILE];
  int t = get_local_id(0) % TILE, other = first + ((int)get_group_id(0) + 1) * TILE;
  bool is_right = get_local_id(0) < TILE;
  for (int y = 0; y < TILE; ++y) {
    if (is_right) {
      d[y][t] = a[(first + y) * n + first + t];
      right[y][t] = a[(first + y) * n + other + t];
    } else {
      below[y][t] = a[(other + y) * n + first + t];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (is_right) {  // a column of U
    for (int y = 1; y < TILE; ++y)
      for (int k = 0; k < y; ++k) right[y][t] -= d[y][k] * right[k][t];
  } else {  // a row of L
    for (int x = 0; x < TILE; ++x) {
      for (int k = 0; k < x; ++k) below[t][x] -= below[t][k] * d[k][x];
      below[t][x] /= d[x][x];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int y = 0; y < TILE; ++y) {
    if (is_right)
      a[(first + y) * n + other + t] = right[y][t];
    else
      a[(other + y) * n + first + t] = below[y][t];
  }
}

__kernel void inside(__global float* a, int n, int first) {
  __local float left[TILE][TILE], top[TILE][TILE];
  int tx = get_local_id(0), ty = get_local_id(1);
  int row = first + ((int)get_group_id(1) + 1) * TILE + ty;
  int col = first + ((int)get_group_id(0) + 1) * TILE + tx;
  left[ty][tx] = a[row * n + first + tx];
  top[ty][tx] = a[(first + ty) * n + col];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < TILE; ++k) sum += left[ty][k] * top[k][tx];
  a[row * n + col] -= sum;
}
