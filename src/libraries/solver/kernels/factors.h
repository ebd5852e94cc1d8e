// Factors of dense matrices, and systems solved with them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of fixed sizes, from the upper left corner: what a result's bits depend on is the matrix
// alone. *info, in device memory, is set by each of them.
#pragma once

#include "libraries/solver/kernels/steps.h"

#include <cublas_api.h>

namespace gridspan::libraries::solver {

/// A triangle of a Hermitian matrix as if it were the lower one: of an upper one the columns are
/// the conjugated rows.
template <typename T>
View<T> lower_of(bool is_lower, T* base, Size lead) {
  return is_lower ? View<T>{base, 1, lead, false} : View<T>{base, lead, 1, false};
}

/// Row numbers from 1, of 32 or 64 bits. Null: rows stay where they are.
struct Pivots {
  void* place = nullptr;
  bool is_long = false;
};

/// Elements of T that `cholesky` works in.
constexpr Size cholesky_room(Size n) { return 64 * n; }
/// A = L L^H, or U^H U: in place; the other triangle is not read. *info: the first leading minor,
/// from 1, that is not positive definite, or 0.
template <typename T>
void cholesky(Steps& steps, bool is_lower, Size n, T* a, Size lead, T* work, int* info);
/// The same for each of a batch, whose arrays are in device memory.
template <typename T>
void cholesky_batched(Steps& steps, bool is_lower, Size n, T* const* a, Size lead, int* infos,
                      Size batch_count);
/// X of A X = B, of which L L^H = A or U^H U are known.
template <typename T>
void solve_cholesky(Steps& steps, bool is_lower, Size n, Size width, const T* a, Size lead, T* b,
                    Size lead_b);
template <typename T>
void solve_cholesky_batched(Steps& steps, bool is_lower, Size n, Size width, T* const* a, Size lead,
                            T* const* b, Size lead_b, Size batch_count);
/// Elements of T that `invert_cholesky` works in.
constexpr Size inverse_room(Size n) { return n * n; }
/// The triangle of the inverse of L L^H, or of U^H U, in place. *info: the first diagonal element,
/// from 1, that is 0, or 0.
template <typename T>
void invert_cholesky(Steps& steps, bool is_lower, Size n, T* a, Size lead, T* work, int* info);

/// A = P L U, in place. *info: the first diagonal element of U, from 1, that is 0, or 0.
template <typename T>
void factor_lu(Steps& steps, Size m, Size n, T* a, Size lead, Pivots pivots, int* info);
/// X of op(A) X = B.
template <typename T>
void solve_lu(Steps& steps, cublasOperation_t operation, Size n, Size width, const T* a, Size lead,
              Pivots pivots, T* b, Size lead_b);
/// Rows first … last - 1 of A change places, in this order or the other.
template <typename T>
void exchange_rows(Steps& steps, Size columns, T* a, Size lead, Pivots pivots, Size first,
                   Size last, bool backwards, Size pivot_step = 1);

/// X of A X = B, A a triangle; B becomes X.
template <typename T>
void solve_triangle(Steps& steps, bool is_lower, bool has_unit_diagonal, Size n, Size width,
                    View<const T> a, View<T> b);

/// A = I.
template <typename T>
void set_identity(Steps& steps, Size m, Size n, T* a, Size lead);
/// B = A, or the triangle of it. Elements outside of it become 0 if `clears`.
enum class Part { all, lower, upper };
template <typename T>
void copy(Steps& steps, Part part, bool clears, Size m, Size n, View<const T> a, View<T> b);
/// B = A + B
template <typename T>
void add(Steps& steps, Size m, Size n, View<const T> a, View<T> b);
/// *info: the first diagonal element, from 1, that is 0, or 0.
template <typename T>
void find_zero(Steps& steps, Size n, const T* a, Size lead, int* info);
/// B = the Hermitian matrix of which A has a triangle.
template <typename T>
void copy_hermitian(Steps& steps, bool is_lower, Size n, const T* a, Size lead, T* b, Size lead_b);

}  // namespace gridspan::libraries::solver
