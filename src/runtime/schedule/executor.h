// Who does what commands say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queue gives commands in order, one at a time, from whichever thread holds its role. An
// executor does each at once or only starts it; the queue asks `is_finished` before it tells the
// program that a command is done.
#pragma once

#include "devices/device.h"
#include "runtime/schedule/command.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace gridspan::runtime {

/// Lines on which commands run in order. Those of `joining_line` run after all before them on lines
/// below `free_lines`, and before all after them there; those of `every_line` the same of all
/// lines.
inline constexpr unsigned joining_line = 0;
inline constexpr unsigned free_lines = devices::max_lines / 2;
inline constexpr unsigned every_line = ~0u;

/// What comes behind the last launch of a window.
enum class WindowEnd : std::uint8_t {
  event,          // that is recorded
  copy,           // to or from the host, or any where none may be in a window
  fill,           // the same
  host_function,  // of the program's
  other_stream,   // a command of another line
  stream_wait,    // for an event, or another stream
  graph,
  prefetch,
  mark,   // a place in the order, or a function of ours
  apart,  // a launch that no window may have
  full,   // it has as many launches as a window may have
  wait,   // nothing, and somebody waits
  nothing,
};
inline constexpr std::size_t window_ends = static_cast<std::size_t>(WindowEnd::nothing) + 1;

/// Of launches that are offered together.
struct WindowState {
  bool may_wait = false;    // more may come
  std::int64_t since = 0;   // nanoseconds, when the first was submitted; 0: nobody noted
  bool is_quiet = true;     // all that was begun before is done; told to who compares
  std::uint64_t first = 0;  // the command's place in the queue
  WindowEnd end = WindowEnd::nothing;
};

struct GroupRun {
  std::size_t launches = 0;  // that were run, from the first on; 0: the first is wanted alone
  bool waits = false;        // none was run: it wants to see what follows
};

class Executor {
 public:
  virtual ~Executor() = default;

  /// Called by the holder of the queue's role only.
  virtual void run(KernelCommand& command) = 0;
  virtual void run(CopyCommand& command) = 0;
  virtual void run(FillCommand& command) = 0;
  virtual void run(RecordCommand& command) = 0;
  virtual void run(PrefetchCommand&) {}
  virtual void run(WaitCommand&) {}
  /// Whether it may run launches that follow one another together; else nobody offers any.
  virtual bool takes_groups() const { return false; }
  /// Whether it may run the next launch together with those behind it. To be answered fast: to look
  /// at more of the queue costs small launches more than they take.
  virtual bool wants_group(const KernelCommand& /*first*/) { return takes_groups(); }
  /// The launch that a group may have in place of the command, which is none; nothing: it ends one.
  virtual std::optional<KernelCommand> as_launch(const Command& /*command*/) { return {}; }
  /// `window`: the next launches, all of the line that is used; one or more.
  virtual GroupRun run_group(std::span<KernelCommand* const> /*window*/, const WindowState&) {
    return {};
  }
  /// How long a launch of an executor that only starts commands may wait for others. Also how long
  /// kernels may do nothing that a program waits for without a call. If the executor is quick, the
  /// same at all times, else for the next launch.
  virtual std::chrono::nanoseconds longest_hold() const { return {}; }
  /// Whether it takes graphs as a whole; else nobody submits any.
  virtual bool takes_graphs() const { return false; }
  virtual void run(GraphCommand&) {}
  /// Whether it has the device call the function; else the queue does.
  virtual bool calls(const HostCommand&) const { return false; }
  virtual void run(HostCommand&) {}
  /// The next command is of `line`. Commands of different lines may run at once. That they may is
  /// all this says: an executor may keep everything in order.
  virtual void use_line(unsigned /*line*/) {}
  /// True if it only starts commands, in about the time it takes to hand one to another thread.
  virtual bool is_quick() const { return false; }

  /// A command of another line than the one before is submitted. Any thread, one at a time.
  virtual void lines_change() {}
  /// Whether to run this launch now would take longer: a quick executor waits for what it began.
  virtual bool holds_back(const KernelCommand& /*launch*/) { return false; }

  /// The commands run so far are those up to `sequence`.
  virtual void passed(Sequence) {}

  /// Whether all commands up to `sequence`, which has passed, are finished. Any thread.
  virtual bool is_finished(Sequence) const { return true; }
  /// Returns when they are. Any thread.
  virtual void finish(Sequence) {}
  /// The same of this command, and of those that had to run before it. Any thread.
  virtual bool is_finished_alone(Sequence sequence) const { return is_finished(sequence); }
  virtual void finish_alone(Sequence sequence) { finish(sequence); }
  /// The same of all commands up to `sequence` on lines below `free_lines`. Any thread.
  virtual bool is_finished_joined(Sequence sequence) const { return is_finished(sequence); }
  virtual void finish_joined(Sequence sequence) { finish(sequence); }

  /// The first fault; commands after it do nothing. Any thread.
  virtual devices::Fault fault() const = 0;
  /// Why a launch was refused since this was asked last; commands after it run. Any thread.
  virtual devices::Fault take_refusal() { return devices::Fault::none; }
};

}  // namespace gridspan::runtime
