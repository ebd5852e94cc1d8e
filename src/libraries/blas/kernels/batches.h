// Factors and systems of many small matrices: how the kernels are launched. A block of threads
// takes a matrix, or a right-hand side. Arrays of pointers are in device memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/kernels/arithmetic.h"

#include <cublas_api.h>

#include <cstdint>

namespace gridspan::libraries::blas {

/// Each A = P L U, in place. infos[i]: the first diagonal element of U, from 1, that is 0, or 0.
/// Without pivots rows stay where they are.
template <typename T>
cudaError_t launch_lu_each(std::int64_t n, T* const* a, std::int64_t lead, int* pivots, int* infos,
                           std::int64_t batch_count, cudaStream_t stream);
/// X of op(A) X = B.
template <typename T>
cudaError_t launch_lu_solve_each(cublasOperation_t operation, std::int64_t n, std::int64_t width,
                                 const T* const* a, std::int64_t lead, const int* pivots,
                                 T* const* b, std::int64_t lead_b, std::int64_t batch_count,
                                 cudaStream_t stream);
/// C = A^-1, unless U has a 0 on its diagonal, which infos[i] names.
template <typename T>
cudaError_t launch_lu_invert_each(std::int64_t n, const T* const* a, std::int64_t lead,
                                  const int* pivots, T* const* c, std::int64_t lead_c, int* infos,
                                  std::int64_t batch_count, cudaStream_t stream);
/// The same of matrices that are not factored, and stay so: n is at most 32.
template <typename T>
cudaError_t launch_invert_each(std::int64_t n, const T* const* a, std::int64_t lead, T* const* c,
                               std::int64_t lead_c, int* infos, std::int64_t batch_count,
                               cudaStream_t stream);

/// Each A = Q R: reflectors below R, in place; their factors where an array says, or one after the
/// other.
template <typename T>
cudaError_t launch_qr_each(std::int64_t m, std::int64_t n, T* const* a, std::int64_t lead,
                           T* const* taus, T* tau, std::int64_t batch_count, cudaStream_t stream);
/// C = R^-1 Q^H C, m >= n, unless R has a 0 on its diagonal, which infos[i] names if there are any.
template <typename T>
cudaError_t launch_least_squares_each(std::int64_t m, std::int64_t n, std::int64_t width,
                                      const T* const* a, std::int64_t lead, const T* tau,
                                      T* const* c, std::int64_t lead_c, int* infos,
                                      std::int64_t batch_count, cudaStream_t stream);

}  // namespace gridspan::libraries::blas
