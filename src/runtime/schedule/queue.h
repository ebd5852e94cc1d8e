// The one command queue beneath every call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands run one after the other in the order in which they were submitted. That order respects
// every stream, every event and the legacy default stream, so it is one of the orders CUDA allows;
// docs/decisions/0006-one-queue.md says why nothing smarter is needed on one device.
//
//   sequence:  1 2 3 4 5 6 7 8 9                 completed_ <= submitted_ <= completed_ + capacity
//              done    ^ running   ^ submitted_
//
// `completed_` counts what the executor has taken; what it only started may still be on its way
// (Executor::is_finished).
//
// Whoever holds the *role* runs commands: the queue's own dispatcher thread, or a host thread that
// waits (it helps instead of sleeping, so that launch + synchronise pays no thread switch), or one
// that submits a command, if the executor only starts commands and that is quick (then the command
// does not even take a slot, if all before it have passed). Only the holder touches the slots
// (completed_, submitted_]; that is why running needs no lock.
//
// An executor that only starts commands may leave launches in their slots, *held*, until it has
// seen which ones follow: then all that are pending are held. They begin with the next command that
// is no such launch, when somebody waits, or by the dispatcher after a moment.
// Where starting a command takes longer than handing it over, the dispatcher starts them, and looks
// for what follows a launch while the executor says so and nobody waits.
//
// Waking the dispatcher costs the submitting thread microseconds, wasted when the program
// synchronises at once. The dispatcher therefore has two ways of resting: `asleep` (the next submit
// wakes it) and, when wake-ups turned out wasted, `dozing` (it looks by itself every few hundred
// microseconds while there is activity).
#pragma once

#include "runtime/schedule/executor.h"
#include "runtime/schedule/progress.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

namespace gridspan::runtime {

class Queue {
 public:
  using Sequence = runtime::Sequence;
  static constexpr std::size_t capacity = 1024;
  /// Launches that the executor is offered at once, at most.
  static constexpr std::size_t most_in_window = 12;

  /// Starts the dispatcher. `executor` must outlive the queue. Queues are never destroyed: at
  /// process exit a command may still be running, and destructors of the program may still call us.
  explicit Queue(Executor& executor);
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue() = delete;

  /// Appends a command and returns its place. When the queue is full, blocks (by helping) until
  /// half of it is done: who waits for each place anew takes a core from kernels again and again.
  /// `note(sequence)` runs before any later command can be submitted. `line`: see Executor.
  template <class C, class Note, class... A>
  Sequence submit(unsigned line, Note note, A&&... arguments);

  /// Whether the command and all before it are done.
  bool is_done(Sequence sequence) const {
    return has_passed(sequence) && executor_.is_finished(sequence);
  }
  /// Whether the command is, and those that had to be done before it.
  bool is_done_alone(Sequence sequence) const {
    return has_passed(sequence) && executor_.is_finished_alone(sequence);
  }
  /// Whether all up to the command are that the legacy stream waits for.
  bool is_done_joined(Sequence sequence) const {
    return has_passed(sequence) && executor_.is_finished_joined(sequence);
  }
  /// Commands are only begun, by who submits them if nothing is before them.
  bool is_quick() const { return is_quick_; }
  /// See Executor.
  bool takes_graphs() const { return executor_.takes_graphs(); }
  /// Commands that the executor has not taken.
  Sequence pending() const { return submitted_.load() - completed_.count(); }
  Sequence last_submitted() const { return submitted_.load(std::memory_order_acquire); }

  /// Returns when the command and all before it are done; helps to run them.
  void wait(Sequence sequence);
  /// Returns when the command is done, and those that had to be done before it.
  void wait_alone(Sequence sequence);
  /// Returns when all up to the command are done that the legacy stream waits for.
  void wait_joined(Sequence sequence);

  /// Runs `body` on this thread while no command runs, out of order. It must not wait for commands.
  template <class Body>
  void run_exclusively(Body body);

  /// The first fault, which makes every later command a no-op. Sticky until the process ends.
  devices::Fault fault() const { return executor_.fault(); }
  /// See Executor.
  devices::Fault take_refusal() { return executor_.take_refusal(); }

  /// From now on only waiting threads run commands; the rest of the work is dropped. Returns when
  /// the dispatcher no longer runs one, or after a moment if it does not come to an end.
  void stop_dispatching();

  /// Of a forked child that ends: nothing is waited for any more, since who ran commands when it
  /// was forked is not there.
  void abandon() { abandoned_.store(true); }

  /// Between the two the process forks. If nothing is running, no other thread is in the middle of
  /// anything here, and the child may go on with its copy: its waiting threads run commands.
  void hold_for_fork();
  void go_on_after_fork();
  void go_on_in_child();

 private:
  struct Slot {
    Command command;
    unsigned line = joining_line;
    std::int64_t submitted_at = 0;  // nanoseconds; 0: not noted, it is not to be held
  };
  /// Held from here to the end of a block if it was free, and if it is wanted.
  class Role {
   public:
    Role(Queue& queue, bool is_wanted) : queue_(queue), is_held_(is_wanted && queue.take_role()) {}
    ~Role() {
      if (is_held_) queue_.release_role();
    }
    Role(const Role&) = delete;
    Role& operator=(const Role&) = delete;
    bool is_held() const { return is_held_; }

   private:
    Queue& queue_;
    const bool is_held_;
  };
  enum class Rest : std::uint8_t { awake, dozing, asleep };
  /// Whether launches may be held: somebody waits, they may, the dispatcher looks for more before
  /// it runs them, their time is over.
  enum class Hold : std::uint8_t { no, allowed, dispatcher, over };

