// What one block of threads does to a matrix: LU factors with pivots, systems with a triangle.
// cuBLAS has batches of these. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/kernels/arithmetic.h"

namespace gridspan::libraries::solver::detail {

constexpr unsigned panel_threads = 128;

/// In shared memory: what threads found in a column.
template <typename T>
struct PanelRoom {
  Real<T> largest[panel_threads];
  long long places[panel_threads];
};

/// A block for each right-hand side: X of A X = B, by columns of A.
template <typename T>
__device__ void solve_columns(const T* a, long long row, long long column, bool conjugates,
                              bool is_lower, bool has_unit_diagonal, long long n, T* b,
                              long long b_row) {
  const int thread = threadIdx.x, threads = blockDim.x;
  for (long long step = 0; step < n; ++step) {
    const long long i = is_lower ? step : n - 1 - step;
    if (!has_unit_diagonal) {
      if (thread == 0) b[i * b_row] = b[i * b_row] / conj_if(conjugates, a[i * row + i * column]);
      __syncthreads();
    }
    const T x = b[i * b_row];
    const long long begin = is_lower ? i + 1 : 0, end = is_lower ? n : i;
    for (long long k = begin + thread; k < end; k += threads)
      b[k * b_row] = b[k * b_row] - conj_if(conjugates, a[k * row + i * column]) * x;
    __syncthreads();
  }
}

__device__ inline void set_pivot(void* place, bool is_long, long long i, long long row) {
  if (is_long)
    static_cast<long long*>(place)[i] = row;
  else
    static_cast<int*>(place)[i] = static_cast<int>(row);
}
__device__ inline long long pivot(const void* place, bool is_long, long long i) {
  return is_long ? static_cast<const long long*>(place)[i] : static_cast<const int*>(place)[i];
}

/// By one block: columns of a panel, one after the other.
template <typename T>
__device__ inline void factor_panel(T* a, long long lead, long long m, long long n, void* pivots,
                                    bool is_long, long long first, int* info, PanelRoom<T>& room) {
  const int thread = threadIdx.x;
  for (long long j = 0; j < n; ++j) {
    if (pivots) {
      Real<T> best = -1;
      long long place = j;
      for (long long i = j + thread; i < m; i += panel_threads) {
        const Real<T> size = size_of(a[i + j * lead]);
        place = size > best ? i : place;
        best = size > best ? size : best;
      }
      room.largest[thread] = best;
      room.places[thread] = place;
      __syncthreads();
      for (int half = panel_threads / 2; half > 0; half /= 2) {
        if (thread < half) {
          const Real<T> other = room.largest[thread + half];
          const bool is_better =
              other > room.largest[thread] ||
              (other == room.largest[thread] && room.places[thread + half] < room.places[thread]);
          if (is_better) {
            room.largest[thread] = other;
            room.places[thread] = room.places[thread + half];
          }
        }
        __syncthreads();
      }
      const long long found = room.places[0];
      if (thread == 0) set_pivot(pivots, is_long, first + j, first + found + 1);
      for (long long k = thread; k < n; k += panel_threads) {
        const T kept = a[j + k * lead];
        a[j + k * lead] = a[found + k * lead];
        a[found + k * lead] = kept;
      }
      __syncthreads();
    }
    const T diagonal = a[j + j * lead];
    if (is_zero(diagonal)) {
      if (thread == 0 && *info == 0) *info = static_cast<int>(first + j + 1);
    } else {
      for (long long i = j + 1 + thread; i < m; i += panel_threads) {
        const T factor = a[i + j * lead] / diagonal;
        a[i + j * lead] = factor;
        for (long long k = j + 1; k < n; ++k)
          a[i + k * lead] = a[i + k * lead] - factor * a[j + k * lead];
      }
    }
    __syncthreads();
  }
}

}  // namespace gridspan::libraries::solver::detail
