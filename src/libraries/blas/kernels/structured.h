// Products and systems of symmetric, Hermitian and triangular matrices, sums of matrices, as
// kernels: how they are launched. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/kernels/vectors.h"

namespace gridspan::libraries::blas {

enum class Structure { general, symmetric, hermitian, triangular };
enum class Triangle { all, lower, upper };

/// op(M): element (i, j) of M is base[i + j * lead], or that which the stored triangle stands for.
template <typename T>
struct Operand {
  const T* base = nullptr;
  std::int64_t lead = 0;
  bool transposed = false, conjugates = false;
  Structure structure = Structure::general;
  Triangle stored = Triangle::all;
  bool has_unit_diagonal = false;
};

/// C = alpha left right + beta C, in a triangle of C or all of it. A Hermitian C has a real
/// diagonal.
template <typename Scale, typename T>
struct StructuredProduct {
  std::int64_t m = 0, n = 0, k = 0;
  Scalar<Scale> alpha;
  bool conjugates_alpha = false;
  Operand<T> left, right;
  T* c = nullptr;
  std::int64_t c_row = 1, c_column = 0;
  Triangle triangle = Triangle::all;
  bool has_real_diagonal = false;
  cudaStream_t stream = nullptr;
};
template <typename Scale, typename BetaScale, typename T>
cudaError_t launch_structured(const StructuredProduct<Scale, T>& product, Scalar<BetaScale> beta);

/// Solves op(A) X = alpha B, which X replaces: m equations, n right-hand sides. With arrays, many
/// systems.
template <typename T>
struct System {
  std::int64_t m = 0, n = 0, batch_count = 1;
  Scalar<T> alpha;
  Operand<T> a;  // triangular
  const T* const* a_array = nullptr;
  T* b = nullptr;
  T* const* b_array = nullptr;
  std::int64_t b_row = 1, b_column = 0;
  cudaStream_t stream = nullptr;
};
template <typename T>
cudaError_t launch_solve(const System<T>& system);

/// C = alpha op(A) + beta op(B); C may be A or B where that is not transposed.
template <typename T>
cudaError_t launch_geam(std::int64_t m, std::int64_t n, Scalar<T> alpha, Operand<T> a,
                        Scalar<T> beta, Operand<T> b, T* c, std::int64_t ldc, cudaStream_t stream);
/// C = diag(x) A, or A diag(x).
template <typename T>
cudaError_t launch_dgmm(bool by_rows, std::int64_t m, std::int64_t n, const T* a, std::int64_t lda,
                        Vector<const T> x, T* c, std::int64_t ldc, cudaStream_t stream);

}  // namespace gridspan::libraries::blas
