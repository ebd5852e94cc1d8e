// A sparse matrix times a vector: a work-item for each row.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void spmv(__global const int* begin, __global const int* column,
                   __global const float* value, __global const float* x, __global float* y,
                   int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float sum = 0;
  for (int k = begin[i]; k < begin[i + 1]; ++k) sum += value[k] * x[column[k]];
  y[i] = sum;
}
