// Numbers of (0, 1] of even distribution. 0 is never among them, 1 may be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rand_states.h"

namespace gridspan_rand {

/// The middle of the 32 bits' part of (0, 1], rounded: by 2^-32, and 2^-33 more.
QUALIFIERS float uniform(unsigned int bits) {
  return bits * 2.3283064365386963e-10f + 1.1641532182693481e-10f;
}
QUALIFIERS float uniform(unsigned long long bits) { return uniform((unsigned int)(bits >> 32)); }

QUALIFIERS double uniform_double(unsigned int bits) {
  return bits * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}
QUALIFIERS double uniform_double(unsigned long long bits) {
  return (bits >> 11) * 1.1102230246251565e-16 + 5.5511151231257827e-17;
}
/// Of two numbers of 32 bits, the lower bits first.
QUALIFIERS double uniform_double(unsigned int low, unsigned int high) {
  return (low ^ (unsigned long long)high << 21) * 1.1102230246251565e-16 + 5.5511151231257827e-17;
}

}  // namespace gridspan_rand

QUALIFIERS float curand_uniform(curandStateXORWOW_t* state) {
  return gridspan_rand::uniform(curand(state));
}
QUALIFIERS double curand_uniform_double(curandStateXORWOW_t* state) {
  const unsigned int low = curand(state);
  return gridspan_rand::uniform_double(low, curand(state));
}
QUALIFIERS float curand_uniform(curandStatePhilox4_32_10_t* state) {
  return gridspan_rand::uniform(curand(state));
}
// Of 32 bits; curand_uniform2_double's have 53.
QUALIFIERS double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return gridspan_rand::uniform_double(curand(state));
}

// MRG32k3a's numbers of 1 to 2^32 - 209, by the largest.
QUALIFIERS double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return gridspan_rand::mrg_next(state) * 2.3283065498378288e-10;
}
QUALIFIERS float curand_uniform(curandStateMRG32k3a_t* state) {
  return (float)curand_uniform_double(state);
}

#define GRIDSPAN_RAND_UNIFORM(State)                                                              \
  QUALIFIERS float curand_uniform(State* state) { return gridspan_rand::uniform(curand(state)); } \
  QUALIFIERS double curand_uniform_double(State* state) {                                         \
    return gridspan_rand::uniform_double(curand(state));                                          \
  }
GRIDSPAN_RAND_QUASI_STATES(GRIDSPAN_RAND_UNIFORM)
#undef GRIDSPAN_RAND_UNIFORM

QUALIFIERS float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 bits = curand4(state);
  return float4{gridspan_rand::uniform(bits.x), gridspan_rand::uniform(bits.y),
                gridspan_rand::uniform(bits.z), gridspan_rand::uniform(bits.w)};
}
QUALIFIERS double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 bits = curand4(state);
  return double2{gridspan_rand::uniform_double(bits.x, bits.y),
                 gridspan_rand::uniform_double(bits.z, bits.w)};
}
QUALIFIERS double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return double4{a.x, a.y, b.x, b.y};
}
