// Orthogonal and unitary matrices as products of reflectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/kernels/steps.h"

namespace gridspan::libraries::solver {

/// Q = H(0) H(1) … H(count - 1), H(i) = I - tau[i] v v^H. Column i of `a` has v below its diagonal
/// element, which is 1 in v, as those above are 0.
template <typename T>
struct Reflectors {
  const T* a;
  Size lead, rows, count;
  const T* tau;
};

namespace detail {
constexpr Size reflector_block = 32;
constexpr int qr_threads = 32;
}  // namespace detail

/// Elements of T that products with reflectors of `rows` work in; the other side of the matrix has
/// `width`: V, T, and V^H V or two of W.
constexpr Size reflectors_room(Size rows, Size width) {
  constexpr Size k = detail::reflector_block;
  return rows * k + k * k + std::max(k * k, 2 * k * width);
}

/// C = Q C, or C Q; Q^H if `adjoint`. C is m x n.
template <typename T>
void apply_reflectors(Steps& steps, bool from_left, bool adjoint, Reflectors<T> reflectors, Size m,
                      Size n, T* c, Size lead_c, T* work);

/// A = Q R: R in the upper triangle, the reflectors below. In place.
template <typename T>
void factor_qr(Steps& steps, Size m, Size n, T* a, Size lead, T* tau, T* work);
constexpr Size qr_room(Size m, Size n) { return reflectors_room(m, n); }

/// The first n columns of Q, m x n, over its k reflectors.
template <typename T>
void form_q(Steps& steps, Size m, Size n, Size k, T* a, Size lead, const T* tau, T* work);
constexpr Size form_room(Size m, Size n, Size k) { return m * k + reflectors_room(m, n); }

}  // namespace gridspan::libraries::solver
