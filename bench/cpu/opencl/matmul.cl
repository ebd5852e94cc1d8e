// Matrix products: naive, with sums kept in memory, and with tiles in local memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void matmul(__global const float* a, __global const float* b, __global float* c, int n) {
  int row = get_global_id(1), col = get_global_id(0);
  if (row >= n || col >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

__kernel void matmul_in_memory(__global const float* a, __global const float* b, __global float* c,
                               int n) {
  int row = get_global_id(1), col = get_global_id(0);
  if (row < n && col < n) {
    c[row * n + col] = 0;
    for (int k = 0; k < n; ++k) c[row * n + col] += a[row * n + k] * b[k * n + col];
  }
}

__kernel void tiled(__global const float* a, __global const float* b, __global float* c, int n) {
  __local float as[TILE][TILE], bs[TILE][TILE];
  int tx = get_local_id(0), ty = get_local_id(1), row = get_global_id(1), col = get_global_id(0);
  float sum = 0;
  for (int m = 0; m < n / TILE; ++m) {
    as[ty][tx] = a[row * n + m * TILE + tx];
    bs[ty][tx] = b[(m * TILE + ty) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) sum += as[ty][k] * bs[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + col] = sum;
}

#define WIDE 128
#define DEEP 8
#define OWN 8
#define ACROSS (WIDE / OWN)

__kernel void register_tiles(__global const float* a, __global const float* b, __global float* c,
                             int n) {
  __local float as[WIDE][DEEP], bs[DEEP][WIDE];
  const int t = get_local_id(0), row = t / ACROSS, col = t % ACROSS;
  const int first_row = get_group_id(1) * WIDE, first_col = get_group_id(0) * WIDE;
  float sums[OWN][OWN] = {{0}}, left[OWN], right[OWN];
  for (int m = 0; m < n; m += DEEP) {
    for (int i = t; i < WIDE * DEEP; i += ACROSS * ACROSS) {
      as[i / DEEP][i % DEEP] = a[(first_row + i / DEEP) * n + m + i % DEEP];
      bs[i / WIDE][i % WIDE] = b[(m + i / WIDE) * n + first_col + i % WIDE];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < DEEP; ++k) {
      for (int i = 0; i < OWN; ++i) left[i] = as[row * OWN + i][k];
      for (int j = 0; j < OWN; ++j) right[j] = bs[k][col * OWN + j];
      for (int i = 0; i < OWN; ++i)
        for (int j = 0; j < OWN; ++j) sums[i][j] += left[i] * right[j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < OWN; ++i)
    for (int j = 0; j < OWN; ++j)
      c[(first_row + row * OWN + i) * n + first_col + col * OWN + j] = sums[i][j];
}
