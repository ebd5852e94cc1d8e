// Plain loops of one thread, as vectors.cu measures cuBLAS's, cuSPARSE's and cuRAND's routines
// against them. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace bench::loops {

/// y += a x
void axpy(int count, float a, const float* x, float* y);
float dot(int count, const float* x, const float* y);
double dot(int count, const double* x, const double* y);
float sum_of_sizes(int count, const float* x);
/// The place, from 0, of the first of the largest size.
int largest(int count, const float* x);
/// y = A x, or A^T x, of `rows` by `columns` by columns.
void gemv(int rows, int columns, const float* a, const float* x, float* y);
void gemv_transposed(int rows, int columns, const float* a, const float* x, float* y);

/// y = A x of compressed rows.
void spmv(int rows, const int* offsets, const int* indices, const float* values, const float* x,
          float* y);
/// C = A B, of `width` columns up to 64, by rows or by columns.
void spmm_by_rows(int rows, int width, const int* offsets, const int* indices, const float* values,
                  const float* b, float* c);
void spmm_by_columns(int rows, int width, const int* offsets, const int* indices,
                     const float* values, const float* b, float* c);

void fill(int count, float x, float* numbers);

}  // namespace bench::loops
