// Factors and systems of many small matrices: the kernels. Included by a file for each group of
// types. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/kernels/batches.h"
#include "libraries/solver/kernels/panels.h"
#include "libraries/solver/kernels/reduction.h"
#include "libraries/support/start_kernel.h"

#include <algorithm>

namespace gridspan::libraries::blas {
namespace batches {

using namespace solver;          // NOLINT(google-build-using-namespace): numbers of its kernels
using namespace solver::detail;  // NOLINT(google-build-using-namespace)

template <typename T>
__global__ void lu_each(long long n, T* const* a, long long lead, int* pivots, int* infos) {
  __shared__ PanelRoom<T> room;
  const long long z = blockIdx.x;
  if (threadIdx.x == 0) infos[z] = 0;
  __syncthreads();
  factor_panel(a[z], lead, n, n, pivots ? static_cast<void*>(pivots + z * n) : nullptr, false, 0LL,
               infos + z, room);
}

/// Rows first … of one column change places as pivots say, or back.
template <typename T>
__device__ void exchange_column(const int* pivots, bool backwards, long long n, T* b) {
  if (pivots && threadIdx.x == 0)
    for (long long k = 0; k < n; ++k) {
      const long long i = backwards ? n - 1 - k : k;
      const long long other = pivots[i] - 1;
      const T kept = b[i];
      b[i] = b[other];
      b[other] = kept;
    }
  __syncthreads();
}

template <typename T>
__global__ void lu_solve_each(bool is_transposed, bool conjugates, long long n, const T* const* a,
                              long long lead, const int* pivots, T* const* b, long long lead_b,
                              long long first) {
  const long long z = first + blockIdx.y;
  const T* const lu = a[z];
  T* const x = b[z] + blockIdx.x * lead_b;
  const int* const rows = pivots ? pivots + z * n : nullptr;
  if (!is_transposed) exchange_column(rows, false, n, x);
  if (is_transposed) {
    solve_columns(lu, lead, 1LL, conjugates, true, false, n, x, 1LL);
    solve_columns(lu, lead, 1LL, conjugates, false, true, n, x, 1LL);
  } else {
    solve_columns(lu, 1LL, lead, false, true, true, n, x, 1LL);
    solve_columns(lu, 1LL, lead, false, false, false, n, x, 1LL);
  }
  if (is_transposed) exchange_column(rows, true, n, x);
}

/// The first diagonal element, from 1, that is 0, or 0.
template <typename T>
__device__ int first_zero(const T* a, long long lead, long long n) {
  for (long long i = 0; i < n; ++i)
    if (is_zero(a[i + i * lead])) return static_cast<int>(i + 1);
  return 0;
}

template <typename T>
__global__ void lu_invert_each(long long n, const T* const* a, long long lead, const int* pivots,
                               T* const* c, long long lead_c, int* infos, long long first) {
  const long long z = first + blockIdx.y, j = blockIdx.x;
  const T* const lu = a[z];
  const int zero_at = first_zero(lu, lead, n);
  if (j == 0 && threadIdx.x == 0) infos[z] = zero_at;
  if (zero_at) return;
  T* const x = c[z] + j * lead_c;
  for (long long i = threadIdx.x; i < n; i += blockDim.x) x[i] = number<T>(i == j ? 1 : 0);
  __syncthreads();
  exchange_column(pivots ? pivots + z * n : nullptr, false, n, x);
  solve_columns(lu, 1LL, lead, false, true, true, n, x, 1LL);
  solve_columns(lu, 1LL, lead, false, false, false, n, x, 1LL);
}

constexpr int most_inverted = 32;

template <typename T>
__global__ void invert_each(int n, const T* const* a, long long lead, T* const* c, long long lead_c,
                            int* infos) {
  __shared__ PanelRoom<T> room;
  __shared__ T lu[most_inverted * most_inverted];
  __shared__ int pivots[most_inverted];
  __shared__ int info;
  const long long z = blockIdx.x;
  const T* const from = a[z];
  for (int at = threadIdx.x; at < n * n; at += panel_threads) lu[at] = from[at % n + at / n * lead];
  if (threadIdx.x == 0) info = 0;
  __syncthreads();
  factor_panel(lu, static_cast<long long>(n), static_cast<long long>(n), static_cast<long long>(n),
               pivots, false, 0LL, &info, room);
  __syncthreads();
  if (threadIdx.x == 0) infos[z] = info;
  if (info) return;
  const int j = threadIdx.x;  // a thread for each column
  if (j >= n) return;
  T* const x = c[z] + j * lead_c;
  int place = j;
  for (int i = 0; i < n; ++i) {
    const int other = pivots[i] - 1;
    place = place == i ? other : place == other ? i : place;
  }
  for (int i = 0; i < n; ++i) x[i] = number<T>(i == place ? 1 : 0);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < i; ++k) x[i] = x[i] - lu[i + k * n] * x[k];
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] = x[i] - lu[i + k * n] * x[k];
    x[i] = x[i] / lu[i + i * n];
  }
}

