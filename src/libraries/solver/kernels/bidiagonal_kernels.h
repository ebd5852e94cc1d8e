// General matrices, made bidiagonal, and their singular values: the kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/kernels/reduction.h"
#include "libraries/solver/kernels/spectra.h"
#include "libraries/solver/kernels/sweeping.h"

namespace gridspan::libraries::solver::detail {

/// The reflector of column k, by one block.
template <typename T>
__global__ void bidiagonal_column(long long m, long long k, T* a, long long lead, T* tau,
                                  Real<T>* d) {
  __shared__ Real<T> room[reducing_threads];
  const int thread = threadIdx.x;
  T* const column = a + k * lead;
  const Reflector<T> h = find_reflector(column[k], column + k + 1, 1LL, m - k - 1, room);
  for (long long i = k + 1 + thread; i < m; i += reducing_threads) column[i] = h.v_of(column[i]);
  if (thread == 0) {
    tau[k] = h.tau;
    d[k] = h.beta;
  }
}

/// Its adjoint on the columns behind it, a block for each.
template <typename T>
__global__ void bidiagonal_columns(long long m, long long k, T* a, long long lead, const T* tau) {
  __shared__ T sums[reducing_threads];
  const int thread = threadIdx.x;
  const T* const v = a + k * lead;
  T* const column = a + (k + 1 + blockIdx.x) * lead;
  T sum = thread == 0 ? column[k] : number<T>(0);
  for (long long i = k + 1 + thread; i < m; i += reducing_threads)
    sum = sum + conj(v[i]) * column[i];
  const T scale = conj(tau[k]) * block_sum(sum, sums);
  if (thread == 0) column[k] = column[k] - scale;
  for (long long i = k + 1 + thread; i < m; i += reducing_threads)
    column[i] = column[i] - v[i] * scale;
}

/// The reflector of row k, into column k of P, by one block.
template <typename T>
__global__ void bidiagonal_row(long long n, long long k, const T* a, long long lead, T* p, T* tau,
                               Real<T>* e) {
  __shared__ Real<T> room[reducing_threads];
  const int thread = threadIdx.x;
  const T* const row = a + k + (k + 1) * lead;
  const Reflector<T> h = find_reflector(conj(row[0]), row + lead, lead, n - k - 2, room);
  for (long long i = thread; i < n; i += reducing_threads)
    p[i + k * n] = i <= k       ? number<T>(0)
                   : i == k + 1 ? number<T>(1)
                                : h.v_of(conj(row[(i - k - 1) * lead]));
  if (thread == 0) {
    tau[k] = h.tau;
    e[k + 1] = h.beta;
  }
}

/// It on the rows below, a thread for each.
template <typename T>
__global__ void bidiagonal_rows(long long m, long long n, long long k, T* a, long long lead,
                                const T* p, const T* tau) {
  const long long i = k + 1 + blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= m) return;
  const T* const v = p + k * n;
  T sum = number<T>(0);
  for (long long j = k + 1; j < n; ++j) sum = sum + a[i + j * lead] * v[j];
  sum = tau[k] * sum;
  for (long long j = k + 1; j < n; ++j) a[i + j * lead] = a[i + j * lead] - sum * conj(v[j]);
}

/// Rotations of columns of U are told from those of V by a sign.
template <typename R>
struct Rotations {
  R* cosines;
  R* sines;
  int* firsts;
  int* seconds;
};

template <typename R>
__device__ inline void write_down(Rotations<R> list, bool writes, int& count, bool is_u,
                                  long long first, long long second, R c, R s) {
  if (!writes) return;
  list.cosines[count] = c;
  list.sines[count] = s;
  list.firsts[count] = is_u ? -1 - static_cast<int>(first) : static_cast<int>(first);
  list.seconds[count] = static_cast<int>(second);
  ++count;
}

