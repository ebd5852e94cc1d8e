// Philox4x32-10: a state, its numbers, jumps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3,
// 2011. A counter of 128 bits and a key of 64 give four numbers. The key is the seed, the upper
// half of the counter the subsequence, the lower half a quarter of the offset.
#pragma once

#include "rand_functions.h"

struct curandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;  // the numbers of ctr
  uint2 key;
  unsigned int STATE;  // how many of them have been given
  int boxmuller_flag;  // the second normal number of a pair is kept
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace gridspan_rand {

/// The four numbers of a counter.
QUALIFIERS uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ull * counter.x, b = 0xCD9E8D57ull * counter.z;
    const uint4 next = {(unsigned int)(b >> 32) ^ counter.y ^ key.x, (unsigned int)b,
                        (unsigned int)(a >> 32) ^ counter.w ^ key.y, (unsigned int)a};
    counter = next;
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return counter;
}

/// The upper half of a counter, `n` further.
QUALIFIERS void add_to_high(uint4* counter, unsigned long long n) {
  const unsigned long long sum = ((unsigned long long)counter->w << 32 | counter->z) + n;
  counter->z = (unsigned int)sum;
  counter->w = (unsigned int)(sum >> 32);
}

QUALIFIERS void add(uint4* counter, unsigned long long n) {
  const unsigned long long sum = ((unsigned long long)counter->y << 32 | counter->x) + n;
  counter->x = (unsigned int)sum;
  counter->y = (unsigned int)(sum >> 32);
  if (sum < n) add_to_high(counter, 1);
}

/// The number at a place of four, modulo 4.
QUALIFIERS unsigned int part(const uint4& four, unsigned int place) {
  const unsigned int low = place & 1 ? four.y : four.x, high = place & 1 ? four.w : four.z;
  return place & 2 ? high : low;
}

}  // namespace gridspan_rand

/// Goes on by `n` numbers.
QUALIFIERS void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned int place = state->STATE + (unsigned int)(n & 3);
  gridspan_rand::add(&state->ctr, n / 4 + place / 4);
  state->STATE = place & 3;
  state->output = gridspan_rand::philox(state->ctr, state->key);
}

/// Goes on by `n` subsequences of 2^66 numbers.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  gridspan_rand::add_to_high(&state->ctr, n);
  state->output = gridspan_rand::philox(state->ctr, state->key);
}

/// The state of a subsequence, `offset` numbers from its beginning.
QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  state->ctr = uint4{0, 0, (unsigned int)subsequence, (unsigned int)(subsequence >> 32)};
  state->key = uint2{(unsigned int)seed, (unsigned int)(seed >> 32)};
  state->STATE = 0;
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  skipahead(offset, state);
}

/// 32 random bits.
QUALIFIERS unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const unsigned int result = gridspan_rand::part(state->output, state->STATE++);
  if (state->STATE == 4) {
    gridspan_rand::add(&state->ctr, 1);
    state->output = gridspan_rand::philox(state->ctr, state->key);
    state->STATE = 0;
  }
  return result;
}

/// The next four numbers of `curand`.
QUALIFIERS uint4 curand4(curandStatePhilox4_32_10_t* state) {
  using gridspan_rand::part;
  const unsigned int place = state->STATE;
  const unsigned int a = part(state->output, place);
  const unsigned int b = part(state->output, place + 1);
  const unsigned int c = part(state->output, place + 2);
  const unsigned int d = part(state->output, place + 3);
  gridspan_rand::add(&state->ctr, 1);
  state->output = gridspan_rand::philox(state->ctr, state->key);
  return uint4{a, place > 2 ? part(state->output, place + 1) : b,
               place > 1 ? part(state->output, place + 2) : c,
               place > 0 ? part(state->output, place + 3) : d};
}
