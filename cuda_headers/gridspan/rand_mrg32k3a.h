// MRG32k3a: a state, its numbers, jumps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// P. L'Ecuyer, Good parameters and implementations for combined multiple recursive random number
// generators, 1999. Two linear recurrences modulo primes a little below 2^32; a jump multiplies
// both states by a matrix for each bit.
#pragma once

#include "rand_functions.h"
#include "rand_mrg32k3a_jumps.h"

struct curandStateMRG32k3a {
  unsigned int s1[3];
  unsigned int s2[3];
  int boxmuller_flag;  // the second normal number of a pair is kept
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a;

namespace gridspan_rand {

/// The primes are 2^32 less these.
enum : unsigned int { mrg_gap1 = 209, mrg_gap2 = 22853 };

/// x modulo 2^32 - gap: 2^32 is as much as gap.
template <unsigned int gap>
QUALIFIERS unsigned int mrg_rest(unsigned long long x) {
  x = (x >> 32) * gap + (x & 0xFFFFFFFFu);
  x = (x >> 32) * gap + (x & 0xFFFFFFFFu);
  const unsigned long long prime = 0x100000000ull - gap;
  return (unsigned int)(x >= prime ? x - prime : x);
}

/// Multiplies by a matrix, given line by line.
template <unsigned int gap>
QUALIFIERS void mrg_jump(const unsigned int* matrix, unsigned int* s) {
  unsigned int result[3];
  for (int i = 0; i < 3; ++i) {
    unsigned long long sum = 0;
    for (int j = 0; j < 3; ++j) sum += mrg_rest<gap>((unsigned long long)matrix[3 * i + j] * s[j]);
    result[i] = mrg_rest<gap>(sum);
  }
  for (int i = 0; i < 3; ++i) s[i] = result[i];
}

/// Goes on by n 2^first numbers.
QUALIFIERS void mrg_jump(unsigned long long n, int first, curandStateMRG32k3a_t* state) {
  for (int bit = first; n; ++bit, n >>= 1) {
    if (!(n & 1)) continue;
    mrg_jump<mrg_gap1>(mrg32k3a_jumps[bit][0], state->s1);
    mrg_jump<mrg_gap2>(mrg32k3a_jumps[bit][1], state->s2);
  }
}

/// The next number: from 1 to 2^32 - 209.
QUALIFIERS unsigned int mrg_next(curandStateMRG32k3a_t* state) {
  unsigned int* const a = state->s1;
  unsigned int* const b = state->s2;
  const unsigned int next1 =
      mrg_rest<mrg_gap1>(1403580ull * a[1] + 810728ull * (0u - mrg_gap1 - a[0]));
  const unsigned int next2 =
      mrg_rest<mrg_gap2>(527612ull * b[2] + 1370589ull * (0u - mrg_gap2 - b[0]));
  a[0] = a[1];
  a[1] = a[2];
  a[2] = next1;
  b[0] = b[1];
  b[1] = b[2];
  b[2] = next2;
  return next1 > next2 ? next1 - next2 : next1 - next2 - mrg_gap1;
}

}  // namespace gridspan_rand

/// Goes on by `n` numbers.
QUALIFIERS void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
  gridspan_rand::mrg_jump(n, 0, state);
}

/// Goes on by `n` subsequences of 2^76 numbers.
QUALIFIERS void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  gridspan_rand::mrg_jump(n, 76, state);
}

/// Goes on by `n` sequences of 2^127 numbers.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  gridspan_rand::mrg_jump(n, 127, state);
}

/// The state of a subsequence, `offset` numbers from its beginning.
QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateMRG32k3a_t* state) {
  for (int i = 0; i < 3; ++i) state->s1[i] = state->s2[i] = 12345;
  if (seed != 0) {
    using namespace gridspan_rand;
    const unsigned long long low = (unsigned int)seed ^ 0x55555555u;
    const unsigned long long high = (unsigned int)(seed >> 32) ^ 0xAAAAAAAAu;
    state->s1[0] = mrg_rest<mrg_gap1>(low * 12345);
    state->s1[1] = mrg_rest<mrg_gap1>(high * 12345);
    state->s1[2] = mrg_rest<mrg_gap1>(low * 12345);
    state->s2[0] = mrg_rest<mrg_gap2>(high * 12345);
    state->s2[1] = mrg_rest<mrg_gap2>(low * 12345);
    state->s2[2] = mrg_rest<mrg_gap2>(high * 12345);
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

/// 32 random bits: the number is stretched to their range.
QUALIFIERS unsigned int curand(curandStateMRG32k3a_t* state) {
  return (unsigned int)(gridspan_rand::mrg_next(state) * 1.000000048662);
}