template <typename T>
__global__ void qr_each(long long m, long long n, T* const* as, long long lead, T* const* taus,
                        T* all_taus) {
  __shared__ Real<T> room[reducing_threads];
  const long long z = blockIdx.x, count = m < n ? m : n;
  T* const a = as[z];
  T* const tau = taus ? taus[z] : all_taus + z * count;
  const int thread = threadIdx.x;
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
    for (long long k = j + 1 + thread; k < n; k += reducing_threads) {
      T* const other = a + k * lead;
      T sum = other[j];
      for (long long i = j + 1; i < m; ++i) sum = sum + conj(column[i]) * other[i];
      sum = conj(h.tau) * sum;
      other[j] = other[j] - sum;
      for (long long i = j + 1; i < m; ++i) other[i] = other[i] - column[i] * sum;
    }
    __syncthreads();
  }
}

template <typename T>
__global__ void least_squares_each(long long m, long long n, const T* const* as, long long lead,
                                   const T* taus, T* const* cs, long long lead_c, int* infos,
                                   long long first) {
  __shared__ T room[reducing_threads];
  const long long z = first + blockIdx.y;
  const T* const a = as[z];
  const T* const tau = taus + z * n;
  T* const c = cs[z] + blockIdx.x * lead_c;
  const int thread = threadIdx.x;
  const int zero_at = first_zero(a, lead, n);
  if (infos && blockIdx.x == 0 && thread == 0) infos[z] = zero_at;
  if (zero_at) return;
  for (long long j = 0; j < n; ++j) {
    const T* const column = a + j * lead;
    T own = thread == 0 ? c[j] : number<T>(0);
    for (long long i = j + 1 + thread; i < m; i += reducing_threads)
      own = own + conj(column[i]) * c[i];
    const T sum = conj(tau[j]) * block_sum(own, room);
    if (thread == 0) c[j] = c[j] - sum;
    for (long long i = j + 1 + thread; i < m; i += reducing_threads) c[i] = c[i] - column[i] * sum;
    __syncthreads();
  }
  solve_columns(a, 1LL, lead, false, false, false, n, c, 1LL);
}

constexpr std::int64_t most = 65535;

