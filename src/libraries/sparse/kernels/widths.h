// What kernels over sparse matrices share: widths of indices, threads for rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/kernels/numbers.h"
#include "libraries/sparse/kernels/sparse.h"
#include "libraries/support/start_kernel.h"

namespace gridspan::libraries::sparse {

constexpr unsigned block = 128;

inline unsigned blocks_for(std::int64_t count, unsigned size) {
  return static_cast<unsigned>((count + size - 1) / size);
}
inline dim3 blocks_of(std::int64_t threads) { return dim3(blocks_for(threads, block)); }

/// This thread's row, element or column.
__device__ inline long long own_number() {
  return blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
}

/// Calls `run` with a zero of the offsets' type and one of the indices'.
template <typename Run>
cudaError_t with_widths(const Rows& a, Run run) {
  if (!a.has_long_offsets) return a.has_long_indices ? cudaErrorInvalidValue : run(0, 0);
  return a.has_long_indices ? run(0ll, 0ll) : run(0ll, 0);
}
template <typename Run>
cudaError_t with_width(bool is_long, Run run) {
  return is_long ? run(0ll) : run(0);
}

/// Compressed rows of known widths.
template <typename T, typename Offset, typename Index>
struct TypedRows {
  explicit TypedRows(const Rows& a)
      : rows(a.rows),
        offsets(static_cast<const Offset*>(a.offsets)),
        indices(static_cast<const Index*>(a.indices)),
        values(static_cast<const T*>(a.values)),
        base(a.base),
        conjugates(a.conjugates) {}
  __device__ long long start(long long row) const { return offsets[row] - base; }
  __device__ long long column(long long k) const { return indices[k] - base; }
  __device__ T value(long long k) const { return blas::conjugate(values[k], conjugates); }

  long long rows;
  const Offset* offsets;
  const Index* indices;
  const T* values;
  int base;
  bool conjugates;
};

template <typename T>
__device__ inline T value_of(const Scalar<T>& scalar) {
  return scalar.place ? *scalar.place : scalar.value;
}

/// alpha x + beta old, which is not read where beta is 0.
template <typename T>
__device__ inline T combined(T alpha, T x, T beta, const T* old) {
  const T scaled = blas::product(alpha, x);
  return blas::is_zero(beta) ? scaled : blas::added(scaled, beta, *old);
}

template <typename T>
__device__ inline T quotient(T a, T b) {
  return a / b;
}
__device__ inline cuComplex quotient(cuComplex a, cuComplex b) { return cuCdivf(a, b); }
__device__ inline cuDoubleComplex quotient(cuDoubleComplex a, cuDoubleComplex b) {
  return cuCdiv(a, b);
}
template <typename T>
__device__ inline T difference(T a, T b) {
  return a - b;
}
__device__ inline cuComplex difference(cuComplex a, cuComplex b) { return cuCsubf(a, b); }
__device__ inline cuDoubleComplex difference(cuDoubleComplex a, cuDoubleComplex b) {
  return cuCsub(a, b);
}

/// Calls `take` with each column that a row of A or of B has, in order, and with its places in
/// them: -1 where it is not there.
template <typename T, typename Take>
__device__ void for_union(const TypedRows<T, int, int>& a, const TypedRows<T, int, int>& b,
                          long long row, Take take) {
  const long long end_a = a.start(row + 1), end_b = b.start(row + 1);
  constexpr long long none = 1ll << 40;
  for (long long k = a.start(row), m = b.start(row); k < end_a || m < end_b;) {
    const long long of_a = k < end_a ? a.column(k) : none, of_b = m < end_b ? b.column(m) : none;
    take(of_a < of_b ? of_a : of_b, of_a <= of_b ? k : -1, of_b <= of_a ? m : -1);
    k += of_a <= of_b ? 1 : 0;
    m += of_b <= of_a ? 1 : 0;
  }
}

}  // namespace gridspan::libraries::sparse
