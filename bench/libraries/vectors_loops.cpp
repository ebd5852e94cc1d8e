// Plain loops of one thread: -O3 -march=native -ffast-math (see CMakeLists.txt).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vectors_loops.h"

#include <cmath>
#include <cstddef>

namespace bench::loops {
namespace {

template <typename T>
T dot_of(int count, const T* x, const T* y) {
  T sum = 0;
  for (int i = 0; i < count; ++i) sum += x[i] * y[i];
  return sum;
}

const float* column_of(const float* a, int rows, int column) {
  return a + static_cast<std::size_t>(rows) * column;
}

}  // namespace

void axpy(int count, float a, const float* x, float* y) {
  for (int i = 0; i < count; ++i) y[i] += a * x[i];
}

float dot(int count, const float* x, const float* y) { return dot_of(count, x, y); }
double dot(int count, const double* x, const double* y) { return dot_of(count, x, y); }

float sum_of_sizes(int count, const float* x) {
  float sum = 0;
  for (int i = 0; i < count; ++i) sum += std::fabs(x[i]);
  return sum;
}

int largest(int count, const float* x) {
  float size = -1;
  int place = 0;
  for (int i = 0; i < count; ++i) {
    const float own = std::fabs(x[i]);
    place = own > size ? i : place;
    size = own > size ? own : size;
  }
  return place;
}

void gemv(int rows, int columns, const float* a, const float* x, float* __restrict y) {
  for (int i = 0; i < rows; ++i) y[i] = 0;
  for (int j = 0; j < columns; ++j) axpy(rows, x[j], column_of(a, rows, j), y);
}

void gemv_transposed(int rows, int columns, const float* a, const float* x, float* y) {
  for (int j = 0; j < columns; ++j) y[j] = dot_of(rows, column_of(a, rows, j), x);
}

void spmv(int rows, const int* offsets, const int* indices, const float* values, const float* x,
          float* y) {
  for (int i = 0; i < rows; ++i) {
    float sum = 0;
    for (int k = offsets[i]; k < offsets[i + 1]; ++k) sum += values[k] * x[indices[k]];
    y[i] = sum;
  }
}

void spmm_by_rows(int rows, int width, const int* offsets, const int* indices, const float* values,
                  const float* b, float* c) {
  for (int i = 0; i < rows; ++i) {
    float sums[64] = {};
    for (int k = offsets[i]; k < offsets[i + 1]; ++k) {
      const float* const row = b + static_cast<std::size_t>(indices[k]) * width;
      for (int j = 0; j < width; ++j) sums[j] += values[k] * row[j];
    }
    for (int j = 0; j < width; ++j) c[static_cast<std::size_t>(i) * width + j] = sums[j];
  }
}

void spmm_by_columns(int rows, int width, const int* offsets, const int* indices,
                     const float* values, const float* b, float* c) {
  for (int i = 0; i < rows; ++i) {
    float sums[64] = {};
    for (int k = offsets[i]; k < offsets[i + 1]; ++k)
      for (int j = 0; j < width; ++j) sums[j] += values[k] * column_of(b, rows, j)[indices[k]];
    for (int j = 0; j < width; ++j) c[static_cast<std::size_t>(rows) * j + i] = sums[j];
  }
}

void fill(int count, float x, float* numbers) {
  for (int i = 0; i < count; ++i) numbers[i] = x;
}

}  // namespace bench::loops
