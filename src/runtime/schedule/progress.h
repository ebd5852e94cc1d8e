// A count that grows, and threads that wait until it is large enough.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waking costs the one who wakes microseconds, and the one who is woken a core. So sleepers say how
// far the count must come, and until then nobody is woken, however often it grows.
#pragma once

#include "runtime/schedule/patience.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>

namespace gridspan::runtime {

class Progress {
 public:
  using Count = std::uint64_t;

  Count count() const { return count_.load(std::memory_order_acquire); }
  bool has_reached(Count target) const { return count() >= target; }

  /// The count never falls. One thread at a time.
  void advance(Count count) {
    count_.store(count);
    if (awaited_.load() <= count) wake_all();
  }

  /// Returns when the count has reached `target`. Spins for `spinning` before it sleeps.
  void wait(Count target, std::chrono::microseconds spinning = brief) const {
    const auto reached = [&] { return has_reached(target); };
    if (reached() || spin_briefly(reached, spinning)) return;
    sleep(target);
  }
  /// The same for what will take long: without spinning.
  void sleep(Count target) const {
    sleep(target, [] { return false; });
  }

  /// Returns when the count has reached `target`, or `other()`; who makes that true calls
  /// `wake_sleepers` then. `other` reads what is stored sequentially consistent.
  template <class Other>
  void sleep(Count target, Other other) const {
    std::unique_lock lock(mutex_);
    while (!register_sleeper(target, other)) change_.wait(lock);
  }
  /// ... or after `most`.
  template <class Other>
  void sleep_at_most(std::chrono::milliseconds most, Count target, Other other) const {
    const auto end = std::chrono::steady_clock::now() + most;
    std::unique_lock lock(mutex_);
    while (!register_sleeper(target, other)) {
      if (change_.wait_until(lock, end) == std::cv_status::timeout) return;
    }
  }
  void wake_sleepers() const {
    if (awaited_.load() != nobody) wake_all();
  }
  /// Between the two nobody is in the middle of waiting or waking, so that a process may fork.
  void hold_for_fork() const { mutex_.lock(); }
  void go_on_after_fork() const { mutex_.unlock(); }

 private:
  static constexpr Count nobody = std::numeric_limits<Count>::max();

  /// True: there is nothing to wait for. Either this sees the count, or who advances it sees what
  /// is awaited. Holds the mutex.
  template <class Other>
  bool register_sleeper(Count target, Other other) const {
    awaited_.store(std::min(awaited_.load(), std::min(target, nobody - 1)));
    return count_.load() >= target || other();
  }

  /// Who finds that it must wait on registers again.
  void wake_all() const {
    {
      const std::scoped_lock lock(mutex_);
      awaited_.store(nobody);
    }
    change_.notify_all();
  }

  alignas(64) std::atomic<Count> count_{0};
  mutable std::atomic<Count> awaited_{nobody};  // at most what any sleeper waits for
  mutable std::mutex mutex_;
  mutable std::condition_variable change_;
};

}  // namespace gridspan::runtime
