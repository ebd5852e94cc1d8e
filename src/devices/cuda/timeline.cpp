// Counted marks, recorded events.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/timeline.h"

#include "support/log.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridspan::devices::cuda {
namespace {

/// The driver tells times apart by a float of milliseconds: their distance must stay small.
constexpr std::int64_t base_lasts = 1'000'000'000;

/// How exactly the host should know when a base was passed, and how often that is tried: times of
/// two lines are told apart by what is known of their bases.
constexpr std::int64_t exact_enough = 100'000;
constexpr int most_tries = 8;

}  // namespace

Timeline::Timeline(const GpuContext& gpu, Stream stream, unsigned line)
    : gpu_(gpu), stream_(stream), last_(Mark{line} << line_shift), done_(last_.load()) {
  const Driver& api = gpu.driver;
  Event first = nullptr;
  if (gpu.make_current() != success || api.cuEventCreate(&first, event_with_time) != success)
    return;
  for (int tries = 0; tries < most_tries; ++tries) {
    const std::int64_t before = now_nanoseconds();
    if (api.cuEventRecord(first, stream) != success || api.cuEventSynchronize(first) != success)
      return;
    base_time_ = now_nanoseconds();
    if (base_time_ - before < exact_enough) break;
  }
  base_ = first;
}

/// Expects the lock.
Result Timeline::record(std::vector<Event>& spare, unsigned flags, Event& event) {
  const Driver& api = gpu_.driver;
  if (const Result error = gpu_.make_current(); error != success) return error;
  if (spare.empty()) {
    if (const Result error = api.cuEventCreate(&event, flags); error != success) return error;
  } else {
    event = spare.back();
    spare.pop_back();
  }
  return api.cuEventRecord(event, stream_);
}

/// An event that could not be recorded says nothing of what is done: so everything is waited for.
/// Expects the lock.
void Timeline::finish_at_once(Result error, const char* call) {
  const Mark last = last_.load();
  fail(error, call);
  const Result end = gpu_.driver.cuStreamSynchronize(stream_);
  if (end != success) fail(end, "cuStreamSynchronize");
  note_done(last);
}

/// Null if the mark is known to be done.
Event Timeline::event_behind(Mark mark) {
  if (mark <= done_.load()) return nullptr;
  const std::scoped_lock lock(mutex_);
  const Mark done = done_.load();
  while (!places_.empty() && places_.front().mark <= done) {
    spare_.push_back(places_.front().event);
    places_.pop_front();
  }
  if (mark <= done) return nullptr;
  const auto known = std::ranges::lower_bound(places_, mark, {}, &Place::mark);
  const auto timed = std::ranges::lower_bound(timed_, mark, {}, &Place::mark);
  const bool is_timed_first =
      timed != timed_.end() && (known == places_.end() || timed->mark < known->mark);
  if (is_timed_first) return timed->event;
  if (known != places_.end()) return known->event;
  const Mark last = last_.load();  // before the event is recorded: it may stand for more
  Event event = nullptr;
  if (const Result error = record(spare_, event_without_time, event); error != success) {
    finish_at_once(error, "cuEventRecord");
    return nullptr;
  }
  places_.push_back({last, event});
  return event;
}

Mark Timeline::mark(Marking how) {
  const Mark made = last_.load(std::memory_order_relaxed) + 1;
  last_.store(made, std::memory_order_release);
  if (how == Marking::loose) return made;
  event_behind(made);
  const auto open = [this] {
    const std::scoped_lock lock(mutex_);
    return places_.size() < most_events ? Mark{0} : places_[places_.size() / 2].mark;
  };
  if (const Mark early = open()) finish(early);
  return made;
}

/// The event that tells the time says that the mark is done, too.
Mark Timeline::mark_time() {
  Event event = nullptr;
  const auto record_time = [&] {
    const std::scoped_lock lock(mutex_);
    return record(spare_timed_, event_with_time, event) == success;
  };
  if (!record_time()) return mark(Marking::exact);
  const Mark made = mark(Marking::loose);
  const std::scoped_lock lock(mutex_);
  timed_.push_back({made, event});
  return made;
}

