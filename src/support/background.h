// Work that a thread of its own does. Who ends the process does not wait for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/program_signals.h"

#include <chrono>
#include <functional>
#include <future>
#include <thread>
#include <type_traits>
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
    std::packaged_task<Result()> task(std::move(work));
    result_ = task.get_future();
    const ProgramSignals blocked;
    std::thread([task = std::move(task)]() mutable { task(); }).detach();
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
