// Finds streams, and keeps their last commands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/stream_table.h"

#include "runtime/api/default_stream.h"

#include <atomic>
#include <deque>
#include <mutex>

namespace gridspan::runtime {

namespace {

/// Streams take turns at the lines of their kind.
unsigned next_line(bool is_blocking) {
  static std::atomic<unsigned> blocking{0}, free{0};
  if (is_blocking) return joining_line + 1 + blocking.fetch_add(1) % (free_lines - 1);
  return free_lines + free.fetch_add(1) % (devices::max_lines - free_lines);
}

struct ThreadStreams {
  ThreadStreams() {
    const unsigned line = next_line(true);
    for (int device = 0; device < most_devices; ++device) {
      Stream& stream = of_device[static_cast<std::size_t>(device)];
      stream.device = device;
      stream.id = 2 * static_cast<unsigned long long>(device) + 2;
      stream.line = line;
    }
  }
  std::array<Stream, most_devices> of_device;
};

/// Kept for good: destructors of global objects run after those of thread_local ones, and may still
/// use the streams. Not thread_local themselves: a library that dlopen brings in has room for some
/// hundred bytes of these only.
ThreadStreams* add_thread_streams() {
  static auto& all = *new std::deque<ThreadStreams>;
  static auto& mutex = *new std::mutex;
  const std::scoped_lock lock(mutex);
  return &all.emplace_back();
}

/// This thread's default stream on a device.
std::shared_ptr<Stream> thread_stream(int device) {
  thread_local ThreadStreams* const streams = add_thread_streams();
  return {std::shared_ptr<Stream>(), &streams->of_device[static_cast<std::size_t>(device)]};
}

}  // namespace

StreamTable::StreamTable() {
  for (int device = 0; device < most_devices; ++device) {
    auto stream = std::make_shared<Stream>();
    stream->device = device;
    stream->id = 2 * static_cast<unsigned long long>(device) + 1;
    legacy_[static_cast<std::size_t>(device)] = std::move(stream);
  }
}

Stream* StreamTable::create(int device, unsigned flags, int priority) {
  auto stream = std::make_shared<Stream>();
  stream->device = device;
  stream->flags = flags;
  stream->priority = priority;
  stream->id = next_id_.fetch_add(1);
  stream->line = next_line(stream->is_blocking());
  if (!stream->is_blocking()) has_free_streams_ = true;
  return created_.add(std::move(stream));
}

std::shared_ptr<Stream> StreamTable::find(cudaStream_t handle) {
  if (handle == nullptr) handle = null_is_per_thread() ? cudaStreamPerThread : cudaStreamLegacy;
  if (handle == cudaStreamPerThread) return thread_stream(current_device());
  if (handle == cudaStreamLegacy) return legacy_[static_cast<std::size_t>(current_device())];
  return created_.find(handle);
}

void StreamTable::note(Stream& stream, Queue::Sequence sequence) {
  // Submits are one at a time, so plain stores keep `last` growing.
  stream.last.store(sequence, std::memory_order_release);
  last_[static_cast<std::size_t>(stream.device)].store(sequence, std::memory_order_release);
  if (stream.is_blocking()) legacy(stream.device).last.store(sequence, std::memory_order_release);
}

}  // namespace gridspan::runtime
