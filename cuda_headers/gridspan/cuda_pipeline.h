// cuda::pipeline: stages that producers fill and consumers empty, in turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies are done when memcpy_async returns, so the pipeline of one thread has nothing to wait for.
// That of a block has two barriers for each stage: filled and emptied.
#pragma once

#include "cuda_memcpy_async.h"

namespace cuda {

enum class pipeline_role { producer, consumer };

namespace gridspan_details {
template <thread_scope Scope>
struct pipeline_stage {
  barrier<Scope> filled, emptied;
};
}  // namespace gridspan_details

template <thread_scope Scope, ::std::uint8_t Stages>
class pipeline_shared_state {
 public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;
  pipeline_shared_state& operator=(const pipeline_shared_state&) = delete;

 private:
  gridspan_details::pipeline_stage<Scope> stages_[Stages];
  unsigned producers_;  // counted where each thread says what it is
  template <thread_scope>
  friend class pipeline;
};

template <thread_scope Scope>
class pipeline {
  using stage = gridspan_details::pipeline_stage<Scope>;

 public:
  pipeline(pipeline&&) = default;
  pipeline& operator=(pipeline&&) = default;

  __device__ void producer_acquire() { stage_at(head_).emptied.wait_parity(!head_parity_); }
  __device__ void producer_commit() {
    (void)stage_at(head_).filled.arrive();
    step(head_, head_parity_);
  }
  __device__ void consumer_wait() { stage_at(tail_).filled.wait_parity(tail_parity_); }
  __device__ void consumer_release() {
    (void)stage_at(tail_).emptied.arrive();
    step(tail_, tail_parity_);
  }
  template <class Rep, class Period>
  __device__ bool consumer_wait_for(const ::std::chrono::duration<Rep, Period>& time) {
    return stage_at(tail_).filled.try_wait_parity_for(tail_parity_, time);
  }

  /// The calling thread takes part no longer; the others go on. True in the last one.
  __device__ bool quit() {
    for (unsigned i = 0; i < count_; ++i) {
      if (produces_) stages_[i].filled.arrive_and_drop();
      if (consumes_) stages_[i].emptied.arrive_and_drop();
    }
    return false;
  }

  // Called by make_pipeline.
  template <class Group, ::std::uint8_t Stages>
  __device__ pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                      bool produces, bool consumes, unsigned producers, unsigned consumers)
      : stages_(state->stages_), count_(Stages), produces_(produces), consumes_(consumes) {
    if (group.thread_rank() == 0)
      for (stage& one : state->stages_) {
        init(&one.filled, producers);
        init(&one.emptied, consumers);
      }
    group.sync();
  }
  /// The number of threads of the group for which `counted` holds.
  template <class Group, ::std::uint8_t Stages>
  __device__ static unsigned count(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                   bool counted) {
    if (group.thread_rank() == 0) state->producers_ = 0;
    group.sync();
    if (counted) atomicAdd(&state->producers_, 1u);
    group.sync();
    return state->producers_;
  }

 private:
  __device__ stage& stage_at(unsigned index) { return stages_[index]; }
  __device__ void step(unsigned& index, bool& parity) {
    if (++index == count_) {
      index = 0;
      parity = !parity;
    }
  }

  stage* stages_;
  unsigned count_;
  unsigned head_ = 0, tail_ = 0;                    // the stage to fill and to empty next
  bool head_parity_ = false, tail_parity_ = false;  // of the round in which it is
  bool produces_, consumes_;
};

template <>
class pipeline<thread_scope_thread> {
 public:
  GRIDSPAN_CUDA_FUNCTION pipeline() {}
  pipeline(pipeline&&) = default;
  pipeline& operator=(pipeline&&) = default;
  GRIDSPAN_CUDA_FUNCTION void producer_acquire() {}
  GRIDSPAN_CUDA_FUNCTION void producer_commit() {}
  GRIDSPAN_CUDA_FUNCTION void consumer_wait() {}
  GRIDSPAN_CUDA_FUNCTION void consumer_release() {}
  template <class Rep, class Period>
  GRIDSPAN_CUDA_FUNCTION bool consumer_wait_for(const ::std::chrono::duration<Rep, Period>&) {
    return true;
  }
  GRIDSPAN_CUDA_FUNCTION bool quit() { return true; }
};

GRIDSPAN_CUDA_FUNCTION pipeline<thread_scope_thread> make_pipeline() {
  return pipeline<thread_scope_thread>();
}
/// Every thread of the group produces and consumes.
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
__device__ pipeline<Scope> make_pipeline(const Group& group,
                                         pipeline_shared_state<Scope, Stages>* state) {
  return pipeline<Scope>(group, state, true, true, group.size(), group.size());
}
/// The first `producers` threads of the group produce, the others consume.
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
__device__ pipeline<Scope> make_pipeline(const Group& group,
                                         pipeline_shared_state<Scope, Stages>* state,
                                         ::std::size_t producers) {
  const bool produces = group.thread_rank() < producers;
  return pipeline<Scope>(group, state, produces, !produces, (unsigned)producers,
                         group.size() - (unsigned)producers);
}
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
__device__ pipeline<Scope> make_pipeline(const Group& group,
                                         pipeline_shared_state<Scope, Stages>* state,
                                         pipeline_role role) {
  const bool produces = role == pipeline_role::producer;
  const unsigned producers = pipeline<Scope>::count(group, state, produces);
  return pipeline<Scope>(group, state, produces, !produces, producers, group.size() - producers);
}

template <::std::uint8_t Prior>
GRIDSPAN_CUDA_FUNCTION void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>&) {}
/// An arrival, not expected before, for the thread's copies: they are done, so nothing changes.
template <thread_scope Scope>
GRIDSPAN_CUDA_FUNCTION void pipeline_producer_commit(pipeline<thread_scope_thread>&,
                                                     barrier<Scope>&) {}

}  // namespace cuda