/// `start` gets a grid of `width` blocks for each of a batch, and the first of these.
template <typename Start>
cudaError_t for_each(std::int64_t width, std::int64_t batch_count, Start start) {
  for (std::int64_t z = 0; z < batch_count; z += most) {
    const dim3 grid(static_cast<unsigned>(width),
                    static_cast<unsigned>(std::min(batch_count - z, most)));
    if (const cudaError_t error = start(grid, z); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace batches

template <typename T>
cudaError_t launch_lu_each(std::int64_t n, T* const* a, std::int64_t lead, int* pivots, int* infos,
                           std::int64_t batch_count, cudaStream_t stream) {
  return start_kernel(batches::lu_each<T>, dim3(static_cast<unsigned>(batch_count)),
                      solver::detail::panel_threads, stream, n, a, lead, pivots, infos);
}

template <typename T>
cudaError_t launch_lu_solve_each(cublasOperation_t operation, std::int64_t n, std::int64_t width,
                                 const T* const* a, std::int64_t lead, const int* pivots,
                                 T* const* b, std::int64_t lead_b, std::int64_t batch_count,
                                 cudaStream_t stream) {
  return batches::for_each(width, batch_count, [&](dim3 grid, std::int64_t first) {
    return start_kernel(batches::lu_solve_each<T>, grid, 32, stream, operation != CUBLAS_OP_N,
                        operation == CUBLAS_OP_C, n, a, lead, pivots, b, lead_b, first);
  });
}

template <typename T>
cudaError_t launch_lu_invert_each(std::int64_t n, const T* const* a, std::int64_t lead,
                                  const int* pivots, T* const* c, std::int64_t lead_c, int* infos,
                                  std::int64_t batch_count, cudaStream_t stream) {
  return batches::for_each(n, batch_count, [&](dim3 grid, std::int64_t first) {
    return start_kernel(batches::lu_invert_each<T>, grid, 32, stream, n, a, lead, pivots, c, lead_c,
                        infos, first);
  });
}

template <typename T>
cudaError_t launch_invert_each(std::int64_t n, const T* const* a, std::int64_t lead, T* const* c,
                               std::int64_t lead_c, int* infos, std::int64_t batch_count,
                               cudaStream_t stream) {
  return start_kernel(batches::invert_each<T>, dim3(static_cast<unsigned>(batch_count)),
                      solver::detail::panel_threads, stream, static_cast<int>(n), a, lead, c,
                      lead_c, infos);
}

template <typename T>
cudaError_t launch_qr_each(std::int64_t m, std::int64_t n, T* const* a, std::int64_t lead,
                           T* const* taus, T* tau, std::int64_t batch_count, cudaStream_t stream) {
  return start_kernel(batches::qr_each<T>, dim3(static_cast<unsigned>(batch_count)),
                      static_cast<unsigned>(solver::detail::reducing_threads), stream, m, n, a,
                      lead, taus, tau);
}

template <typename T>
cudaError_t launch_least_squares_each(std::int64_t m, std::int64_t n, std::int64_t width,
                                      const T* const* a, std::int64_t lead, const T* tau,
                                      T* const* c, std::int64_t lead_c, int* infos,
                                      std::int64_t batch_count, cudaStream_t stream) {
  return batches::for_each(width, batch_count, [&](dim3 grid, std::int64_t first) {
    return start_kernel(batches::least_squares_each<T>, grid,
                        static_cast<unsigned>(solver::detail::reducing_threads), stream, m, n, a,
                        lead, tau, c, lead_c, infos, first);
  });
}

#define GRIDSPAN_BATCHES(T)                                                                     \
  template cudaError_t launch_lu_each<T>(std::int64_t, T* const*, std::int64_t, int*, int*,     \
                                         std::int64_t, cudaStream_t);                           \
  template cudaError_t launch_lu_solve_each<T>(                                                 \
      cublasOperation_t, std::int64_t, std::int64_t, const T* const*, std::int64_t, const int*, \
      T* const*, std::int64_t, std::int64_t, cudaStream_t);                                     \
  template cudaError_t launch_lu_invert_each<T>(std::int64_t, const T* const*, std::int64_t,    \
                                                const int*, T* const*, std::int64_t, int*,      \
                                                std::int64_t, cudaStream_t);                    \
  template cudaError_t launch_invert_each<T>(std::int64_t, const T* const*, std::int64_t,       \
                                             T* const*, std::int64_t, int*, std::int64_t,       \
                                             cudaStream_t);                                     \
  template cudaError_t launch_qr_each<T>(std::int64_t, std::int64_t, T* const*, std::int64_t,   \
                                         T* const*, T*, std::int64_t, cudaStream_t);            \
  template cudaError_t launch_least_squares_each<T>(                                            \
      std::int64_t, std::int64_t, std::int64_t, const T* const*, std::int64_t, const T*,        \
      T* const*, std::int64_t, int*, std::int64_t, cudaStream_t);

}  // namespace gridspan::libraries::blas
