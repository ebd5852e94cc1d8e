// The price of an option by random walks, with Philox: a block for each batch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "device.h"

#include <cmath>

constexpr int threads = 256;

/// Four random words for each counter (Salmon et al., Parallel random numbers: as easy as 1, 2, 3).
__device__ uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    unsigned high0 = __umulhi(0xD2511F53u, counter.x), low0 = 0xD2511F53u * counter.x;
    unsigned high1 = __umulhi(0xCD9E8D57u, counter.z), low1 = 0xCD9E8D57u * counter.z;
    counter = make_uint4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return counter;
}

/// Two normally distributed numbers.
__device__ float2 normal(unsigned a, unsigned b) {
  float u = ((a >> 8) + 0.5f) * (1.0f / 16777216), angle = (b >> 8) * (6.2831853f / 16777216);
  float radius = sqrtf(-2 * logf(u)), sine, cosine;
  sincosf(angle, &sine, &cosine);
  return make_float2(radius * cosine, radius * sine);
}

__device__ float payoff(float z) { return fmaxf(100 * expf(0.03f + 0.2f * z) - 105, 0); }

__global__ void simulate(float* sums, int draws) {
  __shared__ float s[threads];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = t; i < draws; i += threads) {
    uint4 word = philox(make_uint4(i, blockIdx.x, 0, 0), make_uint2(2026, 7));
    float2 a = normal(word.x, word.y), b = normal(word.z, word.w);
    sum += payoff(a.x) + payoff(a.y) + payoff(b.x) + payoff(b.y);
  }
  s[t] = sum;
  __syncthreads();
  for (int d = threads / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

CASE(monte_carlo) {
  bench::Array<float> sums(bench::batches);
  run.measure([&] {
    simulate<<<bench::batches, threads>>>(sums, bench::draws);
    bench::finish();
  });
  sums.report(run);
}
