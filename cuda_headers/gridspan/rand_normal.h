// Numbers of normal distribution, and of log-normal: exponentials of those.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// G. E. P. Box, M. E. Muller, A note on the generation of random normal deviates, 1958: a pair of
// numbers of a pair. A sequence of Sobol's keeps its evenness under the inverse of the distribution
// function, and has one number of one.
#pragma once

#include "rand_uniform.h"

namespace gridspan_rand {

/// Two independent numbers of two of (0, 1].
QUALIFIERS float2 normal_pair(float radius, float angle) {
  const float size = sqrtf(-2.0f * logf(radius));
  float sine, cosine;
  sincosf(angle * 6.2831853f, &sine, &cosine);
  return float2{size * sine, size * cosine};
}
QUALIFIERS double2 normal_pair(double radius, double angle) {
  const double size = sqrt(-2.0 * log(radius));
  double sine, cosine;
  sincospi(2.0 * angle, &sine, &cosine);
  return double2{size * sine, size * cosine};
}

template <typename State>
QUALIFIERS float2 normal2(State* state) {
  const float radius = curand_uniform(state);
  return normal_pair(radius, curand_uniform(state));
}
template <typename State>
QUALIFIERS double2 normal2_double(State* state) {
  const double radius = curand_uniform_double(state);
  return normal_pair(radius, curand_uniform_double(state));
}
QUALIFIERS double2 normal2_double(curandStatePhilox4_32_10_t* state) {
  const double2 uniform = curand_uniform2_double(state);
  return normal_pair(uniform.x, uniform.y);
}

/// Whose second number of a pair a state keeps for the next call.
enum Kept : int { kept_normal = 1, kept_log_normal = 2 };

template <typename State>
QUALIFIERS float normal(State* state, Kept kind) {
  if (state->boxmuller_flag == kind) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 pair = normal2(state);
  state->boxmuller_extra = pair.y;
  state->boxmuller_flag = kind;
  return pair.x;
}
template <typename State>
QUALIFIERS double normal_double(State* state, Kept kind) {
  if (state->boxmuller_flag_double == kind) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 pair = normal2_double(state);
  state->boxmuller_extra_double = pair.y;
  state->boxmuller_flag_double = kind;
  return pair.x;
}

/// Where the distribution function has the value that bits stand for. The upper half mirrors the
/// lower one: near 1 there are fewer floating-point numbers than near 0.
template <typename Bits>
QUALIFIERS float inverse_normal(Bits bits) {
  const bool upper = bits >> (sizeof(Bits) * 8 - 1);
  const float lower = -1.41421356f * erfcinvf(2.0f * uniform(upper ? (Bits)~bits : bits));
  return upper ? -lower : lower;
}
QUALIFIERS double middle(unsigned int bits) {
  return bits * 2.3283064365386963e-10 + 1.1641532182693481e-10;
}
QUALIFIERS double middle(unsigned long long bits) { return uniform_double(bits); }
template <typename Bits>
QUALIFIERS double inverse_normal_double(Bits bits) {
  const bool upper = bits >> (sizeof(Bits) * 8 - 1);
  const double lower = -1.41421356237309515 * erfcinv(2.0 * middle(upper ? (Bits)~bits : bits));
  return upper ? -lower : lower;
}

QUALIFIERS float log_normal(float mean, float deviation, float normal) {
  return expf(mean + deviation * normal);
}
QUALIFIERS double log_normal(double mean, double deviation, double normal) {
  return exp(mean + deviation * normal);
}

}  // namespace gridspan_rand

