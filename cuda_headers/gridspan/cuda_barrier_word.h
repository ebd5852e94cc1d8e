// The state of a barrier in 64 bits, as the device library's mbarrier functions keep it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrivals to come (20 bits), arrivals of each phase (20), bytes to come (21), parity of the phase
// (bit 63): src/device_library/barrier_words.h. What is in memory may be a GPU's own; states that
// functions return are not.
#pragma once

#include "cuda_scope.h"
#include "device_mbarrier.h"

namespace cuda {
namespace gridspan_details {

using word = unsigned long long;
constexpr word phase_bit = word(1) << 63;
constexpr word count_mask = (1u << 20) - 1;

GRIDSPAN_CUDA_FUNCTION constexpr word first_state(unsigned count) {
  return (count & count_mask) | (count & count_mask) << 20;
}

/// Nothing happens when a phase ends.
struct no_completion {
  GRIDSPAN_CUDA_FUNCTION void operator()() noexcept {}
};

/// For threads of one block: an mbarrier object. Waiting is a sync point, not a loop.
struct block_state {
  word value;

  GRIDSPAN_CUDA_FUNCTION void start(unsigned count) {
#ifdef __CUDA_ARCH__
    __gridspan_mbarrier_init(&value, count);
#else
    value = first_state(count);
#endif
  }
  __device__ word arrive(unsigned count, bool drops) {
    return __gridspan_mbarrier_arrive(&value, count, drops ? count : 0, 0);
  }
  __device__ void wait(word token) const { wait_parity((token & phase_bit) != 0); }
  __device__ void wait_parity(bool parity) const {
    gridspan_phase_wait((unsigned long long)&value | (parity ? 1 : 0));
  }
  __device__ bool is_over(word token) const { return __gridspan_mbarrier_test(&value, token) != 0; }
  __device__ bool is_over_parity(bool parity) const {
    return __gridspan_mbarrier_test_parity(&value, parity) != 0;
  }
};

/// For threads of any blocks, and for completion functions: whoever comes last calls it and then
/// begins the next phase.
template <class Completion>
struct shared_state {
  word value;
  Completion completion;

  GRIDSPAN_CUDA_FUNCTION void start(unsigned count) { value = first_state(count); }
  GRIDSPAN_CUDA_FUNCTION word look() const { return *const_cast<const volatile word*>(&value); }
  GRIDSPAN_CUDA_FUNCTION word arrive(unsigned count, bool drops) {
    word before = look(), after;
    do {
      after = before - count - (drops ? word(count) << 20 : 0);
    } while (!__atomic_compare_exchange_n(&value, &before, after, false, __ATOMIC_SEQ_CST,
                                          __ATOMIC_SEQ_CST));
    if ((after & count_mask) == 0) {
      completion();
      const word expected = after >> 20 & count_mask;
      __atomic_store_n(&value, first_state((unsigned)expected) | ((after ^ phase_bit) & phase_bit),
                       __ATOMIC_SEQ_CST);
    }
    return before;
  }
  GRIDSPAN_CUDA_FUNCTION void wait(word token) const {
    while (!is_over(token)) {
    }
  }
  GRIDSPAN_CUDA_FUNCTION void wait_parity(bool parity) const {
    while (!is_over_parity(parity)) {
    }
  }
  GRIDSPAN_CUDA_FUNCTION bool is_over(word token) const {
    return ((__atomic_load_n(&value, __ATOMIC_SEQ_CST) ^ token) & phase_bit) != 0;
  }
  GRIDSPAN_CUDA_FUNCTION bool is_over_parity(bool parity) const {
    return (__atomic_load_n(&value, __ATOMIC_SEQ_CST) >> 63 != 0) != parity;
  }
};

template <thread_scope Scope, class Completion>
struct state_of {
  using type = shared_state<Completion>;
};
template <>
struct state_of<thread_scope_block, no_completion> {
  using type = block_state;
};

}  // namespace gridspan_details
}  // namespace cuda
