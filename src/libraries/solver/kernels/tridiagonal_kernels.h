// Hermitian matrices, made tridiagonal, and their eigenvalues: the kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/kernels/reduction.h"
#include "libraries/solver/kernels/spectra.h"
#include "libraries/solver/kernels/sweeping.h"

namespace gridspan::libraries::solver::detail {

/// Column j, by one block: what the reflector before did to it, its own reflector. A := A - v w^H -
/// w v^H is done by the rows of the next launch.
template <typename T>
__global__ void tridiagonal_column(long long n, long long j, T* a, long long lead, T* v, T* w,
                                   const T* y, T* tau, Real<T>* d, Real<T>* e) {
  using R = Real<T>;
  __shared__ R room[reducing_threads];
  __shared__ T sums[reducing_threads];
  const int thread = threadIdx.x;
  T* const column = a + j * lead;
  if (j > 0) {
    const T* const before = v + (j - 1) * n;
    const T scale = tau[j - 1];
    T sum = number<T>(0);
    for (long long i = j + thread; i < n; i += reducing_threads)
      sum = sum + conj(scale * y[i]) * before[i];
    const T alpha = R(-0.5) * (scale * block_sum(sum, sums));
    for (long long i = j + thread; i < n; i += reducing_threads)
      w[i] = scale * y[i] + alpha * before[i];
    __syncthreads();
    const T own_v = conj(before[j]), own_w = conj(w[j]);
    for (long long i = j + thread; i < n; i += reducing_threads)
      column[i] = column[i] - before[i] * own_w - w[i] * own_v;
    __syncthreads();
  }
  if (thread == 0) d[j] = real(column[j]);
  if (j == n - 1) return;
  const Reflector<T> h = find_reflector(column[j + 1], column + j + 2, 1LL, n - j - 2, room);
  if (thread == 0) {
    e[j] = h.beta;
    tau[j] = h.tau;
  }
  T* const own = v + j * n;
  for (long long i = thread; i < n; i += reducing_threads)
    own[i] = i <= j ? number<T>(0) : i == j + 1 ? number<T>(1) : h.v_of(column[i]);
}

/// A thread for each row: the update of the reflector before, the product with that of column j.
template <typename T>
__global__ void tridiagonal_rows(long long n, long long j, T* a, long long lead, const T* v,
                                 const T* w, T* y) {
  const long long i = j + 1 + blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T* const own = v + j * n;
  T sum = number<T>(0);
  if (j > 0) {
    const T* const before = v + (j - 1) * n;
    const T v_i = before[i], w_i = w[i];
    for (long long k = j + 1; k < n; ++k) {
      const T value = a[i + k * lead] - v_i * conj(w[k]) - w_i * conj(before[k]);
      a[i + k * lead] = value;
      sum = sum + value * own[k];
    }
  } else {
    for (long long k = j + 1; k < n; ++k) sum = sum + a[i + k * lead] * own[k];
  }
  y[i] = sum;
}

/// Of a matrix of unit size.
template <typename R>
__device__ inline bool is_negligible(const R* d, const R* e, long long i) {
  const R beside = absolute(d[i]) + absolute(d[i + 1]);
  return absolute(e[i]) <= precision<R>() * (beside > R(0.5) ? beside : R(0.5));
}

/// One QL sweep over l … m; the rotations of columns i and i + 1 are written down.
template <typename R>
__device__ inline void sweep_ql(R* d, R* e, long long l, long long m, bool writes, R* cosines,
                                R* sines, int* columns, int& rotations) {
  R g = (d[l + 1] - d[l]) / (2 * e[l]);
  R r = hypotenuse(g, R(1));
  g = d[m] - d[l] + e[l] / (g + (g >= 0 ? r : -r));
  R s = 1, c = 1, p = 0;
  for (long long i = m - 1; i >= l; --i) {
    const R f = s * e[i], b = c * e[i];
    r = hypotenuse(f, g);
    e[i + 1] = r;
    if (r == 0) {
      d[i + 1] -= p;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    r = (d[i] - g) * s + 2 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
    if (writes) {
      cosines[rotations] = c;
      sines[rotations] = s;
      columns[rotations] = static_cast<int>(i);
      ++rotations;
    }
  }
  d[l] -= p;
  e[l] = g;
  e[m] = 0;
}

/// By one thread. e has an element more than there are beside the diagonal: it is 0.
template <typename R>
__global__ void find_eigenvalues(long long n, R* d, R* e, bool writes, R* cosines, R* sines,
                                 int* columns, long long capacity, R* scale, Sweeping* state) {
  Sweeping now = *state;
  if (now.at == 0 && now.all_sweeps == 0) *scale = make_unit(n, d, e);
  now.rotations = 0;
  while (now.at < n && !now.failed) {
    const long long l = now.at;
    long long m = l;
    while (m < n - 1 && !is_negligible(d, e, m)) ++m;
    if (m == l) {
      ++now.at;
      now.sweeps = 0;
      continue;
    }
    if (now.all_sweeps == most_sweeps * n) {
      now.failed = 1;
      break;
    }
    if (writes && now.rotations + (m - l) > capacity) break;
    ++now.all_sweeps;
    ++now.sweeps;
    now.most_sweeps = now.sweeps > now.most_sweeps ? now.sweeps : now.most_sweeps;
    sweep_ql(d, e, l, m, writes, cosines, sines, columns, now.rotations);
  }
  *state = now;
}

/// A thread for each row of Z.
template <typename R>
__global__ void rotate_columns(long long n, R* z, long long lead, const R* cosines, const R* sines,
                               const int* columns, const Sweeping* state) {
  const long long row = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (row >= n) return;
  const int count = state->rotations;
  for (int k = 0; k < count; ++k) {
    const R c = cosines[k], s = sines[k];
    R* const left = z + row + columns[k] * lead;
    R* const right = left + lead;
    const R a = *left, b = *right;
    *right = s * a + c * b;
    *left = c * a - s * b;
  }
}

template <typename R>
__global__ void conclude_eigenvalues(long long n, R* d, const R* e, const R* scale,
                                     const Sweeping* state, int* info, SweepReport* report) {
  int left = 0;
  R squares = 0;
  const R factor = *scale;
  for (long long i = 0; i + 1 < n; ++i) {
    left += !is_negligible(d, e, i);
    squares += 2 * e[i] * e[i];
  }
  for (long long i = 0; i < n; ++i) d[i] *= factor;
  // What was negligible once may not be beside values that were found later.
  *info = state->at == n ? 0 : left > 0 ? left : 1;
  if (report) *report = {factor * square_root(squares), state->most_sweeps};
}

/// Places of values in order; a thread for each. Equal ones stay in theirs.
template <typename R>
__global__ void order_values(long long n, const R* d, bool descends, R* values, int* sources) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  const R own = descends ? -absolute(d[i]) : d[i];
  long long place = 0;
  for (long long k = 0; k < n; ++k) {
    const R other = descends ? -absolute(d[k]) : d[k];
    place += other < own || (!(own < other) && k < i);
  }
  values[place] = descends ? absolute(d[i]) : d[i];
  sources[place] = static_cast<int>(i);
}

/// Columns of the vectors in the order of values; what is beyond n is the identity's. Those of
/// negative values change their sign if `turns`.
template <typename T>
__global__ void gather_vectors(long long m, long long columns, long long n, const Real<T>* z,
                               long long lead_z, const Real<T>* d, bool turns, const int* sources,
                               T* a, long long lead) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = blockIdx.y;
  if (i >= m || j >= columns) return;
  Real<T> value = i == j ? 1 : 0;
  if (i < n && j < n) {
    const int source = sources[j];
    value = z[i + source * lead_z];
    if (turns && d[source] < 0) value = -value;
  }
  a[i + j * lead] = number<T>(value);
}

/// By one thread. range: how many, and how many are before them.
template <typename R>
__global__ void select_values(int kind, long long n, R low, R high, long long first, long long last,
                              R* w, int* range) {
  long long before = kind == 2 ? first - 1 : 0, count = kind == 2 ? last - first + 1 : n;
  if (kind == 1) {
    while (before < n && !(w[before] > low)) ++before;
    count = 0;
    while (before + count < n && w[before + count] <= high) ++count;
  }
  for (long long i = 0; i < count; ++i) w[i] = w[before + i];
  range[0] = static_cast<int>(count);
  range[1] = static_cast<int>(before);
}

/// A thread for each row.
template <typename T>
__global__ void move_columns(long long n, T* a, long long lead, const int* range) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= n || range[1] == 0) return;
  for (long long j = 0; j < range[0]; ++j) a[i + j * lead] = a[i + (range[1] + j) * lead];
}

}  // namespace gridspan::libraries::solver::detail
