// The price of an option by random walks, with Philox: a work-group for each batch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four random words for each counter (Salmon et al., Parallel random numbers: as easy as 1, 2, 3).
uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    uint high0 = mul_hi(0xD2511F53u, counter.x), low0 = 0xD2511F53u * counter.x;
    uint high1 = mul_hi(0xCD9E8D57u, counter.z), low1 = 0xCD9E8D57u * counter.z;
    counter = (uint4)(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
  }
  return counter;
}

// Two normally distributed numbers.
float2 normal(uint a, uint b) {
  float u = ((a >> 8) + 0.5f) * (1.0f / 16777216), angle = (b >> 8) * (6.2831853f / 16777216);
  float radius = sqrt(-2 * log(u)), cosine, sine = sincos(angle, &cosine);
  return (float2)(radius * cosine, radius * sine);
}

float payoff(float z) { return fmax(100 * exp(0.03f + 0.2f * z) - 105, 0.0f); }

__kernel void simulate(__global float* sums, int draws) {
  __local float s[THREADS];
  int t = get_local_id(0);
  float sum = 0;
  for (int i = t; i < draws; i += THREADS) {
    uint4 word = philox((uint4)(i, get_group_id(0), 0, 0), (uint2)(2026, 7));
    float2 a = normal(word.x, word.y), b = normal(word.z, word.w);
    sum += payoff(a.x) + payoff(a.y) + payoff(b.x) + payoff(b.y);
  }
  s[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = THREADS / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) sums[get_group_id(0)] = s[0];
}
