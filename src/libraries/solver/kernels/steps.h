// What algorithms of many kernels are written with: launches one after the other until one fails,
// matrices as products take them, workspaces. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#pragma once

#include "libraries/blas/kernels/gemm.h"
#include "libraries/solver/kernels/arithmetic.h"
#include "libraries/support/start_kernel.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>

namespace gridspan::libraries::solver {

using Size = std::int64_t;

/// Launches on a stream. After one that fails nothing more is begun.
class Steps {
 public:
  explicit Steps(cudaStream_t stream) : stream_(stream) {}

  template <typename... Parameters, typename... Arguments>
  void start(void (*kernel)(Parameters...), dim3 grid, dim3 block, Arguments... arguments) {
    if (error_ == cudaSuccess) error_ = start_kernel(kernel, grid, block, stream_, arguments...);
  }
  void note(cudaError_t error) {
    if (error_ == cudaSuccess) error_ = error;
  }
  void zero(void* place, std::size_t bytes) {
    if (error_ == cudaSuccess) error_ = cudaMemsetAsync(place, 0, bytes, stream_);
  }
  cudaError_t error() const { return error_; }
  cudaStream_t stream() const { return stream_; }

 private:
  cudaStream_t stream_;
  cudaError_t error_ = cudaSuccess;
};

inline unsigned blocks_for(Size count, Size size) {
  return static_cast<unsigned>((count + size - 1) / size);
}

/// Element (i, j) is base[i row + j column], or its conjugate.
template <typename T>
struct View {
  T* base = nullptr;
  Size row = 1, column = 0;
  bool conjugates = false;

  View block(Size i, Size j) const {
    return {base + i * row + j * column, row, column, conjugates};
  }
  View transposed() const { return {base, column, row, conjugates}; }
  View adjoint() const { return {base, column, row, !conjugates}; }
  View<const T> read() const { return {base, row, column, conjugates}; }
};

/// C = alpha A B + beta C; A is m x k.
template <typename T>
void multiply(Steps& steps, Size m, Size n, Size k, Real<T> alpha, View<const T> a, View<const T> b,
              Real<T> beta, View<T> c) {
  if (m <= 0 || n <= 0) return;
  if (c.row != 1) {
    multiply<T>(steps, n, m, k, alpha, b.transposed(), a.transposed(), beta, c.transposed());
    return;
  }
  using P = typename Element<T>::Public;
  const auto scalar = [](Real<T> value) {
    const T whole = number<T>(value);
    return blas::Scalar<P>{reinterpret_cast<const P&>(whole), nullptr};
  };
  const auto operand = [](View<const T> x) {
    blas::Matrices<const P> result;
    result.base = reinterpret_cast<const P*>(x.base);
    result.row = x.row;
    result.column = x.column;
    result.conjugates = x.conjugates && Element<T>::is_complex;
    return result;
  };
  blas::Gemm<P, P, P, P> gemm;
  gemm.m = m;
  gemm.n = n;
  gemm.k = k;
  gemm.alpha = scalar(alpha);
  gemm.beta = scalar(beta);
  gemm.a = operand(a);
  gemm.b = operand(b);
  gemm.c.base = reinterpret_cast<P*>(c.base);
  gemm.c.column = c.column;
  gemm.stream = steps.stream();
  if (steps.error() == cudaSuccess) steps.note(blas::launch(gemm));
}

/// Takes arrays out of a workspace, one after the other. Without one it counts.
class Layout {
 public:
  explicit Layout(void* place) : place_(static_cast<char*>(place)) {}

  template <typename T>
  T* take(Size count) {
    const std::size_t aligned = (bytes_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    bytes_ = aligned + static_cast<std::size_t>(std::max<Size>(count, 0)) * sizeof(T);
    return place_ ? reinterpret_cast<T*>(place_ + aligned) : nullptr;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  char* place_;
  std::size_t bytes_ = 0;
};

}  // namespace gridspan::libraries::solver
