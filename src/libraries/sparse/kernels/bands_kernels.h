// Systems of few diagonals: the kernel. Included by a file for each element type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/sparse/kernels/bands.h"
#include "libraries/sparse/kernels/widths.h"

namespace gridspan::libraries::sparse {
namespace detail {

/// Of both together.
__device__ inline float length_of(float a, float b) { return hypotf(a, b); }
__device__ inline double length_of(double a, double b) { return hypot(a, b); }
__device__ inline float length_of(cuComplex a, cuComplex b) {
  return hypotf(hypotf(a.x, a.y), hypotf(b.x, b.y));
}
__device__ inline double length_of(cuDoubleComplex a, cuDoubleComplex b) {
  return hypot(hypot(a.x, a.y), hypot(b.x, b.y));
}
__device__ inline float over(float a, float by) { return a / by; }
__device__ inline double over(double a, double by) { return a / by; }
__device__ inline cuComplex over(cuComplex a, float by) {
  return make_cuComplex(a.x / by, a.y / by);
}
__device__ inline cuDoubleComplex over(cuDoubleComplex a, double by) {
  return make_cuDoubleComplex(a.x / by, a.y / by);
}

/// Five elements of a row, from some column, and its right side.
template <typename T>
struct BandRow {
  T of[5];
  T right;
  __device__ void shift() {
    for (int k = 0; k < 4; ++k) of[k] = of[k + 1];
    of[4] = blas::zero<T>();
  }
};

/// From column row - 2.
template <typename T>
__device__ BandRow<T> band_row(const Bands<T>& a, long long size, long long row, long long system,
                               T right) {
  BandRow<T> result;
  for (int k = 0; k < 5; ++k) {
    const long long column = row - 2 + k;
    const bool is_there = a.diagonals[k] && column >= 0 && column < size;
    result.of[k] = is_there ? a.diagonals[k][row * a.down + system * a.right] : blas::zero<T>();
  }
  result.right = right;
  return result;
}

/// Makes the other's first element 0.
template <typename T>
__device__ void rotate_rows(BandRow<T>& own, BandRow<T>& other) {
  if (blas::is_zero(other.of[0])) return;
  const auto length = length_of(own.of[0], other.of[0]);
  const T c = over(own.of[0], length), s = over(other.of[0], length);
  const auto turn = [&](T& a, T& b) {
    const T x = a, y = b;
    a = blas::added(blas::product(blas::conjugate(c, true), x), blas::conjugate(s, true), y);
    b = difference(blas::product(c, y), blas::product(s, x));
  };
  for (int k = 0; k < 5; ++k) turn(own.of[k], other.of[k]);
  turn(own.right, other.right);
}

template <typename T>
__global__ void solve_bands(Bands<T> a, long long size, T* x, long long down, long long right,
                            long long systems, T* work) {
  const long long system = own_number();
  if (system >= systems) return;
  T* const own = x + system * right;
  BandRow<T> rows[3];
  for (int k = 0; k < 3; ++k) {
    rows[k] = k < size ? band_row(a, size, k, system, own[k * down]) : BandRow<T>{};
    for (int j = k; j < 2; ++j) rows[k].shift();
  }
  for (long long i = 0; i < size; ++i) {
    for (int k = 1; k < 3; ++k)
      if (i + k < size) rotate_rows(rows[0], rows[k]);
    for (int k = 0; k < 5; ++k) work[(k * size + i) * systems + system] = rows[0].of[k];
    own[i * down] = rows[0].right;
    rows[0] = rows[1];
    rows[1] = rows[2];
    rows[0].shift();
    rows[1].shift();
    if (i + 3 < size) rows[2] = band_row(a, size, i + 3, system, own[(i + 3) * down]);
  }
  T below[4];
  for (T& one : below) one = blas::zero<T>();
  for (long long i = size - 1; i >= 0; --i) {
    T rest = own[i * down];
    for (int k = 0; k < 4; ++k)
      rest =
          difference(rest, blas::product(work[((k + 1) * size + i) * systems + system], below[k]));
    for (int k = 3; k > 0; --k) below[k] = below[k - 1];
    below[0] = quotient(rest, work[i * systems + system]);
    own[i * down] = below[0];
  }
}

}  // namespace detail

template <typename T>
cudaError_t launch_bands(const Bands<T>& a, std::int64_t size, T* x, std::int64_t down,
                         std::int64_t right, std::int64_t systems, T* work, cudaStream_t stream) {
  if (size == 0 || systems == 0) return cudaSuccess;
  return start_kernel(detail::solve_bands<T>, blocks_of(systems), dim3(block), stream, a, size, x,
                      down, right, systems, work);
}

}  // namespace gridspan::libraries::sparse

#define GRIDSPAN_SPARSE_BANDS(T)                                                        \
  template cudaError_t launch_bands<T>(const Bands<T>&, std::int64_t, T*, std::int64_t, \
                                       std::int64_t, std::int64_t, T*, cudaStream_t);