std::int64_t Timeline::when(Event event) const {
  float milliseconds = 0;
  Result error = gpu_.make_current();
  if (error == success) error = gpu_.driver.cuEventElapsedTime(&milliseconds, base_, event);
  if (error != success) {
    // A kernel that failed, after which no call succeeds, is told by its own launch.
    const std::string text = gpu_.driver.describe(error, "cuEventElapsedTime");
    if (gpu_.driver.cuEventQuery(event) == success)
      support::log(support::LogLevel::warn, "%s", text.c_str());
    return now_nanoseconds();
  }
  return base_time_ + std::llround(static_cast<double>(milliseconds) * 1e6);
}

/// What the driver could not note is taken to be when somebody asks.
std::int64_t Timeline::time_of(Mark mark) {
  const std::scoped_lock lock(mutex_);
  const auto noted = std::ranges::lower_bound(timed_, mark, {}, &Place::mark);
  if (!base_ || noted == timed_.end() || noted->mark != mark) return now_nanoseconds();
  Event event = noted->event;
  timed_.erase(noted);
  const std::int64_t time = when(event);
  if (time - base_time_ > base_lasts) {
    std::swap(base_, event);
    base_time_ = time;
  }
  spare_timed_.push_back(event);
  return time;
}

/// Whoever was told that something is done need not make another call of the driver's for it, and
/// what kernels printed comes out when somebody waits only: so the end is waited for when it is
/// there.
bool Timeline::is_done(Mark mark) {
  const Event event = event_behind(mark);
  if (!event) return true;
  Result state = gpu_.driver.cuEventQuery(event);
  if (state == error_not_ready) return false;
  if (state == success) state = gpu_.driver.cuEventSynchronize(event);
  if (state != success) {
    const std::scoped_lock lock(mutex_);
    fail(state, "cuEventQuery");
  }
  note_done(mark);
  return true;
}

/// The stream's end, with no event there, whether or not it tells the time.
bool Timeline::is_bare_end(Mark mark) {
  if (mark <= done_.load() || mark != last_.load()) return false;
  const std::scoped_lock lock(mutex_);
  const auto ends_before = [mark](const std::deque<Place>& places) {
    return places.empty() || places.back().mark < mark;
  };
  return ends_before(places_) && ends_before(timed_);
}

/// At the end of the stream it costs less to wait for the stream than to record an event. What is
/// begun meanwhile may be waited for, too.
RunResult Timeline::finish(Mark mark) {
  const auto end_with = [&](Result end, const char* call) {
    if (end != success) {
      const std::scoped_lock lock(mutex_);
      fail(end, call);
    }
    note_done(mark);
  };
  if (is_bare_end(mark) && gpu_.make_current() == success)
    end_with(gpu_.driver.cuStreamSynchronize(stream_), "cuStreamSynchronize");
  else if (const Event event = event_behind(mark))
    end_with(gpu_.driver.cuEventSynchronize(event), "cuEventSynchronize");
  if (!has_failed_.load()) return {};
  const std::scoped_lock lock(mutex_);
  return failure_;
}

RunResult Timeline::begin_after(Timeline& other, Mark mark) {
  if (&other == this) return {};
  const Event event = other.event_behind(mark);
  if (!event) return {};
  if (const Result error = gpu_.make_current(); error != success)
    return gpu_.driver.fault(error, "cuCtxSetCurrent");
  return gpu_.driver.fault(gpu_.driver.cuStreamWaitEvent(stream_, event, 0), "cuStreamWaitEvent");
}

/// Expects the lock.
void Timeline::fail(Result error, const char* call) {
  if (has_failed_.load()) return;
  failure_ = gpu_.driver.fault(error, call);
  has_failed_.store(true);
}

void Timeline::note_done(Mark mark) {
  Mark known = done_.load();
  while (known < mark && !done_.compare_exchange_weak(known, mark)) {
  }
}

}  // namespace gridspan::devices::cuda
