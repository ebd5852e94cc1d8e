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

#include "libraries/solver/kernels/factors.h"
#include "libraries/solver/kernels/reduction.h"
#include "libraries/solver/kernels/spectra.h"

namespace gridspan::libraries::solver {
namespace detail {

/// Of a search for values that goes on in the next launch.
struct Sweeping {
  int at;         // the value that is sought
  int sweeps;     // that it took so far
  int rotations;  // that this launch wrote down
  int most_sweeps;
  int all_sweeps;
  int failed;
};

// LAPACK's limit.
constexpr Size most_sweeps = 30;
inline Size rotations_at_once(Size n) { return std::max<Size>(64 * n, 4096); }
/// Launches that `rotations` of each sweep fit into.
inline Size launches_for(Size n, Size rotations) {
  return most_sweeps * n * rotations / (rotations_at_once(n) - rotations) + 1;
}

/// Between columns of `rows` elements: an odd number of cache lines, so that a row is not in the
/// few places of a cache that a power of two leaves it.
constexpr Size spaced(Size rows) { return ((rows + 7) / 8 | 1) * 8; }

// --- Hermitian matrices

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

/// Numbers become those of the matrix over the largest, which is returned: tolerances are parts
/// of 1.
template <typename R>
__device__ inline R make_unit(long long n, R* d, R* e) {
  R largest = 0;
  for (long long i = 0; i < n; ++i) {
    const R size = absolute(d[i]) + absolute(e[i]);
    largest = size <= largest ? largest : size;
  }
  for (long long i = 0; largest > 0 && i < n; ++i) {
    d[i] /= largest;
    e[i] /= largest;
  }
  return largest;
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

// --- bidiagonal matrices

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

// --- workspaces

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
