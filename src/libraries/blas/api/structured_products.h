// Products of symmetric, Hermitian and triangular matrices as products of general ones, which are
// fast. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A symmetric or Hermitian matrix is copied first, with both of its triangles. A triangular one is
// cut into strips of 64 rows or columns, and so is an updated triangle: what lies beside the block
// on the diagonal is a product of general matrices, the block is computed apart. Strips lie at
// fixed places, so bits do not depend on devices.
#pragma once

#include "libraries/blas/api/work.h"
#include "libraries/blas/kernels/gemm.h"
#include "libraries/blas/kernels/structured_parts.h"
#include "libraries/support/home.h"

#include <algorithm>
#include <type_traits>

namespace gridspan::libraries::blas {

/// alpha or beta as a number of T.
template <typename T, typename Scale>
Scalar<T> number_of(Work& work, const Scalar<Scale>& given, bool conjugates) {
  if constexpr (std::is_same_v<T, Scale>)
    if (!conjugates || std::is_floating_point_v<T>) return given;
  if (!given.place) {
    if constexpr (!std::is_same_v<T, Scale>)
      return {T{given.value, 0}, nullptr};
    else if constexpr (!std::is_floating_point_v<T>)
      return {T{given.value.x, -given.value.y}, nullptr};
  }
  T* const place = work.take<T>(1);
  work.step([&] { return launch_scalar<T, Scale>(given.place, conjugates, place, work.stream()); });
  return {zero<T>(), place};
}

template <typename T>
Gemm<T, T, T, T> plain_product(std::int64_t m, std::int64_t n, std::int64_t k, Scalar<T> alpha,
                               const T* a, std::int64_t lda, const T* b, std::int64_t ldb,
                               Scalar<T> beta, T* c, std::int64_t ldc, cudaStream_t stream) {
  Gemm<T, T, T, T> gemm;
  gemm.m = m, gemm.n = n, gemm.k = k;
  gemm.alpha = alpha, gemm.beta = beta;
  gemm.a.base = a, gemm.a.column = lda;
  gemm.b.base = b, gemm.b.column = ldb;
  gemm.c.base = c, gemm.c.column = ldc;
  gemm.stream = stream;
  return gemm;
}

/// One call's product, with its factors as numbers of T.
template <typename T>
class StructuredCall {
 public:
  template <typename Scale, typename BetaScale>
  StructuredCall(Work& work, const StructuredProduct<Scale, T>& p, const Scalar<BetaScale>& beta)
      : work_(work),
        m_(p.m),
        n_(p.n),
        k_(p.k),
        alpha_(number_of<T>(work, p.alpha, p.conjugates_alpha)),
        beta_(number_of<T>(work, beta, false)),
        left_(whole(p.left, p.m, p.k)),
        right_(whole(p.right, p.k, p.n)),
        c_(p.c),
        ldc_(p.c_column),
        triangle_(p.triangle),
        has_real_diagonal_(p.has_real_diagonal) {}

  void run() {
    if (triangle_ != Triangle::all)
      update();
    else if (left_.structure == Structure::triangular)
      multiply_from_left();
    else if (right_.structure == Structure::triangular)
      multiply_from_right();
    else
      multiply(m_, n_, k_, alpha_, left_.base, right_.base, beta_, c_);
  }

 private:
  using Size = std::int64_t;

  /// The operand, or a copy that is neither transposed nor conjugated nor symmetric.
  Operand<T> whole(const Operand<T>& x, Size rows, Size columns) {
    const bool is_triangular = x.structure == Structure::triangular;
    if (!x.transposed && (is_triangular || x.structure == Structure::general)) return x;
    T* const copy = work_.take<T>(rows * columns);
    work_.step([&] { return launch_full(rows, columns, x, copy, work_.stream()); });
    Operand<T> result;
    result.base = copy;
    result.lead = rows;
    if (is_triangular) {
      result.structure = x.structure;
      result.stored = x.stored == Triangle::lower ? Triangle::upper : Triangle::lower;
      result.has_unit_diagonal = x.has_unit_diagonal;
    }
    return result;
  }

  void multiply(Size m, Size n, Size k, Scalar<T> alpha, const T* a, const T* b, Scalar<T> beta,
                T* c) {
    if (m == 0 || n == 0) return;
    work_.step([&] {
      return launch(plain_product(m, n, k, alpha, a, left_.lead, b, right_.lead, beta, c, ldc_,
                                  work_.stream()));
    });
  }

