// Sparse matrices: kernels over compressed rows, and how they are launched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row i has the elements from offsets[i] up to offsets[i + 1], each at column indices[k]. Columns
// of a matrix are the rows of its transpose, and a list of coordinates has offsets once they are
// counted: every format and operation is compressed rows first. A row is summed in order, so that
// the bits of a result do not depend on the number of devices.
#pragma once

#include "libraries/blas/kernels/gemm.h"

#include <cuComplex.h>
#include <cuda_runtime_api.h>

#include <cstdint>

namespace gridspan::libraries::sparse {

using blas::Scalar;

/// Offsets and indices begin at `base`; those that are long have 64 bits, others 32.
struct Rows {
  std::int64_t rows = 0, columns = 0, count = 0;
  const void* offsets = nullptr;
  const void* indices = nullptr;
  const void* values = nullptr;
  bool has_long_offsets = false, has_long_indices = false;
  int base = 0;
  bool conjugates = false;               // values are taken so
  const std::int64_t* places = nullptr;  // of each, in the matrix that these were made of
};

/// A dense matrix: element (i, j) of matrix b of a batch is start[i down + j right + b next].
template <typename T>
struct Dense {
  T* start = nullptr;
  std::int64_t down = 1, right = 1, next = 0;
};

// --- indices alone

/// offsets[i], for i up to `rows`: the first of `count` ascending row numbers that is at least i.
cudaError_t launch_offsets(const void* row_numbers, bool is_long, std::int64_t count,
                           std::int64_t rows, int base, void* offsets, cudaStream_t stream);
/// The row of each element, from `base`, of the width of the column indices.
cudaError_t launch_row_numbers(const Rows& matrix, void* row_numbers, cudaStream_t stream);
/// In place: sums of all before and of the own one. `sums` has room for a 1024th of the numbers.
cudaError_t launch_sums(void* numbers, bool is_long, std::int64_t count, std::int64_t* sums,
                        cudaStream_t stream);

/// Adds `base` to each.
cudaError_t launch_base(void* offsets, bool is_long, std::int64_t count, int base,
                        cudaStream_t stream);

/// Where elements come from if columns become rows: places[k] is the one that is k-th. Elements of
/// a column stay in the order of rows. `offsets` gets columns + 1 numbers; `cursors` has room for
/// as many, `sums` as for launch_sums.
cudaError_t launch_transposition(const Rows& matrix, void* offsets, std::int64_t* places,
                                 void* cursors, std::int64_t* sums, cudaStream_t stream);
/// to[k] = from[places[k]], of elements of 1, 2, 4, 8 or 16 bytes.
cudaError_t launch_rearrange(const void* from, void* to, int bytes, const std::int64_t* places,
                             std::int64_t count, cudaStream_t stream);

/// Columns of each row in order, in place; `numbers`, if there are any, move with them.
cudaError_t launch_sort(const Rows& matrix, int* indices, int* numbers, cudaStream_t stream);
/// 0, 1, 2 …
cudaError_t launch_identity(int* numbers, int count, cudaStream_t stream);
/// places[k] = numbers[k]; `turned`: places[numbers[k]] = k.
cudaError_t launch_places(const int* numbers, bool turned, std::int64_t* places, int count,
                          cudaStream_t stream);

// --- products

/// C = alpha A B + beta C, of `width` columns. C lies by rows or by columns: one of its strides
/// is 1. beta of 0 does not read C. B of `conjugates_b` is taken so.
template <typename T>
cudaError_t launch_product(const Rows& a, Scalar<T> alpha, Dense<const T> b, bool conjugates_b,
                           Scalar<T> beta, Dense<T> c, std::int64_t width, cudaStream_t stream);
/// Elements of C = alpha A B + beta C that C has; `depth` columns of A.
template <typename T>
cudaError_t launch_sampled_product(const Rows& c, T* values, Scalar<T> alpha, Dense<const T> a,
                                   Dense<const T> b, std::int64_t depth, Scalar<T> beta,
                                   cudaStream_t stream);
/// X of A X = alpha B, A the lower or upper triangle. A thread for each of `width` columns.
template <typename T>
cudaError_t launch_solve(const Rows& a, bool is_upper, bool has_unit_diagonal, Scalar<T> alpha,
                         Dense<const T> b, Dense<T> x, std::int64_t width, cudaStream_t stream);

/// A diagonal element of at most `tolerance` becomes `value`.
template <typename T>
struct Boost {
  bool is_on = false;
  Scalar<double> tolerance{};
  Scalar<T> value{};
};

/// A = L U at the places that A has, over the values; L has a unit diagonal. One thread. *pivot, in
/// device memory: the first row, from `base`, whose diagonal is 0 or not there, or -1. Not
/// `numeric`: only those that are not there are looked for.
template <typename T>
cudaError_t launch_incomplete_lu(const Rows& a, bool numeric, Boost<T> boost, T* values, int* pivot,
                                 cudaStream_t stream);

/// The lower triangle of A = L L^H at the places that A has there, over the values; the others are
/// neither read nor written. *pivot as above: also a diagonal that is not positive.
template <typename T>
cudaError_t launch_incomplete_cholesky(const Rows& a, bool numeric, T* values, int* pivot,
                                       cudaStream_t stream);

/// offsets[i + 1] = columns that row i of A or of B has; offsets[0] = 0. Columns are in order.
cudaError_t launch_count_union(const Rows& a, const Rows& b, int* offsets, cudaStream_t stream);
/// alpha A + beta B, to where `offsets`, from `base`, say.
template <typename T>
cudaError_t launch_add(const Rows& a, Scalar<T> alpha, const Rows& b, Scalar<T> beta,
                       const int* offsets, int base, int* indices, T* values, cudaStream_t stream);

/// The products of rows of A with elements of B, before equal columns are added up.
template <typename T>
struct Products {
  std::int64_t* offsets = nullptr;  // of A's rows, and one more
  std::int64_t* keys = nullptr;     // a column and a product's number in its row, 32 bits each
  T* values = nullptr;
};

/// offsets[i + 1] = how many row i has; offsets[0] = 0.
cudaError_t launch_count_products(const Rows& a, const Rows& b, std::int64_t* offsets,
                                  cudaStream_t stream);
/// Keys and values, keys in order; counts[i + 1] = how many columns row i has, counts[0] = 0.
template <typename T>
cudaError_t launch_multiply(const Rows& a, const Rows& b, Products<T> products,
                            std::int64_t* counts, cudaStream_t stream);
/// The sums, by alpha, and beta times what was there, into C, whose offsets from 0 are in `starts`.
/// Null `values`: offsets and indices only. Null `indices`: values only.
template <typename T>
cudaError_t launch_add_up(Products<T> products, const std::int64_t* starts, Scalar<T> alpha,
                          Scalar<T> beta, const Rows& c, void* offsets, void* indices, T* values,
                          cudaStream_t stream);

// --- dense matrices

/// Elements that the sparse matrix has; the others are left alone.
template <typename T>
cudaError_t launch_to_dense(const Rows& a, Dense<T> dense, cudaStream_t stream);
/// offsets[i + 1] = elements of row i other than 0; offsets[0] = 0.
template <typename T>
cudaError_t launch_count(Dense<const T> dense, std::int64_t rows, std::int64_t columns,
                         void* offsets, bool is_long, cudaStream_t stream);
/// Those elements, to where a's offsets say.
template <typename T>
cudaError_t launch_from_dense(Dense<const T> dense, const Rows& a, void* indices, T* values,
                              cudaStream_t stream);

/// values[k] = the element of `dense` that is a's k-th.
template <typename T>
cudaError_t launch_pick(Dense<const T> dense, const Rows& a, T* values, cudaStream_t stream);

// --- vectors with few elements

/// Indices and values.
template <typename T>
struct Few {
  std::int64_t count = 0;
  const void* indices = nullptr;
  T* values = nullptr;
  bool is_long = false;
  int base = 0;
};

/// y = alpha x + beta y, of `size` elements. Indices differ.
template <typename T>
cudaError_t launch_axpby(Scalar<T> alpha, Few<const T> x, Scalar<T> beta, T* y, std::int64_t size,
                         cudaStream_t stream);
/// (x, y) = (c x + s y, c y - s x) at the places of x.
template <typename T>
cudaError_t launch_rotation(Scalar<T> c, Scalar<T> s, Few<T> x, T* y, cudaStream_t stream);
template <typename T>
cudaError_t launch_gather(const T* y, Few<T> x, cudaStream_t stream);
template <typename T>
cudaError_t launch_scatter(Few<const T> x, T* y, cudaStream_t stream);
/// Their product, into *result in device memory, summed in order.
template <typename T>
cudaError_t launch_dot(Few<const T> x, bool conjugates, const T* y, T* result, cudaStream_t stream);

}  // namespace gridspan::libraries::sparse
