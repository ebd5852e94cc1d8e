// cuda::barrier: threads meet as often as they like, arriving and waiting apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cuda_barrier_word.h"

#include <chrono>
#include <type_traits>

namespace cuda {

template <thread_scope Scope, class Completion = gridspan_details::no_completion>
class barrier {
  using state = typename gridspan_details::state_of<Scope, Completion>::type;

 public:
  class arrival_token {
   public:
    arrival_token() = default;

   private:
    GRIDSPAN_CUDA_FUNCTION explicit arrival_token(gridspan_details::word value) : value_(value) {}
    gridspan_details::word value_;
    friend class barrier;
  };

  barrier() = default;  // not usable before init
  GRIDSPAN_CUDA_FUNCTION explicit barrier(::std::ptrdiff_t expected,
                                          Completion completion = Completion()) {
    start(expected, completion);
  }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  GRIDSPAN_CUDA_FUNCTION friend void init(barrier* place, ::std::ptrdiff_t expected,
                                          Completion completion = Completion()) {
    place->start(expected, completion);
  }

  __device__ arrival_token arrive(::std::ptrdiff_t count = 1) {
    return arrival_token(state_.arrive((unsigned)count, false));
  }
  __device__ void wait(arrival_token&& token) const { state_.wait(token.value_); }
  __device__ void wait_parity(bool parity) const { state_.wait_parity(parity); }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __device__ void arrive_and_drop() { state_.arrive(1, true); }

  template <class Rep, class Period>
  __device__ bool try_wait_for(arrival_token&& token,
                               const ::std::chrono::duration<Rep, Period>& time) const {
    return within(time, [&] { return state_.is_over(token.value_); });
  }
  template <class Rep, class Period>
  __device__ bool try_wait_parity_for(bool parity,
                                      const ::std::chrono::duration<Rep, Period>& time) const {
    return within(time, [&] { return state_.is_over_parity(parity); });
  }

  GRIDSPAN_CUDA_FUNCTION static constexpr ::std::ptrdiff_t max() noexcept {
    return (::std::ptrdiff_t)gridspan_details::count_mask;
  }

  /// For barrier_native_handle.
  __device__ ::std::uint64_t* gridspan_native() {
    static_assert(::std::is_same<state, gridspan_details::block_state>::value,
                  "only barriers of a block without completion function have a native handle");
    return reinterpret_cast<::std::uint64_t*>(&state_.value);
  }

 private:
  GRIDSPAN_CUDA_FUNCTION void start(::std::ptrdiff_t expected, Completion& completion) {
    state_.start((unsigned)expected);
    set_completion(state_, completion);
  }
  GRIDSPAN_CUDA_FUNCTION static void set_completion(gridspan_details::block_state&, Completion&) {}
  GRIDSPAN_CUDA_FUNCTION static void set_completion(gridspan_details::shared_state<Completion>& to,
                                                    Completion& completion) {
    to.completion = completion;
  }
  template <class Rep, class Period, class IsOver>
  __device__ bool within(const ::std::chrono::duration<Rep, Period>& time, IsOver is_over) const {
#ifdef __CUDACC__
    const unsigned long long start = __nvvm_read_ptx_sreg_globaltimer();
    const auto patience =
        (unsigned long long)(double(time.count()) * 1e9 * Period::num / Period::den);
    for (;;) {
      if (is_over()) return true;
      if (__nvvm_read_ptx_sreg_globaltimer() - start >= patience) return false;
    }
#else  // parsed, never called
    (void)time;
    return is_over();
#endif
  }

  state state_;
};

namespace device {

/// The mbarrier object inside, as inline PTX takes it.
__device__ inline ::std::uint64_t* barrier_native_handle(barrier<thread_scope_block>& of) {
  return of.gridspan_native();
}

__device__ inline barrier<thread_scope_block>::arrival_token barrier_arrive_tx(
    barrier<thread_scope_block>& at, ::std::ptrdiff_t count, ::std::ptrdiff_t bytes) {
  __gridspan_mbarrier_transaction(reinterpret_cast<unsigned long long*>(at.gridspan_native()),
                                  (int)bytes);
  return at.arrive(count);
}
__device__ inline void barrier_expect_tx(barrier<thread_scope_block>& at, ::std::ptrdiff_t bytes) {
  __gridspan_mbarrier_transaction(reinterpret_cast<unsigned long long*>(at.gridspan_native()),
                                  (int)bytes);
}

}  // namespace device

namespace std {
template <class Completion = ::cuda::gridspan_details::no_completion>
using barrier = ::cuda::barrier<::cuda::thread_scope_system, Completion>;
}

}  // namespace cuda
