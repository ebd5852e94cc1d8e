// What cuBLASLt does to a product: bias, functions and their gradients, sums of rows: how the
// kernels are launched. Real numbers, complex ones have a bias only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/kernels/gemm.h"

namespace gridspan::libraries::blas {

enum class Function { none, relu, gelu, relu_gradient, gelu_gradient };

/// In place: x = f(x + bias). Element (i, j) of product z is base[i * row + j * column + z *
/// batch].
template <typename T>
struct Epilogue {
  std::int64_t m = 0, n = 0, batch_count = 1;
  T* base = nullptr;
  std::int64_t row = 1, column = 0, batch = 0;
  Function function = Function::none;
  const T* bias = nullptr;  // one for each row
  std::int64_t bias_batch = 0;
  /// Columns of numbers: what gelu is of is written, what its gradient is of is read.
  T* aux = nullptr;
  std::int64_t aux_column = 0, aux_batch = 0;
  /// Columns of bits, one for each positive number: what the gradient of relu reads. Steps are in
  /// bits.
  const unsigned char* mask = nullptr;
  std::int64_t mask_column = 0, mask_batch = 0;
  cudaStream_t stream = nullptr;
};
template <typename T>
cudaError_t launch_epilogue(const Epilogue<T>& epilogue);
/// Writes the bits: mask_column is a multiple of 8.
template <typename T>
cudaError_t launch_mask(const Epilogue<T>& epilogue, unsigned char* mask);

/// sums[i + z * m]: the sum of row i of product z, in the order of its columns.
template <typename T>
cudaError_t launch_row_sums(std::int64_t m, std::int64_t n, std::int64_t batch_count,
                            Matrices<const T> matrix, T* sums, cudaStream_t stream);

/// *result: the largest of all elements without their signs.
template <typename T>
cudaError_t launch_largest(const Epilogue<T>& matrix, float* result);

}  // namespace gridspan::libraries::blas
