// The price of an option by random walks, with Philox: random words in vectors, then the walks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

constexpr int stretch = 256;

/// Four random words for each of `stretch` counters (Salmon et al., Parallel random numbers: as
/// easy as 1, 2, 3).
static void philox(unsigned first, unsigned batch, unsigned (*words)[stretch]) {
#pragma omp simd
  for (int i = 0; i < stretch; ++i) {
    unsigned a = first + static_cast<unsigned>(i), b = batch, c = 0, d = 0, k0 = 2026, k1 = 7;
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * a, p1 = std::uint64_t{0xCD9E8D57u} * c;
      a = static_cast<unsigned>(p1 >> 32) ^ b ^ k0;
      b = static_cast<unsigned>(p1);
      c = static_cast<unsigned>(p0 >> 32) ^ d ^ k1;
      d = static_cast<unsigned>(p0);
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
    words[0][i] = a, words[1][i] = b, words[2][i] = c, words[3][i] = d;
  }
}

static float payoff(float z) { return std::max(100 * std::exp(0.03f + 0.2f * z) - 105, 0.0f); }

/// Of two normally distributed numbers.
static float payoffs(unsigned a, unsigned b) {
  const float u = (static_cast<float>(a >> 8) + 0.5f) * (1.0f / 16777216),
              angle = static_cast<float>(b >> 8) * (6.2831853f / 16777216);
  const float radius = std::sqrt(-2 * std::log(u));
  return payoff(radius * std::cos(angle)) + payoff(radius * std::sin(angle));
}

CASE(monte_carlo) {
  std::vector<float> sums(bench::batches);
  run.measure([&] {
#pragma omp parallel for schedule(static)
    for (int batch = 0; batch < bench::batches; ++batch) {
      float sum = 0;
      for (int first = 0; first < bench::draws; first += stretch) {
        unsigned words[4][stretch];
        philox(static_cast<unsigned>(first), static_cast<unsigned>(batch), words);
        for (int i = 0; i < stretch; ++i)
          sum += payoffs(words[0][i], words[1][i]) + payoffs(words[2][i], words[3][i]);
      }
      sums[batch] = sum;
    }
  });
  run.result(sums.data(), sums.size());
}
