// A detached thread that takes no signals.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specialise/worker.h"

#include "support/program_signals.h"

#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace gridspan::specialise {

void Worker::post(std::function<void()> work) {
  const std::scoped_lock lock(mutex_);
  work_.push_back(std::move(work));
  wanted_.notify_one();
  if (has_thread_) return;
  const support::ProgramSignals blocked;
  try {
    std::thread([this] { run(); }).detach();
    has_thread_ = true;
  } catch (const std::system_error&) {
    // No thread is to be had: the next piece of work asks again.
  }
}

void Worker::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wanted_.wait(lock, [this] { return !work_.empty() || stopped_; });
    if (stopped_) return;
    const std::function<void()> next = std::move(work_.front());
    work_.pop_front();
    lock.unlock();
    try {
      next();
    } catch (const std::bad_alloc&) {
      // What was wanted is not made.
    }
    lock.lock();
  }
}

void Worker::stop() {
  const std::scoped_lock lock(mutex_);
  stopped_ = true;
  wanted_.notify_all();
}

}  // namespace gridspan::specialise
