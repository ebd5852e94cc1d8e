// The way of a command from an API call into the queue.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/runtime_state.h"
#include "runtime/api/status.h"

#include <utility>

namespace gridspan::runtime {

/// Appends a command to `stream`; returns its place in the queue.
template <class C, class... A>
Queue::Sequence submit(Runtime& state, Stream& stream, A&&... arguments) {
  return state.queue.submit<C>(
      [&](Queue::Sequence sequence) {
        state.streams.note(stream, sequence);
        record::last_command = sequence;
      },
      std::forward<A>(arguments)...);
}

/// Finds the stream of a handle into `stream`.
inline Status find_stream(Runtime& state, cudaStream_t handle, std::shared_ptr<Stream>& stream) {
  stream = state.streams.find(handle);
  if (stream) return cudaSuccess;
  return refuse(cudaErrorInvalidResourceHandle, "%p is not a stream, or was destroyed",
                static_cast<void*>(handle));
}

}  // namespace gridspan::runtime
