// Finds streams, and keeps their last commands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/stream_table.h"

namespace gridspan::runtime {

namespace {

/// This thread's default stream. Trivially destructible on purpose: destructors of global objects
/// run after those of thread_local ones, and may still use it.
std::shared_ptr<Stream> thread_stream() {
  thread_local Stream stream{.flags = 0, .priority = 0, .id = 2};
  return {std::shared_ptr<Stream>(), &stream};
}

}  // namespace

Stream* StreamTable::create(unsigned flags, int priority) {
  auto stream = std::make_shared<Stream>();
  stream->flags = flags;
  stream->priority = priority;
  stream->id = next_id_.fetch_add(1);
  return created_.add(std::move(stream));
}

std::shared_ptr<Stream> StreamTable::find(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return legacy_;
  if (handle == cudaStreamPerThread) return thread_stream();
  return created_.find(handle);
}

void StreamTable::note(Stream& stream, Queue::Sequence sequence) {
  // Submits are one at a time, so plain stores keep `last` growing.
  stream.last.store(sequence, std::memory_order_release);
  if (stream.is_blocking()) legacy_->last.store(sequence, std::memory_order_release);
}

}  // namespace gridspan::runtime
