// Sums over the threads of a block, in an order that depends on nothing, and the reflectors that they give.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/kernels/arithmetic.h"

namespace gridspan::libraries::solver::detail {

/// Threads of a block that reduces: a power of two.
constexpr int reducing_threads = 128;

/// The sum of all threads' numbers, for each of them. `room` is the block's.
template <typename T>
__device__ inline T block_sum(T value, T* room) {
  const int thread = threadIdx.x;
  room[thread] = value;
  __syncthreads();
  for (int half = reducing_threads / 2; half > 0; half /= 2) {
    if (thread < half) room[thread] = room[thread] + room[thread + half];
    __syncthreads();
  }
  const T sum = room[0];
  __syncthreads();
  return sum;
}

template <typename R>
__device__ inline R block_largest(R value, R* room) {
  const int thread = threadIdx.x;
  room[thread] = value;
  __syncthreads();
  for (int half = reducing_threads / 2; half > 0; half /= 2) {
    // NaN stays.
    if (thread < half && !(room[thread] >= room[thread + half])) room[thread] = room[thread + half];
    __syncthreads();
  }
  const R result = room[0];
  __syncthreads();
  return result;
}

/// I - tau v v^H, whose adjoint takes (alpha, x) to (beta, 0); v is (1, scale x).
template <typename T>
struct Reflector {
  Real<T> beta;
  T tau, scale;
};

/// `largest` of x, and the norm of x / largest.
template <typename T>
__device__ inline Reflector<T> reflector_of(T alpha, Real<T> largest, Real<T> norm_of_rest) {
  using R = Real<T>;
  const R norm = largest * norm_of_rest;
  if (norm == 0 && imaginary(alpha) == 0) return {real(alpha), number<T>(0), number<T>(0)};
  const R length = hypotenuse(hypotenuse(real(alpha), imaginary(alpha)), norm);
  const R beta = real(alpha) >= 0 ? -length : length;
  const T tau = number<T>((beta - real(alpha)) / beta, -imaginary(alpha) / beta);
  return {beta, tau, number<T>(1) / (alpha - number<T>(beta))};
}

/// By one block: that of a vector of alpha and x[0], x[step] … `first` … `count` - 1; conjugated first, if so.
template <typename T>
__device__ inline Reflector<T> find_reflector(T alpha, const T* x, long long step, long long count,
                                              Real<T>* room) {
  using R = Real<T>;
  const int thread = threadIdx.x;
  R best = 0;
  for (long long i = thread; i < count; i += reducing_threads) {
    const R size = size_of(x[i * step]);
    best = size <= best ? best : size;
  }
  const R largest = block_largest(best, room);
  R squares = 0;
  if (largest > 0)
    for (long long i = thread; i < count; i += reducing_threads)
      squares += square_of(x[i * step] / largest);
  const R sum = block_sum(squares, room);
  return reflector_of(alpha, largest, square_root(sum));
}

}  // namespace gridspan::libraries::solver::detail
