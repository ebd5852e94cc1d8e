// One thread per stream.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streams.h"

#include "graphs.h"

#include <utility>

using namespace fake_cuda;
using std::chrono::steady_clock;

namespace fake_cuda {

FakeStream::~FakeStream() {
  {
    const std::scoped_lock lock(mutex_);
    is_closed_ = true;
  }
  has_work_.notify_one();
  thread_.join();
}

void FakeStream::push(Work work) {
  if (capture) return fake_cuda::capture(*this, std::move(work));
  push(Entry{std::move(work), false});
}

void FakeStream::push_always(std::function<void()> work) {
  push(Entry{[work = std::move(work)] {
               work();
               return success;
             },
             true});
}

void FakeStream::push(Entry entry) {
  {
    const std::scoped_lock lock(mutex_);
    work_.push_back(std::move(entry));
    ++pushed_;
    if (work_.size() > 1) return;  // it is awake
  }
  has_work_.notify_one();
}

FakeStream::Place FakeStream::last() const {
  const std::scoped_lock lock(mutex_);
  return pushed_;
}

bool FakeStream::has_passed(Place place) const {
  const std::scoped_lock lock(mutex_);
  return passed_ >= place;
}

void FakeStream::wait(Place place) const {
  std::unique_lock lock(mutex_);
  ++waiting_;
  has_passed_.wait(lock, [&] { return passed_ >= place; });
  --waiting_;
}

void FakeStream::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    has_work_.wait(lock, [this] { return !work_.empty() || is_closed_; });
    if (work_.empty()) return;
    const auto [work, is_always_done] = std::move(work_.front());
    work_.pop_front();
    lock.unlock();
    if (is_always_done || gpu_.broken.load() == success) {
      if (const Result error = work()) gpu_.broken = error;
    }
    lock.lock();
    ++passed_;
    if (waiting_ > 0) has_passed_.notify_all();
  }
}

FakeStream* find_stream(Stream stream) {
  auto* const found = reinterpret_cast<FakeStream*>(stream);
  return found && &found->gpu() == current() ? found : nullptr;
}

}  // namespace fake_cuda

namespace {

FakeEvent& event_of(Event event) { return *reinterpret_cast<FakeEvent*>(event); }

/// What an event stands for now.
std::pair<FakeStream*, FakeStream::Place> place_of(Event event) {
  FakeEvent& known = event_of(event);
  const std::scoped_lock lock(known.mutex);
  return {known.stream, known.place};
}

}  // namespace

FAKE_EXPORT Result cuStreamCreate(Stream* stream, unsigned) {
  FAKE_BEGIN();
  *stream = reinterpret_cast<Stream>(new FakeStream(*current()));
  return success;
}

FAKE_EXPORT Result cuStreamDestroy_v2(Stream stream) {
  FAKE_BEGIN();
  delete reinterpret_cast<FakeStream*>(stream);
  return success;
}

FAKE_EXPORT Result cuStreamSynchronize(Stream handle) {
  const FakeStream* const stream = find_stream(handle);
  // A GPU that failed does nothing any more: memory of the host may go after that.
  if (stream && !stream->capture) stream->wait(stream->last());
  FAKE_BEGIN();
  if (!stream) return error_invalid_handle;
  if (stream->capture) return error_invalid_value;  // that would end the capture
  stream->wait(stream->last());
  return stream->gpu().broken.load();
}

FAKE_EXPORT Result cuStreamWaitEvent(Stream handle, Event event, unsigned) {
  FAKE_BEGIN();
  FakeStream* const stream = find_stream(handle);
  if (!stream) return error_invalid_handle;
  const auto [other, place] = place_of(event);
  if (!other || other == stream) return success;
  stream->push([from = other, until = place] {
    from->wait(until);
    return success;
  });
  return success;
}

FAKE_EXPORT Result cuStreamAddCallback(Stream handle, void (*function)(Stream, Result, void*),
                                       void* data, unsigned) {
  FAKE_BEGIN();
  FakeStream* const stream = find_stream(handle);
  if (!stream) return error_invalid_handle;
  stream->push_always([=] {
    calls_back = true;
    function(handle, stream->gpu().broken.load(), data);
    calls_back = false;
  });
  return success;
}

FAKE_EXPORT Result cuEventCreate(Event* event, unsigned flags) {
  FAKE_BEGIN();
  *event = reinterpret_cast<Event>(new FakeEvent(flags == event_with_time));
  return success;
}

FAKE_EXPORT Result cuEventRecord(Event handle, Stream stream_handle) {
  FAKE_BEGIN();
  FakeStream* const stream = find_stream(stream_handle);
  if (!stream) return error_invalid_handle;
  auto time = std::make_shared<steady_clock::time_point>();
  stream->push([time] {
    *time = steady_clock::now();
    return success;
  });
  FakeEvent& event = event_of(handle);
  const std::scoped_lock lock(event.mutex);
  event.stream = stream;
  event.place = stream->last();
  event.time = std::move(time);
  return success;
}

FAKE_EXPORT Result cuEventQuery(Event event) {
  FAKE_BEGIN(false);
  const auto [stream, place] = place_of(event);
  if (!stream) return success;
  if (!stream->has_passed(place)) return error_not_ready;
  return stream->gpu().broken.load();
}

FAKE_EXPORT Result cuEventSynchronize(Event event) {
  FAKE_BEGIN(false);
  const auto [stream, place] = place_of(event);
  if (!stream) return success;
  stream->wait(place);
  return stream->gpu().broken.load();
}

FAKE_EXPORT Result cuEventElapsedTime(float* milliseconds, Event start, Event end) {
  FAKE_BEGIN();
  FakeEvent &first = event_of(start), &last = event_of(end);
  if (!first.has_time || !last.has_time || !first.stream || !last.stream)
    return error_invalid_handle;
  for (const Event event : {start, end}) {
    const auto [stream, place] = place_of(event);
    if (!stream->has_passed(place)) return error_not_ready;
  }
  *milliseconds = std::chrono::duration<float, std::milli>(*last.time - *first.time).count();
  return success;
}
