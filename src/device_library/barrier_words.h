// mbarrier objects: barriers that are 64-bit words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A word holds, from the lowest bit: arrivals to come in this phase (20 bits), arrivals of each
// phase (20), bytes to come (21, signed), and in bit 63 the phase's parity. The first look at it
// need not be atomic: what it sees only has to be there still when it is replaced.
#pragma once

namespace gridspan::device_library::barrier_words {

#define BARRIER_FUNCTION static inline __attribute__((always_inline))

using Word = unsigned long long;

constexpr int expected_shift = 20, bytes_shift = 40;
constexpr Word count_mask = (1u << 20) - 1, bytes_mask = (1u << 21) - 1, phase_bit = Word{1} << 63;

BARRIER_FUNCTION unsigned pending(Word word) { return static_cast<unsigned>(word & count_mask); }
BARRIER_FUNCTION unsigned expected(Word word) {
  return static_cast<unsigned>(word >> expected_shift & count_mask);
}
BARRIER_FUNCTION unsigned bytes(Word word) {
  return static_cast<unsigned>(word >> bytes_shift & bytes_mask);
}

BARRIER_FUNCTION Word make(unsigned pending, unsigned expected, unsigned bytes, Word phase) {
  return (pending & count_mask) | (expected & count_mask) << expected_shift |
         (bytes & bytes_mask) << bytes_shift | phase;
}

/// The state after a change; when nothing is missing any more, the next phase begins.
BARRIER_FUNCTION Word settled(unsigned pending, unsigned expected, unsigned bytes, Word phase) {
  const bool is_over = pending == 0 && (bytes & bytes_mask) == 0;
  return is_over ? make(expected, expected, bytes, phase ^ phase_bit)
                 : make(pending, expected, bytes, phase);
}

/// Replaces the state by `change(state)`; returns it as it was.
template <class Change>
BARRIER_FUNCTION Word update(Word* place, Change change) {
  Word before = *place;
  while (!__atomic_compare_exchange_n(place, &before, change(before), false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED)) {
  }
  return before;
}

BARRIER_FUNCTION void init(Word* place, unsigned count) { *place = make(count, count, 0, 0); }

/// Expects `more` bytes and arrives `count` times, `dropped` of which are gone from later phases.
/// Returns the state before.
BARRIER_FUNCTION Word arrive(Word* place, unsigned count, unsigned dropped, unsigned more) {
  return update(place, [=](Word state) {
    return settled(pending(state) - count, expected(state) - dropped, bytes(state) + more,
                   state & phase_bit);
  });
}

/// Bytes that are to come, or with a negative number have come.
BARRIER_FUNCTION void transaction(Word* place, int more) {
  update(place, [=](Word state) {
    const unsigned left = bytes(state) + static_cast<unsigned>(more);
    return more > 0 ? make(pending(state), expected(state), left, state & phase_bit)
                    : settled(pending(state), expected(state), left, state & phase_bit);
  });
}

/// The phase of this parity is over.
BARRIER_FUNCTION bool is_over(const volatile Word* place, unsigned parity) {
  return (*place >> 63 & 1) != (parity & 1);
}

BARRIER_FUNCTION unsigned parity_of(Word state) { return static_cast<unsigned>(state >> 63); }

#undef BARRIER_FUNCTION

}  // namespace gridspan::device_library::barrier_words