  /// The triangle of C: strips of rows.
  void update() {
    T* const sums = work_.take<T>(diagonal_block * diagonal_block);
    const Scalar<T> nothing{zero<T>(), nullptr};
    for (Size first = 0; first < n_; first += diagonal_block) {
      const Size end = std::min(first + diagonal_block, n_), rows = end - first;
      const T *const a = left_.base + first, *const b = right_.base + first * right_.lead;
      if (triangle_ == Triangle::lower)
        multiply(rows, first, k_, alpha_, a, right_.base, beta_, c_ + first);
      else
        multiply(rows, n_ - end, k_, alpha_, a, right_.base + end * right_.lead, beta_,
                 c_ + first + end * ldc_);
      work_.step([&] {
        return launch(plain_product(rows, rows, k_, alpha_, a, left_.lead, b, right_.lead, nothing,
                                    sums, rows, work_.stream()));
      });
      work_.step([&] {
        return launch_triangle(rows, sums, rows, beta_, c_ + first * (ldc_ + 1), ldc_, triangle_,
                               has_real_diagonal_, work_.stream());
      });
    }
  }

  void multiply_diagonal(bool from_left) {
    const Operand<T>& triangular = from_left ? left_ : right_;
    const Operand<T>& other = from_left ? right_ : left_;
    work_.step([&] {
      return launch_diagonal_blocks(from_left, m_, n_, alpha_, triangular, other.base, other.lead,
                                    c_, ldc_, work_.stream());
    });
  }

  /// Strips of rows. Terms are added in the order of k: what an upper triangle has beside the
  /// diagonal comes after it.
  void multiply_from_left() {
    const bool is_lower = left_.stored == Triangle::lower;
    const Scalar<T> kept{is_lower ? zero<T>() : one<T>(), nullptr};
    if (!is_lower) multiply_diagonal(true);
    for (Size first = 0; first < m_; first += diagonal_block) {
      const Size end = std::min(first + diagonal_block, m_);
      const Size begin = is_lower ? 0 : end, count = is_lower ? first : m_ - end;
      if (count > 0)
        multiply(end - first, n_, count, alpha_, left_.base + first + begin * left_.lead,
                 right_.base + begin, kept, c_ + first);
    }
    if (is_lower) multiply_diagonal(true);
  }

  /// Strips of columns.
  void multiply_from_right() {
    const bool is_lower = right_.stored == Triangle::lower;
    const Scalar<T> kept{is_lower ? one<T>() : zero<T>(), nullptr};
    if (is_lower) multiply_diagonal(false);
    for (Size first = 0; first < n_; first += diagonal_block) {
      const Size end = std::min(first + diagonal_block, n_);
      const Size begin = is_lower ? end : 0, count = is_lower ? n_ - end : first;
      if (count > 0)
        multiply(m_, end - first, count, alpha_, left_.base + begin * left_.lead,
                 right_.base + begin + first * right_.lead, kept, c_ + first * ldc_);
    }
    if (!is_lower) multiply_diagonal(false);
  }

  Work& work_;
  Size m_, n_, k_;
  Scalar<T> alpha_, beta_;
  Operand<T> left_, right_;
  T* c_;
  Size ldc_;
  Triangle triangle_;
  bool has_real_diagonal_;
};

/// So many products that copies and several launches cost little beside them, of sizes that the
/// kernels' subscripts hold. Where alpha is 0 nothing is read. On GPUs the strips of an updated
/// triangle are too little work, one after the other.
template <typename Scale, typename T>
bool is_worth_parts(const StructuredProduct<Scale, T>& p) {
  constexpr std::int64_t least = 1 << 13;
  const auto fits = [](const Operand<T>& x, std::int64_t rows, std::int64_t columns) {
    return fits_parts(rows, columns, x.lead) && fits_parts(columns, rows, x.lead);
  };
  return !(p.triangle != Triangle::all && is_home_on_gpu()) && p.k > 0 &&
         (p.alpha.place || !is_zero(p.alpha.value)) && p.c_row == 1 && p.m * p.n >= least / p.k &&
         fits(p.left, p.m, p.k) && fits(p.right, p.k, p.n) && fits_parts(p.m, p.n, p.c_column);
}

/// C = alpha left right + beta C; a triangular operand is multiplied with beta of 0.
template <typename Scale, typename BetaScale, typename T>
cublasStatus_t multiply_structured(const StructuredProduct<Scale, T>& p, Scalar<BetaScale> beta) {
  if (!is_worth_parts(p)) return status_of(launch_structured(p, beta));
  Work work(p.stream);
  StructuredCall<T> call(work, p, beta);
  call.run();
  const cublasStatus_t status = work.finish();
  // Without memory for copies elements are computed one by one.
  return status == CUBLAS_STATUS_ALLOC_FAILED ? status_of(launch_structured(p, beta)) : status;
}

}  // namespace gridspan::libraries::blas
