// Radix sort by four bits at a time: counts of blocks, their offsets, and each key to its place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

#include <utility>

constexpr int threads = 256, items = 8, chunk = threads * items, digits = 16;

__global__ void count(const unsigned* keys, int* counts, int shift) {
  __shared__ int s[digits];
  int t = threadIdx.x;
  if (t < digits) s[t] = 0;
  __syncthreads();
  for (int i = t; i < chunk; i += threads)
    atomicAdd(&s[keys[blockIdx.x * chunk + i] >> shift & (digits - 1)], 1);
  __syncthreads();
  if (t < digits) counts[t * gridDim.x + blockIdx.x] = s[t];
}

/// The sum of `mine` over all earlier threads of the block.
__device__ int sum_before(int* s, int mine) {
  int t = threadIdx.x;
  s[t] = mine;
  __syncthreads();
  for (int d = 1; d < threads; d *= 2) {
    int before = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += before;
    __syncthreads();
  }
  return s[t] - mine;
}

/// In place: the sum of all earlier counts. One block.
__global__ void offsets(int* counts, int n) {
  __shared__ int s[threads];
  int part = n / threads, first = threadIdx.x * part, sum = 0;
  for (int i = first; i < first + part; ++i) sum += counts[i];
  sum = sum_before(s, sum);
  for (int i = first; i < first + part; ++i) {
    int one = counts[i];
    counts[i] = sum;
    sum += one;
  }
}

/// Threads have `items` keys in a row each; equal digits keep their order.
__global__ void scatter(const unsigned* keys, const int* offsets, unsigned* out, int shift) {
  __shared__ int ranks[digits * threads], s[threads], start[digits];
  int t = threadIdx.x;
  unsigned mine[items];
  for (int d = 0; d < digits; ++d) ranks[d * threads + t] = 0;
  for (int i = 0; i < items; ++i) {
    mine[i] = keys[blockIdx.x * chunk + t * items + i];
    ++ranks[(mine[i] >> shift & (digits - 1)) * threads + t];
  }
  __syncthreads();
  int sum = 0;  // of `digits` neighbours, then of all before them
  for (int i = 0; i < digits; ++i) sum += ranks[t * digits + i];
  sum = sum_before(s, sum);
  for (int i = 0; i < digits; ++i) {
    int one = ranks[t * digits + i];
    ranks[t * digits + i] = sum;
    sum += one;
  }
  __syncthreads();
  if (t < digits) start[t] = offsets[t * gridDim.x + blockIdx.x] - ranks[t * threads];
  __syncthreads();
  for (int i = 0; i < items; ++i) {
    int digit = mine[i] >> shift & (digits - 1);
    out[start[digit] + ranks[digit * threads + t]++] = mine[i];
  }
}

CASE(radix_sort) {
  const int n = bench::keys, blocks = n / chunk;
  const auto start = bench::words(n);
  bench::Array<unsigned> keys(start), other(n);
  bench::Array<int> counts(digits * blocks);
  run.measure([&] { keys.fill(start); },
              [&] {
                unsigned *from = keys, *to = other;
                for (int shift = 0; shift < 32; shift += 4) {
                  count<<<blocks, threads>>>(from, counts, shift);
                  offsets<<<1, threads>>>(counts, digits * blocks);
                  scatter<<<blocks, threads>>>(from, counts, to, shift);
                  std::swap(from, to);
                }
                bench::finish();
              });
  keys.report(run);
}
