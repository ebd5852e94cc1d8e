// Sobol's sequences of 32 and 64 bits, plain and scrambled: states, their numbers, jumps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// I. A. Antonov, V. M. Saleev, An economic method of computing LP-tau sequences, 1979: number i is
// the exclusive or of the direction vectors that the Gray code of i names.
#pragma once

#include "rand_functions.h"

/// A sequence that begins with the scrambling constant, or with 0.
#define GRIDSPAN_SOBOL_STATE(name, Bits, width) \
  struct name {                                 \
    Bits i, x, c; /* place, number, start */    \
    Bits direction_vectors[width];              \
  };                                            \
  typedef struct name name##_t;
GRIDSPAN_SOBOL_STATE(curandStateSobol32, unsigned int, 32)
GRIDSPAN_SOBOL_STATE(curandStateScrambledSobol32, unsigned int, 32)
GRIDSPAN_SOBOL_STATE(curandStateSobol64, unsigned long long, 64)
GRIDSPAN_SOBOL_STATE(curandStateScrambledSobol64, unsigned long long, 64)
#undef GRIDSPAN_SOBOL_STATE

namespace gridspan_rand {

/// Number i of a sequence.
template <int width, typename Bits>
QUALIFIERS Bits sobol(const Bits* vectors, Bits i, Bits start) {
  const Bits gray = i ^ i >> 1;
  Bits x = start;
  for (int bit = 0; bit < width; ++bit) x ^= vectors[bit] & (Bits)(0 - (gray >> bit & 1));
  return x;
}

template <int width, typename State, typename Bits>
QUALIFIERS void start_sobol(State* state, const Bits* vectors, Bits start, Bits offset) {
  for (int bit = 0; bit < width; ++bit) state->direction_vectors[bit] = vectors[bit];
  state->c = start;
  state->i = offset;
  state->x = sobol<width>(vectors, offset, start);
}

}  // namespace gridspan_rand

#define GRIDSPAN_SOBOL(State, Bits, width)                                                \
  /** Goes on by `n` numbers. */                                                          \
  QUALIFIERS void skipahead(Bits n, State##_t* state) {                                   \
    state->i += n;                                                                        \
    state->x = gridspan_rand::sobol<width>(state->direction_vectors, state->i, state->c); \
  }                                                                                       \
  QUALIFIERS Bits curand(State##_t* state) {                                              \
    const Bits result = state->x;                                                         \
    const int bit = __builtin_ctzll(~(unsigned long long)state->i | 1ull << (width - 1)); \
    state->x ^= state->direction_vectors[bit];                                            \
    ++state->i;                                                                           \
    return result;                                                                        \
  }
GRIDSPAN_SOBOL(curandStateSobol32, unsigned int, 32)
GRIDSPAN_SOBOL(curandStateScrambledSobol32, unsigned int, 32)
GRIDSPAN_SOBOL(curandStateSobol64, unsigned long long, 64)
GRIDSPAN_SOBOL(curandStateScrambledSobol64, unsigned long long, 64)
#undef GRIDSPAN_SOBOL

#define GRIDSPAN_SOBOL_INIT(name, Bits, width)                                                     \
  /** A state of the dimension of these direction vectors, `offset` numbers from its beginning. */ \
  QUALIFIERS void curand_init(Bits* direction_vectors, Bits offset,                                \
                              curandState##name##_t* state) {                                      \
    gridspan_rand::start_sobol<width>(state, direction_vectors, (Bits)0, offset);                  \
  }                                                                                                \
  QUALIFIERS void curand_init(Bits* direction_vectors, Bits scramble_c, Bits offset,               \
                              curandStateScrambled##name##_t* state) {                             \
    gridspan_rand::start_sobol<width>(state, direction_vectors, scramble_c, offset);               \
  }
GRIDSPAN_SOBOL_INIT(Sobol32, unsigned int, 32)
GRIDSPAN_SOBOL_INIT(Sobol64, unsigned long long, 64)
#undef GRIDSPAN_SOBOL_INIT
