// Products of reflectors: the kernels. Included by a file for each group of element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of reflectors are I - V T V^H (R. Schreiber, C. Van Loan, A storage-efficient WY
// representation for products of Householder transformations, 1989), so that all but narrow panels
// is products of matrices.
#pragma once

#include "libraries/solver/kernels/factors.h"
#include "libraries/solver/kernels/reduction.h"
#include "libraries/solver/kernels/reflectors.h"

namespace gridspan::libraries::solver {
namespace detail {

/// By one block: columns one after the other.
template <typename T>
__global__ void qr_panel(T* a, long long lead, long long m, long long n, T* tau) {
  __shared__ Real<T> room[reducing_threads];
  __shared__ T sums[reflector_block][qr_threads];
  __shared__ T products[reflector_block];
  const int thread = threadIdx.x;
  const long long count = m < n ? m : n;
  for (long long j = 0; j < count; ++j) {
    T* const column = a + j * lead;
    const Reflector<T> h = find_reflector(column[j], column + j + 1, 1LL, m - j - 1, room);
    __syncthreads();
    for (long long i = j + 1 + thread; i < m; i += reducing_threads) column[i] = h.v_of(column[i]);
    if (thread == 0) {
      tau[j] = h.tau;
      column[j] = number<T>(h.beta);
    }
    __syncthreads();
    if (thread < qr_threads)
      for (long long k = j + 1; k < n; ++k) {
        T sum = number<T>(0);
        for (long long i = j + 1 + thread; i < m; i += qr_threads)
          sum = sum + conj(column[i]) * a[i + k * lead];
        sums[k][thread] = sum;
      }
    __syncthreads();
    if (thread > j && thread < n) {
      T sum = a[j + thread * lead];
      for (int i = 0; i < qr_threads; ++i) sum = sum + sums[thread][i];
      sum = conj(h.tau) * sum;
      products[thread] = sum;
      a[j + thread * lead] = a[j + thread * lead] - sum;
    }
    __syncthreads();
    for (long long i = j + 1 + thread; i < m; i += reducing_threads)
      for (long long k = j + 1; k < n; ++k)
        a[i + k * lead] = a[i + k * lead] - column[i] * products[k];
    __syncthreads();
  }
}

/// V with what a column of reflectors means above its vector.
template <typename T>
__global__ void whole_vectors(long long m, long long k, const T* a, long long lead, T* v) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = blockIdx.y;
  if (i >= m || j >= k) return;
  v[i + j * m] = i < j ? number<T>(0) : i == j ? number<T>(1) : a[i + j * lead];
}

/// T of I - V T V^H, from V^H V. A thread for each row.
template <typename T>
__global__ void block_factor(int k, const T* gram, const T* tau, T* t) {
  const int row = threadIdx.x;
  if (row >= k) return;
  for (int j = 0; j < k; ++j) {
    T sum = number<T>(0);
    for (int l = row; l < j; ++l) sum = sum + t[row + l * k] * gram[l + j * k];
    t[row + j * k] = row > j ? number<T>(0) : row == j ? tau[j] : -(tau[j] * sum);
  }
}

/// C = (I - V T V^H) C, or C (I - V T V^H); T^H if `adjoint`. `work` has room for two of W.
template <typename T>
void apply_block(Steps& steps, bool from_left, bool adjoint, Size rows, Size k, const T* v,
                 const T* t, Size width, View<T> c, T* work) {
  const View<const T> vectors = {v, 1, rows}, square = {t, 1, k};
  const View<const T> factor = adjoint ? square.adjoint() : square;
  if (from_left) {
    const View<T> first = {work, 1, k}, second = {work + k * width, 1, k};
    multiply<T>(steps, k, width, rows, 1, vectors.adjoint(), c.read(), 0, first);
    multiply<T>(steps, k, width, k, 1, factor, first.read(), 0, second);
    multiply<T>(steps, rows, width, k, -1, vectors, second.read(), 1, c);
  } else {
    const View<T> first = {work, 1, width}, second = {work + k * width, 1, width};
    multiply<T>(steps, width, k, rows, 1, c.read(), vectors, 0, first);
    multiply<T>(steps, width, k, k, 1, first.read(), factor, 0, second);
    multiply<T>(steps, width, rows, k, -1, second.read(), vectors.adjoint(), 1, c);
  }
}

/// V and T of a block of reflectors, into `work`.
template <typename T>
struct Block {
  T* v;
  T* t;
  T* rest;
};
template <typename T>
Block<T> form_block(Steps& steps, Size rows, Size k, const T* a, Size lead, const T* tau, T* work) {
  const Block<T> block = {work, work + rows * k, work + rows * k + k * k};
  steps.start(whole_vectors<T>, dim3(blocks_for(rows, 128), static_cast<unsigned>(k)), 128, rows, k,
              a, lead, block.v);
  const View<const T> vectors = {block.v, 1, rows};
  multiply<T>(steps, k, k, rows, 1, vectors.adjoint(), vectors, 0, View<T>{block.rest, 1, k});
  steps.start(block_factor<T>, 1, static_cast<unsigned>(reflector_block), static_cast<int>(k),
              block.rest, tau, block.t);
  return block;
}

}  // namespace detail

