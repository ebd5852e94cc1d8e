// Sums over the threads of a block, in an order that depends on nothing, and the reflectors that
// they give. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

/// I - tau v v^H, whose adjoint takes (alpha, x) to (beta, 0); v is (1, v_of(x)).
template <typename T>
struct Reflector {
  Real<T> beta;
  T tau, scale;
  Real<T> unit;  // numbers are taken as multiples of it: tiny ones keep their digits

  __device__ T v_of(T x) const { return scale * (x / unit); }
};

/// By one block: that of alpha and `count` numbers x[0], x[step] …
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
  const R own = size_of(alpha);
  const R unit = own > largest ? own : largest;
  R squares = 0;
  if (largest > 0)
    for (long long i = thread; i < count; i += reducing_threads)
      squares += square_of(x[i * step] / unit);
  const R sum = block_sum(squares, room);
  if (sum == 0 && imaginary(alpha) == 0) return {real(alpha), number<T>(0), number<T>(0), R(1)};
  const T first = alpha / unit;
  const R length = square_root(square_of(first) + sum);
  const R beta = real(first) >= 0 ? -length : length;
  const T tau = number<T>((beta - real(first)) / beta, -imaginary(first) / beta);
  return {unit * beta, tau, number<T>(1) / (first - number<T>(beta)), unit};
}

}  // namespace gridspan::libraries::solver::detail
