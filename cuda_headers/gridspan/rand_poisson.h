// Numbers of Poisson's distribution.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Large means of pseudo-random numbers: W. Hoermann, The transformed rejection method for
// generating Poisson random variables, 1993, algorithm PTRS. All else: the inverse of the
// distribution function, one number of one, as a sequence of Sobol's asks for.
#pragma once

#include "rand_normal.h"

namespace gridspan_rand {

/// The first number whose sum of probabilities reaches u: sums begin eight deviations below the
/// mean, which less than 2^-49 of all numbers are. O(sqrt(mean))
QUALIFIERS unsigned int inverse_poisson(double u, double mean) {
  const double first = floor(mean - 8 * sqrt(mean));
  double k = first > 0 ? first : 0;
  double probability = exp(k * log(mean) - mean - lgamma(k + 1));
  double sum = probability;
  const double last = mean + 12 * sqrt(mean) + 30;
  while (sum < u && k < last) {
    k += 1;
    probability *= mean / k;
    sum += probability;
  }
  return (unsigned int)k;
}

/// The distribution's normal approximation, for means that leave no room for a search.
QUALIFIERS unsigned int rounded_poisson(double normal, double mean) {
  const double k = mean + sqrt(mean) * normal + 0.5;
  return k > 0 ? (unsigned int)k : 0;
}

template <typename State>
QUALIFIERS unsigned int rejected_poisson(State* state, double mean) {
  const double log_mean = log(mean);
  const double b = 0.931 + 2.53 * sqrt(mean);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double r = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    const double u = curand_uniform_double(state) - 0.5;
    const double v = curand_uniform_double(state);
    const double us = 0.5 - fabs(u);
    const double k = floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= r) return (unsigned int)k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (log(v * inverse_alpha / (a / (us * us) + b)) <= k * log_mean - mean - lgamma(k + 1))
      return (unsigned int)k;
  }
}

template <typename State>
QUALIFIERS unsigned int poisson(State* state, double mean) {
  return mean < 10 ? inverse_poisson(curand_uniform_double(state), mean)
                   : rejected_poisson(state, mean);
}

template <typename State>
QUALIFIERS unsigned int quasi_poisson(State* state, double mean) {
  return mean < 4000 ? inverse_poisson(curand_uniform_double(state), mean)
                     : rounded_poisson(curand_normal_double(state), mean);
}

}  // namespace gridspan_rand

#define GRIDSPAN_RAND_POISSON(State)                                    \
  QUALIFIERS unsigned int curand_poisson(State* state, double lambda) { \
    return gridspan_rand::poisson(state, lambda);                       \
  }
GRIDSPAN_RAND_PSEUDO_STATES(GRIDSPAN_RAND_POISSON)
#undef GRIDSPAN_RAND_POISSON
#define GRIDSPAN_RAND_POISSON(State)                                    \
  QUALIFIERS unsigned int curand_poisson(State* state, double lambda) { \
    return gridspan_rand::quasi_poisson(state, lambda);                 \
  }
GRIDSPAN_RAND_QUASI_STATES(GRIDSPAN_RAND_POISSON)
#undef GRIDSPAN_RAND_POISSON

QUALIFIERS uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double lambda) {
  uint4 result;
  result.x = curand_poisson(state, lambda);
  result.y = curand_poisson(state, lambda);
  result.z = curand_poisson(state, lambda);
  result.w = curand_poisson(state, lambda);
  return result;
}
