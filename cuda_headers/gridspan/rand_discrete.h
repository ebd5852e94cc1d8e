// Numbers of a distribution that the host has made a table of (curandCreatePoissonDistribution).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rand_distribution.h"
#include "rand_uniform.h"

namespace gridspan_rand {

/// The first number whose sum of probabilities reaches u. O(log length)
QUALIFIERS unsigned int discrete(const curandDiscreteDistribution_st* table, double u) {
  unsigned int first = 0, count = table->length - 1;
  while (count > 0) {
    const unsigned int half = count / 2;
    const bool is_beyond = table->sums[first + half] < u;
    first = is_beyond ? first + half + 1 : first;
    count = is_beyond ? count - half - 1 : half;
  }
  return table->shift + first;
}

}  // namespace gridspan_rand

#define GRIDSPAN_RAND_DISCRETE(State)                                                           \
  QUALIFIERS unsigned int curand_discrete(State* state,                                         \
                                          curandDiscreteDistribution_t discrete_distribution) { \
    return gridspan_rand::discrete(discrete_distribution, curand_uniform_double(state));        \
  }
GRIDSPAN_RAND_PSEUDO_STATES(GRIDSPAN_RAND_DISCRETE)
GRIDSPAN_RAND_QUASI_STATES(GRIDSPAN_RAND_DISCRETE)
#undef GRIDSPAN_RAND_DISCRETE

/// Of one number of 32 bits each.
QUALIFIERS uint4 curand_discrete4(curandStatePhilox4_32_10_t* state,
                                  curandDiscreteDistribution_t discrete_distribution) {
  using namespace gridspan_rand;
  const uint4 bits = curand4(state);
  return uint4{discrete(discrete_distribution, uniform_double(bits.x)),
               discrete(discrete_distribution, uniform_double(bits.y)),
               discrete(discrete_distribution, uniform_double(bits.z)),
               discrete(discrete_distribution, uniform_double(bits.w))};
}