/// One QR sweep over l … k.
template <typename R>
__device__ inline void sweep_qr(R* d, R* e, long long l, long long k, bool writes,
                                Rotations<R> list, int& count) {
  R x = d[l], y = d[k - 1], z = d[k], g = e[k - 1], h = e[k];
  R f = ((y - z) * (y + z) + (g - h) * (g + h)) / (2 * h * y);
  g = hypotenuse(f, R(1));
  f = ((x - z) * (x + z) + h * (y / (f + (f >= 0 ? g : -g)) - h)) / x;
  R c = 1, s = 1;
  for (long long j = l; j < k; ++j) {
    const long long i = j + 1;
    g = e[i];
    y = d[i];
    h = s * g;
    g = c * g;
    z = hypotenuse(f, h);
    e[j] = z;
    c = z == 0 ? R(1) : f / z;
    s = z == 0 ? R(0) : h / z;
    f = x * c + g * s;
    g = g * c - x * s;
    h = y * s;
    y = y * c;
    write_down(list, writes, count, false, j, i, c, s);
    z = hypotenuse(f, h);
    d[j] = z;
    c = z == 0 ? R(1) : f / z;
    s = z == 0 ? R(0) : h / z;
    f = c * g + s * y;
    x = c * y - s * g;
    write_down(list, writes, count, true, j, i, c, s);
  }
  e[l] = 0;
  e[k] = f;
  d[k] = x;
}

/// Row l - 1 has no diagonal element: what is beside it goes.
template <typename R>
__device__ inline void cancel(R* d, R* e, long long l, long long k, R tolerance, bool writes,
                              Rotations<R> list, int& count) {
  R c = 0, s = 1;
  for (long long i = l; i <= k; ++i) {
    const R f = s * e[i];
    e[i] = c * e[i];
    if (absolute(f) <= tolerance) return;
    const R g = d[i], h = hypotenuse(f, g);
    d[i] = h;
    c = g / h;
    s = -f / h;
    write_down(list, writes, count, true, l - 1, i, c, s);
  }
}

/// By one thread, from the last value to the first; e[i] is above d[i], e[0] is 0. Numbers are
/// those of the matrix over the largest, *scale. `at` counts the values that are found.
template <typename R>
__global__ void find_singular_values(long long n, R* d, R* e, bool writes, Rotations<R> list,
                                     long long capacity, R* scale, Sweeping* state) {
  Sweeping now = *state;
  if (now.at == 0 && now.all_sweeps == 0) *scale = make_unit(n, d, e);
  now.rotations = 0;
  while (now.at < n && !now.failed) {
    const long long k = n - 1 - now.at;
    const R tolerance = precision<R>();
    long long l = k;
    bool cancels = false;
    for (; l > 0; --l) {
      if (absolute(e[l]) <= tolerance) break;
      if (absolute(d[l - 1]) <= tolerance) {
        cancels = true;
        break;
      }
    }
    if (l == k && !cancels) {
      ++now.at;
      now.sweeps = 0;
      continue;
    }
    if (now.all_sweeps == most_sweeps * n) {
      now.failed = 1;
      break;
    }
    if (writes && now.rotations + 2 * (k - l) + 1 > capacity) break;
    ++now.all_sweeps;
    ++now.sweeps;
    now.most_sweeps = now.sweeps > now.most_sweeps ? now.sweeps : now.most_sweeps;
    if (cancels)
      cancel(d, e, l, k, tolerance, writes, list, now.rotations);
    else
      sweep_qr(d, e, l, k, writes, list, now.rotations);
  }
  *state = now;
}

template <typename R>
__global__ void rotate_both(long long n, R* u, R* v, long long lead, Rotations<R> list,
                            const Sweeping* state) {
  const long long row = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (row >= n) return;
  const int count = state->rotations;
  for (int k = 0; k < count; ++k) {
    const R c = list.cosines[k], s = list.sines[k];
    const int code = list.firsts[k];
    R* const z = code < 0 ? u : v;
    if (!z) continue;
    R* const first = z + row + (code < 0 ? -1 - code : code) * lead;
    R* const second = z + row + list.seconds[k] * lead;
    const R a = *first, b = *second;
    *first = a * c + b * s;
    *second = b * c - a * s;
  }
}

template <typename R>
__global__ void conclude_singular_values(long long n, R* d, const R* e, const R* scale,
                                         const Sweeping* state, int* info, SweepReport* report) {
  int left = 0;
  R squares = 0;
  const R factor = *scale;
  for (long long i = 0; i < n; ++i) {
    left += !(absolute(e[i]) <= precision<R>());
    squares += e[i] * e[i];
    d[i] *= factor;
  }
  // What was negligible once may not be beside values that were found later.
  *info = state->at == n ? 0 : left > 0 ? left : 1;
  if (report) *report = {factor * square_root(squares), state->most_sweeps};
}

/// *info of a pencil: of B if it has one, else of the eigenvalues.
template <typename T>
__global__ void join_infos(long long n, const int* first, int* info) {
  if (*first != 0) *info = static_cast<int>(n) + *first;
}

}  // namespace gridspan::libraries::solver::detail
