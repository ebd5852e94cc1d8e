// Radix sort by eight bits at a time: counts of blocks, their offsets, and each key to its place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

#include <utility>

constexpr int digits = 256, threads = digits, warps = threads / 32, items = 16,
              chunk = threads * items;

__global__ void count(const unsigned* keys, int* counts, int shift) {
  __shared__ int s[digits];
  int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  for (int i = t; i < chunk; i += threads)
    atomicAdd(&s[keys[blockIdx.x * chunk + i] >> shift & (digits - 1)], 1);
  __syncthreads();
  counts[t * gridDim.x + blockIdx.x] = s[t];
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

/// Lanes whose digit is the same, by a vote for each bit.
__device__ unsigned peers_of(unsigned digit) {
  unsigned peers = 0xffffffff;
  for (int bit = 1; bit < digits; bit *= 2) {
    unsigned with = __ballot_sync(0xffffffff, digit & bit);
    peers &= digit & bit ? with : ~with;
  }
  return peers;
}

/// Warps have 32 * `items` keys in a row each; equal digits keep their order. A warp counts its
/// digits as it goes, which ranks its keys; then counts become places.
__global__ void scatter(const unsigned* keys, const int* offsets, unsigned* out, int shift) {
  __shared__ int places[warps][digits];
  int t = threadIdx.x, lane = t % 32, warp = t / 32, first = blockIdx.x * chunk + warp * 32 * items;
  for (int i = lane; i < digits; i += 32) places[warp][i] = 0;
  __syncwarp();
  unsigned mine[items];
  int rank[items];
  for (int i = 0; i < items; ++i) {
    mine[i] = keys[first + i * 32 + lane];
    unsigned digit = mine[i] >> shift & (digits - 1), peers = peers_of(digit);
    int start = places[warp][digit], before = __popc(peers & ((1u << lane) - 1));
    rank[i] = start + before;
    __syncwarp();
    if (before == 0) places[warp][digit] = start + __popc(peers);
    __syncwarp();
  }
  __syncthreads();
  int sum = offsets[t * gridDim.x + blockIdx.x];
  for (int w = 0; w < warps; ++w) {
    int one = places[w][t];
    places[w][t] = sum;
    sum += one;
  }
  __syncthreads();
  for (int i = 0; i < items; ++i)
    out[places[warp][mine[i] >> shift & (digits - 1)] + rank[i]] = mine[i];
}

CASE(radix_sort) {
  const int n = bench::keys, blocks = n / chunk;
  const auto start = bench::words(n);
  bench::Array<unsigned> keys(start), other(n);
  bench::Array<int> counts(digits * blocks);
  run.measure([&] { keys.fill(start); },
              [&] {
                unsigned *from = keys, *to = other;
                for (int shift = 0; shift < 32; shift += 8) {
                  count<<<blocks, threads>>>(from, counts, shift);
                  offsets<<<1, threads>>>(counts, digits * blocks);
                  scatter<<<blocks, threads>>>(from, counts, to, shift);
                  std::swap(from, to);
                }
                bench::finish();
              });
  keys.report(run);
}
