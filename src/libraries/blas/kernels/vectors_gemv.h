// The product of a real matrix and a vector, y = alpha op(A) x + beta y, as kernels: how it is
// launched. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/kernels/vectors.h"

namespace gridspan::libraries::blas {

/// A is `rows` by `columns`, as it is stored, its columns `lead` apart.
template <typename T>
struct Gemv {
  bool is_transposed = false;
  std::int64_t rows = 0, columns = 0;
  Scalar<T> alpha, beta;
  const T* a = nullptr;
  std::int64_t lead = 0;
  Vector<const T> x;
  Vector<T> y;
  cudaStream_t stream = nullptr;
};

/// Are A's places ints?
template <typename T>
bool is_plain(const Gemv<T>& gemv) {
  constexpr std::int64_t most = INT32_MAX - 4096;
  return gemv.rows <= most && gemv.columns <= most && gemv.lead <= most / gemv.columns;
}

/// Of T float or double, where `is_plain`. Sizes are positive. Beta of 0 does not read y, alpha of
/// 0 neither A nor x.
template <typename T>
cudaError_t launch_gemv(const Gemv<T>& gemv);

}  // namespace gridspan::libraries::blas
