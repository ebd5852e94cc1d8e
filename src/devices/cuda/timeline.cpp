// Events used in turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/timeline.h"

#include <cmath>
#include <utility>

namespace gridspan::devices::cuda {
namespace {

/// The driver tells times apart by a float of milliseconds: their distance must stay small.
constexpr std::int64_t base_lasts = 1'000'000'000;

}  // namespace

Timeline::Timeline(const GpuContext& gpu, Stream stream)
    : gpu_(gpu), stream_(stream), events_(events) {
  const Driver& api = gpu.driver;
  Event first = nullptr;
  if (api.cuEventCreate(&first, event_with_time) != success) return;
  if (api.cuEventRecord(first, stream) != success || api.cuEventSynchronize(first) != success)
    return;
  base_ = first;
  base_time_ = now_nanoseconds();
}

/// An event that could not be recorded says nothing of what is done: so everything is waited for.
Mark Timeline::finish_at_once(Result error, const char* call) {
  fail(error, call);
  const Result end = gpu_.driver.cuStreamSynchronize(stream_);
  if (end != success) fail(end, "cuStreamSynchronize");
  const Mark made = last_.load() + 1;
  last_.store(made);
  note_done(made);
  return made;
}

Mark Timeline::mark() {
  const Mark made = last_.load() + 1;
  if (made > events) finish(made - events);
  if (const Result error = gpu_.make_current(); error != success)
    return finish_at_once(error, "cuCtxSetCurrent");
  Event event = events_[made % events].load();
  if (!event) {
    if (const Result error = gpu_.driver.cuEventCreate(&event, event_without_time);
        error != success)
      return finish_at_once(error, "cuEventCreate");
    events_[made % events].store(event);
  }
  if (const Result error = gpu_.driver.cuEventRecord(event, stream_); error != success)
    return finish_at_once(error, "cuEventRecord");
  last_.store(made);
  return made;
}

Mark Timeline::mark_time() {
  const Driver& api = gpu_.driver;
  Event event = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    if (!spare_.empty()) {
      event = spare_.back();
      spare_.pop_back();
    }
  }
  const bool is_noted = gpu_.make_current() == success &&
                        (event || api.cuEventCreate(&event, event_with_time) == success) &&
                        api.cuEventRecord(event, stream_) == success;
  const Mark made = mark();
  if (!is_noted) return made;
  const std::scoped_lock lock(mutex_);
  timed_.push_back({made, event});
  return made;
}

std::int64_t Timeline::when(Event event) const {
  float milliseconds = 0;
  if (gpu_.make_current() != success ||
      gpu_.driver.cuEventElapsedTime(&milliseconds, base_, event) != success)
    return now_nanoseconds();
  return base_time_ + std::llround(static_cast<double>(milliseconds) * 1e6);
}

/// What the driver could not note is taken to be when somebody asks.
std::int64_t Timeline::time_of(Mark mark) {
  const std::scoped_lock lock(mutex_);
  while (!timed_.empty() && timed_.front().mark < mark) {
    spare_.push_back(timed_.front().event);
    timed_.pop_front();
  }
  if (!base_ || timed_.empty() || timed_.front().mark != mark) return now_nanoseconds();
  Event event = timed_.front().event;
  timed_.pop_front();
  const std::int64_t time = when(event);
  if (time - base_time_ > base_lasts) {
    std::swap(base_, event);
    base_time_ = time;
  }
  spare_.push_back(event);
  return time;
}

bool Timeline::is_done(Mark mark) {
  if (mark <= done_.load()) return true;
  const Result state = gpu_.driver.cuEventQuery(events_[mark % events].load());
  if (state == error_not_ready) return false;
  if (state != success) fail(state, "cuEventQuery");
  note_done(mark);
  return true;
}

RunResult Timeline::finish(Mark mark) {
  if (mark > done_.load()) {
    const Result end = gpu_.driver.cuEventSynchronize(events_[mark % events].load());
    if (end != success) fail(end, "cuEventSynchronize");
    note_done(mark);
  }
  if (!has_failed_.load()) return {};
  const std::scoped_lock lock(mutex_);
  return failure_;
}

RunResult Timeline::begin_after(Timeline& other, Mark mark) {
  if (&other == this || mark <= other.done_.load()) return {};
  const Result error =
      gpu_.driver.cuStreamWaitEvent(stream_, other.events_[mark % events].load(), 0);
  return gpu_.driver.fault(error, "cuStreamWaitEvent");
}

void Timeline::fail(Result error, const char* call) {
  const std::scoped_lock lock(mutex_);
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