#define GRIDSPAN_RAND_NORMAL(State)                                                         \
  QUALIFIERS float curand_normal(State* state) {                                            \
    return gridspan_rand::normal(state, gridspan_rand::kept_normal);                        \
  }                                                                                         \
  QUALIFIERS double curand_normal_double(State* state) {                                    \
    return gridspan_rand::normal_double(state, gridspan_rand::kept_normal);                 \
  }                                                                                         \
  QUALIFIERS float curand_log_normal(State* state, float mean, float stddev) {              \
    return gridspan_rand::log_normal(                                                       \
        mean, stddev, gridspan_rand::normal(state, gridspan_rand::kept_log_normal));        \
  }                                                                                         \
  QUALIFIERS double curand_log_normal_double(State* state, double mean, double stddev) {    \
    return gridspan_rand::log_normal(                                                       \
        mean, stddev, gridspan_rand::normal_double(state, gridspan_rand::kept_log_normal)); \
  }                                                                                         \
  QUALIFIERS float2 curand_normal2(State* state) { return gridspan_rand::normal2(state); }  \
  QUALIFIERS double2 curand_normal2_double(State* state) {                                  \
    return gridspan_rand::normal2_double(state);                                            \
  }                                                                                         \
  QUALIFIERS float2 curand_log_normal2(State* state, float mean, float stddev) {            \
    const float2 normal = curand_normal2(state);                                            \
    return float2{gridspan_rand::log_normal(mean, stddev, normal.x),                        \
                  gridspan_rand::log_normal(mean, stddev, normal.y)};                       \
  }                                                                                         \
  QUALIFIERS double2 curand_log_normal2_double(State* state, double mean, double stddev) {  \
    const double2 normal = curand_normal2_double(state);                                    \
    return double2{gridspan_rand::log_normal(mean, stddev, normal.x),                       \
                   gridspan_rand::log_normal(mean, stddev, normal.y)};                      \
  }
GRIDSPAN_RAND_PSEUDO_STATES(GRIDSPAN_RAND_NORMAL)
#undef GRIDSPAN_RAND_NORMAL

#define GRIDSPAN_RAND_NORMAL(State)                                                      \
  QUALIFIERS float curand_normal(State* state) {                                         \
    return gridspan_rand::inverse_normal(curand(state));                                 \
  }                                                                                      \
  QUALIFIERS double curand_normal_double(State* state) {                                 \
    return gridspan_rand::inverse_normal_double(curand(state));                          \
  }                                                                                      \
  QUALIFIERS float curand_log_normal(State* state, float mean, float stddev) {           \
    return gridspan_rand::log_normal(mean, stddev, curand_normal(state));                \
  }                                                                                      \
  QUALIFIERS double curand_log_normal_double(State* state, double mean, double stddev) { \
    return gridspan_rand::log_normal(mean, stddev, curand_normal_double(state));         \
  }
GRIDSPAN_RAND_QUASI_STATES(GRIDSPAN_RAND_NORMAL)
#undef GRIDSPAN_RAND_NORMAL

QUALIFIERS float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const float4 uniform = curand_uniform4(state);
  const float2 a = gridspan_rand::normal_pair(uniform.x, uniform.y);
  const float2 b = gridspan_rand::normal_pair(uniform.z, uniform.w);
  return float4{a.x, a.y, b.x, b.y};
}
QUALIFIERS double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return double4{a.x, a.y, b.x, b.y};
}
QUALIFIERS float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float stddev) {
  const float4 normal = curand_normal4(state);
  return float4{gridspan_rand::log_normal(mean, stddev, normal.x),
                gridspan_rand::log_normal(mean, stddev, normal.y),
                gridspan_rand::log_normal(mean, stddev, normal.z),
                gridspan_rand::log_normal(mean, stddev, normal.w)};
}
QUALIFIERS double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* state, double mean,
                                             double stddev) {
  const double4 normal = curand_normal4_double(state);
  return double4{gridspan_rand::log_normal(mean, stddev, normal.x),
                 gridspan_rand::log_normal(mean, stddev, normal.y),
                 gridspan_rand::log_normal(mean, stddev, normal.z),
                 gridspan_rand::log_normal(mean, stddev, normal.w)};
}
