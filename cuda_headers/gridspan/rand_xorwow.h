// XORWOW: a state, its numbers, jumps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// G. Marsaglia, Xorshift RNGs, 2003: a linear map of 160 bits, to whose last word a counter is
// added. A jump by n applies x^n modulo the map's characteristic polynomial: products of
// polynomials in a table, one for every four bits of n, each a walk of 160 steps.
#pragma once

#include "rand_functions.h"
#include "rand_xorwow_jumps.h"

struct curandStateXORWOW {
  unsigned int d;  // the counter
  unsigned int v[5];
  int boxmuller_flag;  // the second normal number of a pair is kept
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandStateXORWOW;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

namespace gridspan_rand {

QUALIFIERS void xorwow_step(unsigned int* v) {
  const unsigned int t = v[0] ^ v[0] >> 2;
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}

/// Goes on by `n` times what the table's first row stands for.
QUALIFIERS void xorwow_jump(const unsigned int (*jumps)[5], unsigned long long n, unsigned int* v) {
  for (; n; n >>= 4, jumps += 15) {
    const unsigned int digit = n & 15;
    if (!digit) continue;
    unsigned int sum[5] = {0, 0, 0, 0, 0};
    for (int word = 0; word < 5; ++word) {
      const unsigned int bits = jumps[digit - 1][word];
      for (int bit = 0; bit < 32; ++bit) {
        const unsigned int mask = 0u - (bits >> bit & 1);
        for (int i = 0; i < 5; ++i) sum[i] ^= v[i] & mask;
        xorwow_step(v);
      }
    }
    for (int i = 0; i < 5; ++i) v[i] = sum[i];
  }
}

}  // namespace gridspan_rand

/// Goes on by `n` numbers.
QUALIFIERS void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  gridspan_rand::xorwow_jump(gridspan_rand::xorwow_offset_jumps, n, state->v);
  state->d += 362437u * (unsigned int)n;
}

/// Goes on by `n` sequences of 2^67 numbers.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  gridspan_rand::xorwow_jump(gridspan_rand::xorwow_sequence_jumps, n, state->v);
}

/// The state of a sequence, `offset` numbers from its beginning.
QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateXORWOW_t* state) {
  const unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xAAD26B49u);
  const unsigned int high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xF7DCEFDDu);
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

/// 32 random bits.
QUALIFIERS unsigned int curand(curandStateXORWOW_t* state) {
  gridspan_rand::xorwow_step(state->v);
  state->d += 362437u;
  return state->v[4] + state->d;
}
