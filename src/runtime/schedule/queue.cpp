// Runs commands in order: role, dispatcher, helping.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/queue.h"

#include "runtime/schedule/float_mode.h"
#include "runtime/schedule/pause.h"
#include "support/log.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <limits>
#include <thread>

namespace gridspan::runtime {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

// A futex wake plus the switch costs about as much; longer would take a core from kernels.
constexpr microseconds brief{20};
constexpr microseconds doze_length{200};
constexpr unsigned quiet_dozes_before_sleep = 8;
constexpr unsigned wasted_before_dozing = 3;
constexpr unsigned useful_before_waking = 2;
constexpr std::chrono::milliseconds patience_at_exit{1000};

thread_local bool holds_role = false;
thread_local bool runs_host_function = false;

/// Spins until `done()` or `brief` is over; true if done.
template <class Done>
bool spin_briefly(Done done) {
  const auto end = Clock::now() + brief;
  do {
    for (int i = 0; i < 16; ++i) {
      if (done()) return true;
      pause_core();
    }
  } while (Clock::now() < end);
  return done();
}

std::int64_t now_nanoseconds() {
  return std::chrono::nanoseconds(Clock::now().time_since_epoch()).count();
}

/// The program's signals are the program's threads' business.
std::thread start_without_signals(auto body) {
  sigset_t all, before;
  sigfillset(&all);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(body);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

Queue::Queue(devices::Device& device, LaunchRunner* runner)
    : device_(device),
      runner_(runner),
      slots_(capacity),
      brief_spin_helps_(std::thread::hardware_concurrency() > 1) {
  values_.reserve(64);
  std::thread dispatcher = start_without_signals([this] { dispatch(); });
  pthread_setname_np(dispatcher.native_handle(), "gridspan-queue");
  dispatcher.detach();
}

bool Queue::in_host_function() { return runs_host_function; }

bool Queue::take_role() {
  if (role_taken_.load(std::memory_order_relaxed)) return false;
  if (role_taken_.exchange(true)) return false;
  holds_role = true;
  return true;
}

void Queue::release_role() {
  holds_role = false;
  role_taken_.store(false);
  if (sleepers_.load() > 0) {
    {
      const std::scoped_lock lock(change_mutex_);
    }
    change_.notify_all();
  }
  if (has_pending() && rest_.load() == Rest::asleep) wake_dispatcher();
}

void Queue::run_until(Sequence target) {
  for (Sequence next = completed_.load(std::memory_order_relaxed) + 1;
       next <= std::min(target, submitted_.load(std::memory_order_acquire)); ++next) {
    Command& command = slots_[next % capacity];
    run(command);
    command.emplace<std::monostate>();
    completed_.store(next);
    if (sleepers_.load() > 0) {
      {
        const std::scoped_lock lock(change_mutex_);
      }
      change_.notify_all();
    }
  }
}

void Queue::run(Command& command) {
  const bool faulted = fault() != devices::Fault::none;
  if (auto* kernel = std::get_if<KernelCommand>(&command)) {
    if (!faulted) run(*kernel);
  } else if (auto* copy = std::get_if<CopyCommand>(&command)) {
    if (!faulted) copy_box(copy->to, copy->from, copy->extent);
  } else if (auto* fill = std::get_if<FillCommand>(&command)) {
    if (!faulted) fill_box(fill->to, fill->extent, fill->value);
  } else if (auto* record = std::get_if<RecordCommand>(&command)) {
    record->event->nanoseconds.store(now_nanoseconds());
  } else if (auto* host = std::get_if<HostCommand>(&command)) {
    if (faulted && !host->always) return;
    runs_host_function = true;
    host->function(host->data, faulted);
    runs_host_function = false;
  }
}

void Queue::run(KernelCommand& command) {
  const abi::Kernel& kernel = *command.kernel;
  const std::byte* bytes = command.arguments.bytes();
  values_.clear();
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    values_.push_back(bytes + kernel.parameters[i].offset);
  }
  const abi::LaunchContext context{.version = abi::version,
                                   .dynamic_shared = command.shape.dynamic_shared,
                                   .grid = command.shape.grid,
                                   .block = command.shape.block,
                                   .first_block = {0, 0, 0},
                                   .block_count = command.shape.grid,
                                   .arguments = values_.data(),
                                   .symbols = command.symbols,
                                   .arrays = nullptr,
                                   .scratch = nullptr};
  const DefaultFloatMode mode;  // a helping host thread may have changed its rounding
  devices::RunResult result =
      runner_ ? runner_->run(kernel, context) : device_.run_part(kernel, context);
  if (result.fault == devices::Fault::none) return;
  fault_.store(result.fault, std::memory_order_release);
  // The interpreter has printed what it found where it found it.
  if (result.fault == devices::Fault::misuse) return;
  support::log_text(support::LogLevel::error, result.message);
}

void Queue::wait(Sequence target) {
  while (!is_done(target)) {
    if (take_role()) {
      run_until(target);
      release_role();
    } else {
      wait_for_change(target);
    }
  }
}

void Queue::wait_for_change(Sequence target) {
  const auto changed = [&] { return completed_.load() >= target || !role_taken_.load(); };
  if (brief_spin_helps_ && spin_briefly(changed)) return;
  std::unique_lock lock(change_mutex_);
  sleepers_.fetch_add(1);
  change_.wait(lock, changed);
  sleepers_.fetch_sub(1);
}

void Queue::dispatch() {
  for (;;) {
    if (has_pending() && !stopping_.load() && take_role()) {
      while (has_pending() && !stopping_.load()) {
        run_until(completed_.load(std::memory_order_relaxed) + 1);
      }
      release_role();
    }
    rest();
  }
}

/// Returns when there may be something to run.
void Queue::rest() {
  const auto runnable = [this] {
    return has_pending() && !role_taken_.load() && !stopping_.load();
  };
  // While another thread holds the role, a kernel may be using every core: no spinning then.
  if (brief_spin_helps_ && !role_taken_.load() && spin_briefly(runnable)) return;
  if (prefers_doze_)
    doze();
  else
    sleep();
}

void Queue::doze() {
  rest_.store(Rest::dozing);
  for (unsigned quiet = 0; quiet < quiet_dozes_before_sleep;) {
    const Sequence before = submitted_.load();
    std::this_thread::sleep_for(doze_length);
    const Sequence waiting = completed_.load() + 1;
    // Give a program that is about to synchronise the chance to run its command itself.
    const bool unattended = has_pending() && !role_taken_.load() && !stopping_.load() &&
                            !spin_briefly([&] { return is_done(waiting) || role_taken_.load(); });
    if (unattended) {
      if (++useful_dozes_ >= useful_before_waking) {
        prefers_doze_ = false;
        wasted_wakes_ = 0;
      }
      rest_.store(Rest::awake);
      return;
    }
    if (submitted_.load() != before) useful_dozes_ = 0;
    quiet = submitted_.load() == before ? quiet + 1 : 0;
  }
  prefers_doze_ = false;
  wasted_wakes_ = wasted_before_dozing - 1;  // one more wasted wake-up and we doze again
  rest_.store(Rest::awake);
}

void Queue::sleep() {
  rest_.store(Rest::asleep);
  const bool runnable = has_pending() && !role_taken_.load() && !stopping_.load();
  if (!runnable) {
    std::unique_lock lock(wake_mutex_);
    wake_.wait(lock, [this] { return woken_; });
    woken_ = false;
    const bool wasted = !has_pending() || role_taken_.load();
    wasted_wakes_ = wasted ? wasted_wakes_ + 1 : 0;
    prefers_doze_ = wasted_wakes_ >= wasted_before_dozing;
    useful_dozes_ = 0;
  }
  rest_.store(Rest::awake);
}

void Queue::wake_dispatcher() {
  Rest asleep = Rest::asleep;
  if (!rest_.compare_exchange_strong(asleep, Rest::awake)) return;  // somebody else woke it
  {
    const std::scoped_lock lock(wake_mutex_);
    woken_ = true;
  }
  wake_.notify_one();
}

void Queue::stop_dispatching() {
  stopping_.store(true);
  if (holds_role) return;  // exit() called from a host function
  std::unique_lock lock(change_mutex_);
  sleepers_.fetch_add(1);
  change_.wait_for(lock, patience_at_exit, [this] { return !role_taken_.load(); });
  sleepers_.fetch_sub(1);
}

}  // namespace gridspan::runtime
