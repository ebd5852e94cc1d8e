// What a GPU has begun, and how far it has come.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One stream of the driver's. Marks are counted; only where somebody asks does an event of the
// driver's stand behind one, recorded at the latest when it is asked for:
//
//   marks:   1 2 3 4 5 6 7 8        done_ <= what the GPU has done <= last_
//            done_ ^ e     e last_  an event e stands for all marks up to it
//
// Events are used again. One that was recorded again while somebody waits stands for a later mark,
// whose end is the end of the earlier one, too.
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
  /// Nothing has been begun on `stream`. `line`: a device's marks are different ones on each.
  Timeline(const GpuContext& gpu, Stream stream, unsigned line);

  Stream stream() const { return stream_; }
  static unsigned line_of(Mark mark) { return static_cast<unsigned>(mark >> line_shift); }

  // As of Device.
  Mark mark(Marking how);
  Mark mark_time();
  std::int64_t time_of(Mark mark);
  bool is_done(Mark mark);
  RunResult finish(Mark mark);
  /// What is begun here from now on waits on the GPU. `other` may be of another GPU.
  RunResult begin_after(Timeline& other, Mark mark);

  /// Everything is known to be done, without an error.
  bool is_idle() const { return done_.load() == last_.load() && !has_failed_.load(); }

 private:
  static constexpr std::size_t most_events = 256;
  static constexpr unsigned line_shift = 56;

  struct Place {
    Mark mark;
    Event event;
  };
  Event event_behind(Mark mark);
  bool is_bare_end(Mark mark);
  Result record(std::vector<Event>& spare, unsigned flags, Event& event);
  void finish_at_once(Result error, const char* call);
  void fail(Result error, const char* call);
  void note_done(Mark mark);
  std::int64_t when(Event event) const;

  const GpuContext& gpu_;
  const Stream stream_;
  std::atomic<Mark> last_;
  std::atomic<Mark> done_;
  std::atomic<bool> has_failed_{false};

  std::mutex mutex_;  // of what follows
  RunResult failure_;
  std::deque<Place> places_;  // ascending
  std::vector<Event> spare_;
  std::deque<Place> timed_;  // ascending; not asked for yet
  std::vector<Event> spare_timed_;
  Event base_ = nullptr;        // which the GPU reached ...
  std::int64_t base_time_ = 0;  // ... at this time
};

}  // namespace gridspan::devices::cuda
