// The way of a command from an API call into the queue.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/runtime_state.h"
#include "runtime/api/status.h"

#include <utility>

namespace gridspan::runtime {

/// Appends a command of `stream` to `line`; returns its place in the queue.
template <class C, class... A>
Queue::Sequence submit_on(Runtime& state, Stream& stream, unsigned line, A&&... arguments) {
  const bool is_seen = state.across_waits.can_see<C>(arguments...);
  return state.queue.submit<C>(
      line,
      [&](Queue::Sequence sequence) {
        state.streams.note(stream, sequence);
        if (is_seen) state.across_waits.note(sequence);
        record::last_command = sequence;
      },
      std::forward<A>(arguments)...);
}

/// Appends a command to `stream`.
template <class C, class... A>
Queue::Sequence submit(Runtime& state, Stream& stream, A&&... arguments) {
  return submit_on<C>(state, stream, stream.line, std::forward<A>(arguments)...);
}

/// The same with what other processes are told of it.
void submit_shared_record(Runtime& state, Stream& stream, Event& event);
/// The stream goes on when the records of the event have been passed that there are now.
void submit_wait(Runtime& state, Stream& stream, const Event& event);

/// Appends a record of `event`.
inline void submit_record(Runtime& state, Stream& stream, Event& event) {
  if (event.shared) submit_shared_record(state, stream, event);
  state.queue.submit<RecordCommand>(
      stream.line,
      [&](Queue::Sequence sequence) {
        state.streams.note(stream, sequence);
        state.across_waits.note(sequence);
        event.record->sequence.store(sequence, std::memory_order_release);
        record::last_command = sequence;
      },
      RecordCommand{event.record});
}

/// Finds the stream of a handle into `stream`.
inline Status find_any_stream(Runtime& state, cudaStream_t handle,
                              std::shared_ptr<Stream>& stream) {
  stream = state.streams.find(handle);
  if (stream) return cudaSuccess;
  return refuse(cudaErrorInvalidResourceHandle, "%p is not a stream, or was destroyed",
                static_cast<void*>(handle));
}

/// The same for calls that a capturing stream notes down instead. The legacy stream, which would
/// wait for all blocking streams, is refused while one of those is capturing.
inline Status find_stream_for_work(Runtime& state, cudaStream_t handle,
                                   std::shared_ptr<Stream>& stream) {
  GRIDSPAN_TRY(find_any_stream(state, handle, stream));
  return state.graphs.captures.check_legacy(state.streams.is_legacy(*stream));
}

/// The same for calls that make no sense while the stream is capturing; they end the capture.
inline Status find_stream(Runtime& state, cudaStream_t handle, std::shared_ptr<Stream>& stream) {
  GRIDSPAN_TRY(find_stream_for_work(state, handle, stream));
  return state.graphs.captures.check_idle(*stream);
}

}  // namespace gridspan::runtime
