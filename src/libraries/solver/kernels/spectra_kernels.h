// Eigenvalues and singular values: the kernels. Included by a file for each group of element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread finds the rotations of QL or QR sweeps on a tridiagonal or bidiagonal matrix, O(n²),
// and writes them down; then each row of the vectors is rotated by itself, O(n³). How many sweeps
// there are is known only to the device: launches alternate as often as the most that are allowed
// need, and those after the last sweep find nothing to do. So nothing waits for the host, and a
// graph can hold it. (EISPACK's imtql2 and svd; G. Golub, C. Reinsch, Singular value decomposition
// and least squares solutions, 1970)
#pragma once

#include "libraries/solver/kernels/bidiagonal_kernels.h"
#include "libraries/solver/kernels/tridiagonal_kernels.h"

namespace gridspan::libraries::solver {
namespace detail {

template <typename T>
struct EigenRoom {
  using R = Real<T>;
  EigenRoom(void* place, Size n) {
    Layout layout(place);
    full = layout.take<T>(spaced(n) * n);
    v = layout.take<T>(n * n);
    tau = layout.take<T>(n);
    w = layout.take<T>(n);
    y = layout.take<T>(n);
    reflectors = layout.take<T>(reflectors_room(n, n));
    d = layout.take<R>(n);
    e = layout.take<R>(n);
    scale = layout.take<R>(1);
    cosines = layout.take<R>(rotations_at_once(n));
    sines = layout.take<R>(rotations_at_once(n));
    columns = layout.take<int>(rotations_at_once(n));
    sources = layout.take<int>(n);
    state = layout.take<Sweeping>(1);
    bytes = layout.bytes();
  }
  T *full, *v, *tau, *w, *y, *reflectors;
  R *d, *e, *scale, *cosines, *sines;
  int *columns, *sources;
  Sweeping* state;
  std::size_t bytes;
};

template <typename T>
struct PencilRoom {
  PencilRoom(void* place, Size n) {
    Layout layout(place);
    first = layout.take<T>(n * n);
    second = layout.take<T>(n * n);
    cholesky = layout.take<T>(cholesky_room(n));
    info = layout.take<int>(1);
    rest = layout.take<T>(static_cast<Size>(EigenRoom<T>(nullptr, n).bytes / sizeof(T)) + 1);
    bytes = layout.bytes();
  }
  T *first, *second, *cholesky, *rest;
  int* info;
  std::size_t bytes;
};

template <typename T>
struct SingularRoom {
  using R = Real<T>;
  SingularRoom(void* place, Size m, Size n) {
    Layout layout(place);
    a = layout.take<T>(spaced(m) * n);
    p = layout.take<T>(n * n);
    tau_q = layout.take<T>(n);
    tau_p = layout.take<T>(n);
    reflectors = layout.take<T>(reflectors_room(m, m));
    u = layout.take<R>(spaced(n) * n);
    v = layout.take<R>(spaced(n) * n);
    d = layout.take<R>(n);
    e = layout.take<R>(n);
    scale = layout.take<R>(1);
    list.cosines = layout.take<R>(rotations_at_once(n));
    list.sines = layout.take<R>(rotations_at_once(n));
    list.firsts = layout.take<int>(rotations_at_once(n));
    list.seconds = layout.take<int>(rotations_at_once(n));
    sources = layout.take<int>(n);
    state = layout.take<Sweeping>(1);
    bytes = layout.bytes();
  }
  T *a, *p, *tau_q, *tau_p, *reflectors;
  R *u, *v, *d, *e, *scale;
  Rotations<R> list;
  int* sources;
  Sweeping* state;
  std::size_t bytes;
};

/// Of a whole Hermitian matrix in room.full.
template <typename T>
void solve_whole(Steps& steps, bool wants_vectors, Size n, T* a, Size lead, Real<T>* w,
                 const EigenRoom<T>& room, int* info, SweepReport* report) {
  using R = Real<T>;
  constexpr unsigned threads = reducing_threads;
  const Size apart = spaced(n);
  steps.zero(room.e + n - 1, sizeof(R));
  for (Size j = 0; j < n; ++j) {
    steps.start(tridiagonal_column<T>, 1, threads, n, j, room.full, apart, room.v, room.w, room.y,
                room.tau, room.d, room.e);
    if (j + 1 < n)
      steps.start(tridiagonal_rows<T>, blocks_for(n - j - 1, 64), 64, n, j, room.full, apart,
                  room.v, room.w, room.y);
  }
  // The matrix is not needed any more.
  R* const z = reinterpret_cast<R*>(room.full);
  if (wants_vectors) set_identity<R>(steps, n, n, z, apart);
  steps.zero(room.state, sizeof *room.state);
  const Size launches = wants_vectors ? launches_for(n, n) : 1;
  for (Size i = 0; i < launches; ++i) {
    steps.start(find_eigenvalues<R>, 1, 1, n, room.d, room.e, wants_vectors, room.cosines,
                room.sines, room.columns, rotations_at_once(n), room.scale, room.state);
    if (wants_vectors)
      steps.start(rotate_columns<R>, blocks_for(n, 64), 64, n, z, apart, room.cosines, room.sines,
                  room.columns, room.state);
  }
  steps.start(conclude_eigenvalues<R>, 1, 1, n, room.d, room.e, room.scale, room.state, info,
              report);
  steps.start(order_values<R>, blocks_for(n, 64), 64, n, room.d, false, w, room.sources);
  if (!wants_vectors) return;
  steps.start(gather_vectors<T>, dim3(blocks_for(n, 128), static_cast<unsigned>(n)), 128, n, n, n,
              z, apart, room.d, false, room.sources, a, lead);
  if (n > 1)
    apply_reflectors<T>(steps, true, false, {room.v + 1, n, n - 1, n - 1, room.tau}, n - 1, n,
                        a + 1, lead, room.reflectors);
}

}  // namespace detail

template <typename T>
std::size_t eigenvalues_room(Size n) {
  return detail::EigenRoom<T>(nullptr, n).bytes;
}

template <typename T>
void eigenvalues(Steps& steps, bool wants_vectors, bool is_lower, Size n, T* a, Size lead,
                 Real<T>* w, void* work, int* info, SweepReport* report) {
  if (n == 0) return steps.zero(info, sizeof *info);
  const detail::EigenRoom<T> room(work, n);
  copy_hermitian<T>(steps, is_lower, n, a, lead, room.full, detail::spaced(n));
  detail::solve_whole(steps, wants_vectors, n, a, lead, w, room, info, report);
}

template <typename T>
void select_eigenvalues(Steps& steps, const Selection& selection, bool wants_vectors, Size n, T* a,
                        Size lead, Real<T>* w, int* count) {
  using R = Real<T>;
  if (n == 0) return steps.zero(count, sizeof *count);
  steps.start(detail::select_values<R>, 1, 1, static_cast<int>(selection.kind), n,
              static_cast<R>(selection.low), static_cast<R>(selection.high), selection.first,
              selection.last, w, count);
  if (wants_vectors) steps.start(detail::move_columns<T>, blocks_for(n, 64), 64, n, a, lead, count);
}

template <typename T>
std::size_t pencil_room(Size n) {
  return detail::PencilRoom<T>(nullptr, n).bytes;
}

template <typename T>
void pencil_eigenvalues(Steps& steps, Pencil pencil, bool wants_vectors, bool is_lower, Size n,
                        T* a, Size lead, T* b, Size lead_b, Real<T>* w, void* work, int* info,
                        SweepReport* report) {
  if (n == 0) return steps.zero(info, sizeof *info);
  const detail::PencilRoom<T> room(work, n);
  const detail::EigenRoom<T> inner(room.rest, n);
  cholesky<T>(steps, is_lower, n, b, lead_b, room.cholesky, room.info);
  View<const T> l = lower_of<const T>(is_lower, b, lead_b);
  l.conjugates = !is_lower;
  const View<T> first = {room.first, 1, n}, second = {room.second, 1, n},
                full = {inner.full, 1, detail::spaced(n)};
  copy_hermitian<T>(steps, is_lower, n, a, lead, first.base, n);
  if (pencil == Pencil::a_wb) {
    // L^-1 A L^-H: twice L^-1, each time of the adjoint.
    solve_triangle<T>(steps, true, false, n, n, l, first);
    copy<T>(steps, Part::all, false, n, n, first.read().adjoint(), full);
    solve_triangle<T>(steps, true, false, n, n, l, full);
  } else {
    // L^H A L
    copy<T>(steps, Part::lower, true, n, n, l, full);
    multiply<T>(steps, n, n, n, 1, first.read(), full.read(), 0, second);
    copy<T>(steps, Part::all, false, n, n, full.read(), first);
    multiply<T>(steps, n, n, n, 1, first.read().adjoint(), second.read(), 0, full);
  }
  detail::solve_whole(steps, wants_vectors, n, a, lead, w, inner, info, report);
  steps.start(detail::join_infos<T>, 1, 1, n, room.info, info);
  if (!wants_vectors) return;
  const View<T> x = {a, 1, lead};
  if (pencil != Pencil::ba_w) {
    solve_triangle<T>(steps, false, false, n, n, l.adjoint(), x);
  } else {
    copy<T>(steps, Part::all, false, n, n, x.read(), second);
    copy<T>(steps, Part::lower, true, n, n, l, first);
    multiply<T>(steps, n, n, n, 1, first.read(), second.read(), 0, x);
  }
}

template <typename T>
std::size_t singular_room(Size m, Size n) {
  return detail::SingularRoom<T>(nullptr, m, n).bytes;
}

template <typename T>
void singular_values(Steps& steps, Size m, Size n, View<const T> a, Real<T>* s, Vectors<T> u,
                     Vectors<T> v, void* work, int* info, SweepReport* report) {
  using R = Real<T>;
  if (n == 0) {
    steps.zero(info, sizeof *info);
    if (u.columns > 0) set_identity<T>(steps, m, u.columns, u.base, u.lead);
    return;
  }
  const detail::SingularRoom<T> room(work, m, n);
  constexpr unsigned threads = detail::reducing_threads;
  const Size apart = detail::spaced(m), apart_n = detail::spaced(n);
  copy<T>(steps, Part::all, false, m, n, a, View<T>{room.a, 1, apart});
  steps.zero(room.e, sizeof(R));
  for (Size k = 0; k < n; ++k) {
    steps.start(detail::bidiagonal_column<T>, 1, threads, m, k, room.a, apart, room.tau_q, room.d);
    if (k + 1 == n) break;
    steps.start(detail::bidiagonal_columns<T>, static_cast<unsigned>(n - k - 1), threads, m, k,
                room.a, apart, room.tau_q);
    steps.start(detail::bidiagonal_row<T>, 1, threads, n, k, room.a, apart, room.p, room.tau_p,
                room.e);
    if (k + 1 < m)
      steps.start(detail::bidiagonal_rows<T>, blocks_for(m - k - 1, 64), 64, m, n, k, room.a, apart,
                  room.p, room.tau_p);
  }
  R* const u_rotated = u.columns > 0 ? room.u : nullptr;
  R* const v_rotated = v.columns > 0 ? room.v : nullptr;
  if (u_rotated) set_identity<R>(steps, n, n, u_rotated, apart_n);
  if (v_rotated) set_identity<R>(steps, n, n, v_rotated, apart_n);
  steps.zero(room.state, sizeof *room.state);
  const bool writes = u_rotated || v_rotated;
  const Size launches = writes ? detail::launches_for(n, 2 * n) : 1;
  for (Size i = 0; i < launches; ++i) {
    steps.start(detail::find_singular_values<R>, 1, 1, n, room.d, room.e, writes, room.list,
                detail::rotations_at_once(n), room.scale, room.state);
    if (writes)
      steps.start(detail::rotate_both<R>, blocks_for(n, 64), 64, n, u_rotated, v_rotated, apart_n,
                  room.list, room.state);
  }
  steps.start(detail::conclude_singular_values<R>, 1, 1, n, room.d, room.e, room.scale, room.state,
              info, report);
  steps.start(detail::order_values<R>, blocks_for(n, 64), 64, n, room.d, true, s, room.sources);
  if (u_rotated) {
    steps.start(detail::gather_vectors<T>,
                dim3(blocks_for(m, 128), static_cast<unsigned>(u.columns)), 128, m, u.columns, n,
                u_rotated, apart_n, room.d, false, room.sources, u.base, u.lead);
    apply_reflectors<T>(steps, true, false, {room.a, apart, m, n, room.tau_q}, m, u.columns, u.base,
                        u.lead, room.reflectors);
  }
  if (v_rotated) {
    steps.start(detail::gather_vectors<T>,
                dim3(blocks_for(n, 128), static_cast<unsigned>(v.columns)), 128, n, v.columns, n,
                v_rotated, apart_n, room.d, true, room.sources, v.base, v.lead);
    if (n > 1)
      apply_reflectors<T>(steps, true, false, {room.p + 1, n, n - 1, n - 1, room.tau_p}, n - 1,
                          v.columns, v.base + 1, v.lead, room.reflectors);
  }
}

}  // namespace gridspan::libraries::solver

#define GRIDSPAN_SPECTRA(T)                                                                     \
  template std::size_t eigenvalues_room<T>(Size);                                               \
  template void eigenvalues<T>(Steps&, bool, bool, Size, T*, Size, Real<T>*, void*, int*,       \
                               SweepReport*);                                                   \
  template void select_eigenvalues<T>(Steps&, const Selection&, bool, Size, T*, Size, Real<T>*, \
                                      int*);                                                    \
  template std::size_t pencil_room<T>(Size);                                                    \
  template void pencil_eigenvalues<T>(Steps&, Pencil, bool, bool, Size, T*, Size, T*, Size,     \
                                      Real<T>*, void*, int*, SweepReport*);                     \
  template std::size_t singular_room<T>(Size, Size);                                            \
  template void singular_values<T>(Steps&, Size, Size, View<const T>, Real<T>*, Vectors<T>,     \
                                   Vectors<T>, void*, int*, SweepReport*);
