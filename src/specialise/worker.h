// Work beside the program's, one piece after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace gridspan::specialise {

/// Has a thread of its own from the first piece of work on, which lives as long as the process; so
/// must this.
class Worker {
 public:
  void post(std::function<void()> work);
  /// No piece begins any more.
  void stop();

 private:
  void run();

  std::mutex mutex_;  // guards what follows
  std::deque<std::function<void()>> work_;
  std::condition_variable wanted_;
  bool has_thread_ = false, stopped_ = false;
};

}  // namespace gridspan::specialise
