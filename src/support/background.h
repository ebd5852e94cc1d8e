// Work that a thread of its own does. Who ends the process does not wait for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/program_signals.h"

#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <thread>
#include <utility>

namespace gridspan::support {

/// What such work results in. Its destructor waits, as that of std::async's future does; but the
/// thread is detached, so it is gone by itself if the process ends before anybody asks.
template <class Result>
class Background {
 public:
  Background() = default;
  /// Throws std::system_error if no thread is to be had.
  explicit Background(std::function<Result()> work) {
    std::promise<Result> promise;
    result_ = promise.get_future();
    const ProgramSignals blocked;
    // What the work holds is gone before the result is there.
    std::thread([work = std::move(work), promise = std::move(promise)]() mutable {
      try {
        Result made = work();
        work = nullptr;
        promise.set_value(std::move(made));
      } catch (...) {
        work = nullptr;
        promise.set_exception(std::current_exception());
      }
    }).detach();
  }
  Background(Background&&) noexcept = default;
  Background& operator=(Background&& other) noexcept {
    wait();
    result_ = std::move(other.result_);
    return *this;
  }
  ~Background() { wait(); }

  /// There is work whose result was not taken.
  bool valid() const { return result_.valid(); }
  bool is_ready() const {
    return result_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }
  /// Waits. What the work threw is thrown here.
  Result get() { return result_.get(); }

 private:
  void wait() const {
    if (result_.valid()) result_.wait();
  }

  std::future<Result> result_;
};

}  // namespace gridspan::support
