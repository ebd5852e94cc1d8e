// What a GPU has begun, and how far it has come.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One stream of the driver's, and an event behind each mark. The events are used again in turn, so
// that at most `events` marks are open at a time:
//
//   marks:   1 2 3 4 5 6 7 8        done_ <= what the GPU has done <= last_ <= done_ + events
//            done_ ^       ^ last_
//
// An event that was recorded again stands for a later mark, whose end is the end of the earlier
// one, too: to wait for it is safe.
#pragma once

#include "devices/cuda/gpu_context.h"
#include "devices/device.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace gridspan::devices::cuda {

/// One thread begins and marks; any thread asks and waits.
class Timeline {
 public:
  /// Nothing has been begun on `stream`.
  Timeline(const GpuContext& gpu, Stream stream);

  Stream stream() const { return stream_; }

  // As of Device.
  Mark mark();
  Mark mark_time();
  std::int64_t time_of(Mark mark);
  bool is_done(Mark mark);
  RunResult finish(Mark mark);
  /// What is begun here from now on waits on the GPU. `other` may be of another GPU.
  RunResult begin_after(Timeline& other, Mark mark);

  /// Everything is known to be done.
  bool is_idle() const { return done_.load() == last_.load(); }

 private:
  static constexpr std::size_t events = 512;

  struct Timed {
    Mark mark;
    Event event;
  };
  Mark finish_at_once(Result error, const char* call);
  void fail(Result error, const char* call);
  void note_done(Mark mark);
  std::int64_t when(Event event) const;

  const GpuContext& gpu_;
  const Stream stream_;
  std::vector<std::atomic<Event>> events_;  // of mark m: m % events
  std::atomic<Mark> last_{0};
  std::atomic<Mark> done_{0};
  std::atomic<bool> has_failed_{false};

  std::mutex mutex_;  // of what follows
  RunResult failure_;
  std::deque<Timed> timed_;     // ascending; not asked for yet
  std::vector<Event> spare_;    // with times
  Event base_ = nullptr;        // which the GPU reached ...
  std::int64_t base_time_ = 0;  // ... at this time
};

}  // namespace gridspan::devices::cuda