  bool has_passed(Sequence sequence) const { return completed_.has_reached(sequence); }
  bool has_pending() const { return completed_.count() < submitted_.load(); }
  bool take_role();
  void release_role();
  bool run_until(Sequence target, Hold hold = Hold::no);
  void await_window(Sequence first) const;
  GroupRun run_group(Sequence first, Hold hold);
  WindowEnd end_of(Sequence first, std::size_t count, Sequence last, Hold hold) const;
  bool is_held() const;
  void start_quickly(Sequence target);
  void pass(Sequence target);
  void note_passed(Sequence sequence) {
    executor_.passed(sequence);
    completed_.advance(sequence);
  }
  void run(Command& command, Sequence sequence);
  void run(HostCommand& command, Sequence sequence);
  bool is_quick_to_run(const Command& command) const;
  /// What a kernel launches is begun when the kernel has ended: that takes its time.
  bool is_quick_to_run(const KernelCommand& command) const {
    return !abi::launches_kernels(*command.kernel) && !executor_.holds_back(command);
  }
  template <class C>
  void run([[maybe_unused]] C& command, Sequence) {
    if constexpr (!std::is_same_v<C, std::monostate>) executor_.run(command);
  }
  void wait_for_change(Sequence target);

  void dispatch();
  void rest();
  void doze();
  void watch_held();
  void sleep();
  void wake_dispatcher();

  Executor& executor_;
  const bool is_quick_;
  const bool takes_groups_;
  const bool holds_;                  // launches, now and then
  std::atomic<unsigned> waiting_{0};  // threads, for commands that another one runs
  const std::chrono::nanoseconds longest_hold_;
  std::vector<Slot> slots_;
  alignas(64) std::mutex submit_mutex_;
  static constexpr unsigned no_line = ~0u;
  unsigned line_ = no_line;  // of the last command that was submitted
  alignas(64) std::atomic<Sequence> submitted_{0};
  // Its sleepers are woken, too, when the role gets free.
  Progress completed_;
  std::atomic<bool> role_taken_{false};
  Sequence head_ = 0;                        // a launch that a group may begin with; the role's
  std::atomic<std::int64_t> held_until_{0};  // nanoseconds; 0: no launch is held

  // The dispatcher.
  std::atomic<Rest> rest_{Rest::awake};
  std::atomic<bool> stopping_{false}, abandoned_{false};
  std::mutex wake_mutex_;
  std::condition_variable wake_;
  bool woken_ = false;         // guarded by wake_mutex_
  bool prefers_doze_ = false;  // the dispatcher's own from here on
  unsigned wasted_wakes_ = 0;
  unsigned useful_dozes_ = 0;
  bool has_role_for_fork_ = false;  // of the thread that forks
  bool brief_spin_helps_;
};

template <class Body>
void Queue::run_exclusively(Body body) {
  if (abandoned_.load()) return body();
  while (!take_role()) wait_for_change(~Sequence{0});
  executor_.finish(completed_.count());
  body();
  release_role();
}

template <class C, class Note, class... A>
Queue::Sequence Queue::submit(unsigned line, Note note, A&&... arguments) {
  Sequence sequence = 0;
  {
    std::unique_lock lock(submit_mutex_);
    sequence = submitted_.load(std::memory_order_relaxed) + 1;
    if (const unsigned before = std::exchange(line_, line); before != line && before != no_line)
      executor_.lines_change();
    if constexpr (!std::is_same_v<C, HostCommand>) {
      if (const Role role(*this, is_quick_ && has_passed(sequence - 1)); role.is_held()) {
        C command(std::forward<A>(arguments)...);
        note(sequence);
        if constexpr (std::is_same_v<C, KernelCommand>) {
          const bool is_quick = is_quick_to_run(command);
          if (!is_quick || (holds_ && executor_.wants_group(command))) {
            slots_[sequence % capacity].command.template emplace<C>(command);
            slots_[sequence % capacity].line = line;
            slots_[sequence % capacity].submitted_at = devices::now_nanoseconds();
            if (is_quick) head_ = sequence;
            submitted_.store(sequence);
            lock.unlock();
            if (is_quick) run_until(sequence, Hold::allowed);  // else the dispatcher does
            return sequence;
          }
        }
        submitted_.store(sequence);
        lock.unlock();
        executor_.use_line(line);
        run(command, sequence);
        note_passed(sequence);
        return sequence;
      }
    }
    while (sequence - completed_.count() > capacity) {
      lock.unlock();
      // Of what a quick executor only begins, places in the ring are all that is wanted: what it
      // began may wait for something that the program does after this call.
      if (is_quick_)
        pass(sequence - capacity / 2);
      else
        wait(sequence - capacity / 2);
      lock.lock();
      sequence = submitted_.load(std::memory_order_relaxed) + 1;
    }
    Slot& slot = slots_[sequence % capacity];
    slot.command.template emplace<C>(std::forward<A>(arguments)...);
    slot.line = line;
    slot.submitted_at = holds_ ? devices::now_nanoseconds() : 0;
    note(sequence);
    submitted_.store(sequence);
  }
  if (is_quick_) start_quickly(sequence);
  // Sequentially consistent with release_role: either we see the role free, or its holder sees the
  // command before it lets the role go.
  if (rest_.load() == Rest::asleep && !role_taken_.load() && has_pending()) wake_dispatcher();
  return sequence;
}

}  // namespace gridspan::runtime