template <typename T>
void apply_reflectors(Steps& steps, bool from_left, bool adjoint, Reflectors<T> q, Size m, Size n,
                      T* c, Size lead_c, T* work) {
  if (m <= 0 || n <= 0) return;
  const View<T> whole = {c, 1, lead_c};
  const Size blocks = (q.count + detail::reflector_block - 1) / detail::reflector_block;
  // Q C begins with the last reflector, C Q with the first.
  const bool is_upwards = from_left == adjoint;
  for (Size step = 0; step < blocks; ++step) {
    const Size first = (is_upwards ? step : blocks - 1 - step) * detail::reflector_block;
    const Size k = std::min(detail::reflector_block, q.count - first), rows = q.rows - first;
    const detail::Block<T> block = detail::form_block(steps, rows, k, q.a + first + first * q.lead,
                                                      q.lead, q.tau + first, work);
    detail::apply_block(steps, from_left, adjoint, rows, k, block.v, block.t, from_left ? n : m,
                        from_left ? whole.block(first, 0) : whole.block(0, first), block.rest);
  }
}

template <typename T>
void factor_qr(Steps& steps, Size m, Size n, T* a, Size lead, T* tau, T* work) {
  const View<T> whole = {a, 1, lead};
  const Size shorter = std::min(m, n);
  for (Size first = 0; first < shorter; first += detail::reflector_block) {
    const Size k = std::min(detail::reflector_block, shorter - first), end = first + k;
    T* const panel = whole.block(first, first).base;
    steps.start(detail::qr_panel<T>, 1, static_cast<unsigned>(detail::reducing_threads), panel,
                lead, m - first, k, tau + first);
    if (n <= end) continue;
    const detail::Block<T> block =
        detail::form_block<T>(steps, m - first, k, panel, lead, tau + first, work);
    detail::apply_block(steps, true, true, m - first, k, block.v, block.t, n - end,
                        whole.block(first, end), block.rest);
  }
}

template <typename T>
void form_q(Steps& steps, Size m, Size n, Size k, T* a, Size lead, const T* tau, T* work) {
  if (m <= 0 || n <= 0) return;
  const View<T> whole = {a, 1, lead}, kept = {work, 1, m};
  copy<T>(steps, Part::all, false, m, k, whole.read(), kept);
  set_identity(steps, m, n, a, lead);
  apply_reflectors<T>(steps, true, false, {work, m, m, k, tau}, m, n, a, lead, work + m * k);
}

}  // namespace gridspan::libraries::solver

#define GRIDSPAN_REFLECTORS(T)                                                                    \
  template void apply_reflectors<T>(Steps&, bool, bool, Reflectors<T>, Size, Size, T*, Size, T*); \
  template void factor_qr<T>(Steps&, Size, Size, T*, Size, T*, T*);                               \
  template void form_q<T>(Steps&, Size, Size, Size, T*, Size, const T*, T*);
