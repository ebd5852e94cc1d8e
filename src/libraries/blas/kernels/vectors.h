// Operations on vectors, as kernels: how they are launched. A vector begins at `start`, its
// elements lie `step` apart. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/kernels/gemm.h"

namespace gridspan::libraries::blas {

template <typename T>
struct Vector {
  T* start = nullptr;
  std::int64_t step = 1;
};

/// x = alpha x
template <typename Scale, typename T>
cudaError_t launch_scal(std::int64_t count, Scalar<Scale> alpha, Vector<T> x, cudaStream_t stream);
/// y = alpha x + y
template <typename T>
cudaError_t launch_axpy(std::int64_t count, Scalar<T> alpha, Vector<const T> x, Vector<T> y,
                        cudaStream_t stream);
template <typename T>
cudaError_t launch_copy(std::int64_t count, Vector<const T> x, Vector<T> y, cudaStream_t stream);
template <typename T>
cudaError_t launch_swap(std::int64_t count, Vector<T> x, Vector<T> y, cudaStream_t stream);

enum class Sum { dot, dot_conjugated, norm, absolute };

/// Into *result, in device memory.
template <typename In, typename Out>
cudaError_t launch_sum(Sum sum, std::int64_t count, Vector<const In> x, Vector<const In> y,
                       Out* result, cudaStream_t stream);
/// The place, from 1, of the first element that is largest, or smallest, without its sign.
template <typename In, typename Index>
cudaError_t launch_search(bool largest, std::int64_t count, Vector<const In> x, Index* result,
                          cudaStream_t stream);

}  // namespace gridspan::libraries::blas
