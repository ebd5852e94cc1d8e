// Streams and events of the fake driver: really asynchronous, so that who does not wait sees it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "state.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace fake_cuda {

/// Work done in order by a thread of its own. Once the GPU is broken nothing is done any more.
class FakeStream {
 public:
  using Place = std::uint64_t;
  using Work = std::function<Result()>;  // an error breaks the GPU

  explicit FakeStream(FakeGpu& gpu) : gpu_(gpu), thread_([this] { serve(); }) {}
  ~FakeStream();
  FakeStream(const FakeStream&) = delete;
  FakeStream& operator=(const FakeStream&) = delete;

  FakeGpu& gpu() const { return gpu_; }
  void push(Work work);
  /// Work that is done on a broken GPU, too, and breaks none.
  void push_always(std::function<void()> work);
  /// The place behind all work so far.
  Place last() const;
  bool has_passed(Place place) const;
  void wait(Place place) const;

  /// Null unless the stream captures (graphs.h); of the thread that has it do so.
  std::shared_ptr<void> capture;

 private:
  void serve();

  FakeGpu& gpu_;
  mutable std::mutex mutex_;
  std::condition_variable has_work_;
  mutable std::condition_variable has_passed_;
  mutable unsigned waiting_ = 0;
  struct Entry {
    Work work;
    bool is_always_done;
  };
  void push(Entry entry);
  std::deque<Entry> work_;
  Place pushed_ = 0, passed_ = 0;
  bool is_closed_ = false;
  std::thread thread_;  // last: it uses all of the above
};

/// A place in a stream, and when that was reached.
struct FakeEvent {
  explicit FakeEvent(bool has_time) : has_time(has_time) {}
  const bool has_time;
  std::mutex mutex;
  FakeStream* stream = nullptr;  // null: never recorded
  FakeStream::Place place = 0;
  std::shared_ptr<std::chrono::steady_clock::time_point> time;
};

/// The stream of a handle; null: not one of the current GPU.
FakeStream* find_stream(Stream stream);

}  // namespace fake_cuda
