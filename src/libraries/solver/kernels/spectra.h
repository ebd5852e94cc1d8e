// Eigenvalues of Hermitian matrices and singular values: through tridiagonal and bidiagonal
// matrices, whose values QL and QR sweeps find. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#pragma once

#include "libraries/solver/kernels/reflectors.h"

namespace gridspan::libraries::solver {

/// What sweeps did, in device memory, for those who ask.
struct SweepReport {
  double residual;  // the norm of what is not on the diagonal
  int sweeps;       // the most that a value took
};

/// Bytes that `eigenvalues` works in.
template <typename T>
std::size_t eigenvalues_room(Size n);
/// W: the eigenvalues, ascending. A, of which one triangle is read, becomes the vectors if they are
/// wanted. *info: how many elements beside the diagonal are left, or 0.
template <typename T>
void eigenvalues(Steps& steps, bool wants_vectors, bool is_lower, Size n, T* a, Size lead,
                 Real<T>* w, void* work, int* info, SweepReport* report);

/// Which of the eigenvalues: all, those in (low, high], or those from `first` to `last`, from 1.
struct Selection {
  enum class Kind { all, values, places } kind = Kind::all;
  double low = 0, high = 0;
  Size first = 1, last = 0;
};
/// W, and the vectors if they are wanted, begin with the selected ones. *count, in device memory:
/// how many these are; the number behind it is used, too.
template <typename T>
void select_eigenvalues(Steps& steps, const Selection& selection, bool wants_vectors, Size n, T* a,
                        Size lead, Real<T>* w, int* count);

/// A x = w B x, A B x = w x or B A x = w x
enum class Pencil { a_wb = 1, ab_w = 2, ba_w = 3 };
template <typename T>
std::size_t pencil_room(Size n);
/// B, positive definite, becomes its Cholesky factor. *info: n + its first minor that is not.
template <typename T>
void pencil_eigenvalues(Steps& steps, Pencil pencil, bool wants_vectors, bool is_lower, Size n,
                        T* a, Size lead, T* b, Size lead_b, Real<T>* w, void* work, int* info,
                        SweepReport* report);

/// Where vectors go: `columns` of them; none if 0.
template <typename T>
struct Vectors {
  T* base = nullptr;
  Size lead = 1, columns = 0;
};
template <typename T>
std::size_t singular_room(Size m, Size n);
/// A = U diag(S) V^H, m >= n, S descending; V has n rows. A is not changed, but U or V may lie over
/// it.
template <typename T>
void singular_values(Steps& steps, Size m, Size n, View<const T> a, Real<T>* s, Vectors<T> u,
                     Vectors<T> v, void* work, int* info, SweepReport* report);

}  // namespace gridspan::libraries::solver
