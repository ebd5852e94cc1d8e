// The product of general matrices, C = alpha op(A) op(B) + beta C, as kernels: how it is launched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace gridspan::libraries::blas {

/// A matrix, or one for each product of a batch: `base` and a distance, or an array of pointers in
/// device memory. Element (i, j) of product z is base[i * row + j * column + z * batch].
template <typename T>
struct Matrices {
  T* base = nullptr;
  T* const* array = nullptr;
  std::int64_t row = 1, column = 0, batch = 0;
  bool conjugates = false;
};

/// A number, or where it is in device memory.
template <typename T>
struct Scalar {
  T value;
  const T* place = nullptr;
};

/// Computes in Sum; alpha and beta are of type Scale; A and B have elements In, C has Out.
template <typename Sum, typename Scale, typename In, typename Out>
struct Gemm {
  std::int64_t m = 0, n = 0, k = 0, batch_count = 1;
  Scalar<Scale> alpha, beta;
  Matrices<const In> a, b;  // op(A), op(B): transposed by their steps
  Matrices<Out> c;
  cudaStream_t stream = nullptr;
};

/// Sizes are positive, except k, which may be 0. Beta of 0 does not read C, alpha of 0 neither A
/// nor B.
template <typename Sum, typename Scale, typename In, typename Out>
cudaError_t launch(const Gemm<Sum, Scale, In, Out>& gemm);

/// The transposed matrix of one with `rows` columns, conjugated or not, columns by columns. All
/// subscripts are ints.
template <typename T>
cudaError_t launch_transposed(std::int64_t rows, std::int64_t columns, const T* from,
                              std::int64_t lead, bool conjugates, T* to, cudaStream_t stream);

}  // namespace gridspan::libraries::blas
