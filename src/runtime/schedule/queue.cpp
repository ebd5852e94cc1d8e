// Runs commands in order: role, dispatcher, helping.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/queue.h"

#include "runtime/schedule/host_function.h"
#include "runtime/schedule/patience.h"
#include "runtime/schedule/service_thread.h"

#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

namespace gridspan::runtime {

namespace {

using std::chrono::microseconds;

constexpr microseconds doze_length{200};
constexpr unsigned quiet_dozes_before_sleep = 8;
constexpr unsigned wasted_before_dozing = 3;
constexpr unsigned useful_before_waking = 2;
constexpr std::chrono::milliseconds patience_at_exit{1000}, patience_at_fork{100};

thread_local bool holds_role = false;

struct EndBy {
  WindowEnd operator()(const RecordCommand&) const { return WindowEnd::event; }
  WindowEnd operator()(const CopyCommand&) const { return WindowEnd::copy; }
  WindowEnd operator()(const FillCommand&) const { return WindowEnd::fill; }
  WindowEnd operator()(const HostCommand& command) const {
    return command.is_programs ? WindowEnd::host_function : WindowEnd::mark;
  }
  WindowEnd operator()(const WaitCommand&) const { return WindowEnd::stream_wait; }
  WindowEnd operator()(const GraphCommand&) const { return WindowEnd::graph; }
  WindowEnd operator()(const PrefetchCommand&) const { return WindowEnd::prefetch; }
  WindowEnd operator()(const KernelCommand&) const { return WindowEnd::apart; }
  WindowEnd operator()(std::monostate) const { return WindowEnd::mark; }
};

}  // namespace

Queue::Queue(Executor& executor)
    : executor_(executor),
      is_quick_(executor.is_quick()),
      takes_groups_(executor.takes_groups()),
      holds_(is_quick_ && takes_groups_),
      longest_hold_(executor.longest_hold()),
      slots_(capacity),
      brief_spin_helps_(std::thread::hardware_concurrency() > 1) {
  start_service_thread("gridspan-queue", [this] { dispatch(); });
}

bool Queue::take_role() {
  if (role_taken_.load(std::memory_order_relaxed)) return false;
  if (role_taken_.exchange(true)) return false;
  holds_role = true;
  return true;
}

void Queue::release_role() {
  holds_role = false;
  role_taken_.store(false);
  completed_.wake_sleepers();
  if (has_pending() && rest_.load() == Rest::asleep) wake_dispatcher();
}

/// False: launches are held.
bool Queue::run_until(Sequence target, Hold hold) {
  if (holds_) held_until_.store(0);
  for (Sequence next = completed_.count() + 1;
       next <= std::min(target, submitted_.load(std::memory_order_acquire)); ++next) {
    auto& [command, line, submitted_at] = slots_[next % capacity];
    executor_.use_line(line);
    const auto* const launch = takes_groups_ ? std::get_if<KernelCommand>(&command) : nullptr;
    if (launch && (head_ == next || executor_.wants_group(*launch))) {
      if (hold == Hold::dispatcher) await_window(next);
      const auto [launches, waits] = run_group(next, hold);
      if (waits) {
        head_ = next;
        held_until_.store(submitted_at + longest_hold_.count());
        return false;
      }
      if (launches != 0) {
        next += launches - 1;
        continue;
      }
    }
    run(command, next);
    command.emplace<std::monostate>();
    note_passed(next);
  }
  return true;
}

/// Until the window is whole, or somebody waits, or the executor's time is over.
void Queue::await_window(Sequence first) const {
  const std::chrono::nanoseconds longest = executor_.longest_hold();
  if (longest.count() == 0) return;
  const auto is_over = [&] {
    const Sequence last = submitted_.load(std::memory_order_acquire);
    if (last - first + 1 >= most_in_window || waiting_.load() != 0 || stopping_.load()) return true;
    return !std::holds_alternative<KernelCommand>(slots_[last % capacity].command);
  };
  spin_briefly(is_over, std::chrono::duration_cast<microseconds>(longest));
}

/// Offers the launch at `first` and those behind it. The window is what is in the queue: only an
/// executor that holds launches may ask for more, until something ends the window.
GroupRun Queue::run_group(Sequence first, Hold hold) {
  std::array<KernelCommand*, most_in_window> window{};
  std::array<std::optional<KernelCommand>, most_in_window> made;  // in place of copies and fills
  const Sequence last =
      std::min(submitted_.load(std::memory_order_acquire), first + most_in_window - 1);
  std::size_t count = 0;
  for (Sequence at = first; at <= last; ++at, ++count) {
    Command& command = slots_[at % capacity].command;
    if (slots_[at % capacity].line != slots_[first % capacity].line) break;
    window[count] = std::get_if<KernelCommand>(&command);
    if (window[count]) continue;
    if (const auto launch = executor_.as_launch(command)) {
      window[count] = &made[count].emplace(*launch);
    } else {
      break;
    }
  }
  const bool may_wait =
      hold == Hold::allowed && count == last - first + 1 && count < most_in_window;
  const std::int64_t since = slots_[first % capacity].submitted_at;
  const WindowEnd end = end_of(first, count, last, hold);
  const GroupRun done = executor_.run_group(
      {window.data(), count}, {.may_wait = may_wait, .since = since, .first = first, .end = end});
  for (Sequence at = first; at < first + done.launches; ++at) {
    slots_[at % capacity].command.emplace<std::monostate>();
    note_passed(at);
  }
  return done;
}

/// Of the window of `count` launches at `first`; commands up to `last` were looked at.
WindowEnd Queue::end_of(Sequence first, std::size_t count, Sequence last, Hold hold) const {
  if (count == most_in_window) return WindowEnd::full;
  const Sequence next = first + count;
  if (next > last)
    return hold == Hold::no || waiting_.load() != 0 ? WindowEnd::wait : WindowEnd::nothing;
  const Slot &behind = slots_[next % capacity], &one = slots_[first % capacity];
  return behind.line != one.line ? WindowEnd::other_stream : std::visit(EndBy(), behind.command);
}

/// The program's own functions take time, and may wait for the thread that submits.
bool Queue::is_quick_to_run(const Command& command) const {
  if (const auto* const launch = std::get_if<KernelCommand>(&command))
    return is_quick_to_run(*launch);
  const auto* const host = std::get_if<HostCommand>(&command);
  return !host || executor_.calls(*host);
}

void Queue::start_quickly(Sequence target) {
  if (holds_role || !take_role()) return;
  for (Sequence next = completed_.count() + 1; next <= target; ++next) {
    if (!is_quick_to_run(slots_[next % capacity].command)) break;
    if (!run_until(next, Hold::allowed)) break;
  }
  release_role();
}

void Queue::run(Command& command, Sequence sequence) {
  std::visit([&](auto& one) { run(one, sequence); }, command);
}

void Queue::run(HostCommand& command, Sequence sequence) {
  if (executor_.calls(command)) return executor_.run(command);
  executor_.finish(sequence - 1);
  run_host_function(command, fault() != devices::Fault::none);
}

void Queue::wait(Sequence target) {
  if (abandoned_.load()) return;
  pass(target);
  executor_.finish(target);
}

void Queue::wait_alone(Sequence target) {
  if (abandoned_.load()) return;
  pass(target);
  executor_.finish_alone(target);
}

void Queue::wait_joined(Sequence target) {
  if (abandoned_.load()) return;
  pass(target);
  executor_.finish_joined(target);
}

/// Returns when the executor has taken the commands up to `target`.
void Queue::pass(Sequence target) {
  while (!has_passed(target)) {
    if (take_role()) {
      run_until(target);
      release_role();
    } else {
      wait_for_change(target);
    }
  }
}

void Queue::wait_for_change(Sequence target) {
  const auto is_free = [&] { return !role_taken_.load(); };
  waiting_.fetch_add(1);
  if (!brief_spin_helps_ || !spin_briefly([&] { return has_passed(target) || is_free(); }))
    completed_.sleep(target, is_free);
  waiting_.fetch_sub(1);
}

void Queue::dispatch() {
  // Else Linux lets a thread sleep 50 microseconds longer than it asks for.
  if (holds_) prctl(PR_SET_TIMERSLACK, 1);
  for (;;) {
    if (has_pending() && !is_held() && !stopping_.load() && take_role()) {
      while (has_pending() && !stopping_.load()) {
        run_until(completed_.count() + 1, holds_ ? Hold::over : Hold::dispatcher);
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
  if (holds_ && is_held()) return watch_held();
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
    const Sequence waiting = completed_.count() + 1;
    // Give a program that is about to synchronise the chance to run its command itself.
    const bool unattended =
        has_pending() && !role_taken_.load() && !stopping_.load() &&
        !spin_briefly([&] { return has_passed(waiting) || role_taken_.load(); });
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

/// Whether pending launches may still wait for others.
bool Queue::is_held() const {
  const std::int64_t until = held_until_.load();
  return until != 0 && devices::now_nanoseconds() < until;
}

/// While launches are held now and then, looks often enough that none has to wake this thread.
void Queue::watch_held() {
  using std::chrono::nanoseconds;
  rest_.store(Rest::dozing);
  for (unsigned quiet = 0; quiet < quiet_dozes_before_sleep;) {
    const Sequence before = submitted_.load();
    const std::int64_t until = held_until_.load();
    const nanoseconds left(until - devices::now_nanoseconds());
    std::this_thread::sleep_for(until == 0 ? longest_hold_ : left);
    if (has_pending() && !is_held() && !role_taken_.load()) break;
    quiet = submitted_.load() == before ? quiet + 1 : 0;
  }
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
  completed_.sleep_at_most(patience_at_exit, ~Sequence{0}, [this] { return !role_taken_.load(); });
}

/// If nothing is running, the role is given up soon; else the child cannot go on in any case.
void Queue::hold_for_fork() {
  submit_mutex_.lock();
  const auto patience = has_pending() ? std::chrono::milliseconds{0} : patience_at_fork;
  has_role_for_fork_ = !holds_role && spin_briefly([this] { return take_role(); }, patience);
  completed_.hold_for_fork();
}

void Queue::go_on_after_fork() {
  completed_.go_on_after_fork();
  if (std::exchange(has_role_for_fork_, false)) release_role();
  submit_mutex_.unlock();
}

/// There is no dispatcher to wake.
void Queue::go_on_in_child() {
  rest_.store(Rest::awake);
  go_on_after_fork();
}

}  // namespace gridspan::runtime
