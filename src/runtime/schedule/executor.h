// Who does what commands say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queue gives commands in order, one at a time, from whichever thread holds its role. An
// executor does each at once or only starts it; the queue asks `is_finished` before it tells the
// program that a command is done.
#pragma once

#include "devices/device.h"
#include "runtime/schedule/command.h"

#include <cstdint>

namespace gridspan::runtime {

/// Place of a command in the queue; the first is 1.
using Sequence = std::uint64_t;

class Executor {
 public:
  virtual ~Executor() = default;

  /// Called by the holder of the queue's role only.
  virtual void run(KernelCommand& command) = 0;
  virtual void run(CopyCommand& command) = 0;
  virtual void run(FillCommand& command) = 0;
  virtual void run(RecordCommand& command) = 0;
  /// True if it only starts commands, in about the time it takes to hand one to another thread.
  virtual bool is_quick() const { return false; }

  /// The commands run so far are those up to `sequence`.
  virtual void passed(Sequence) {}

  /// Whether all commands up to `sequence`, which has passed, are finished. Any thread.
  virtual bool is_finished(Sequence) const { return true; }
  /// Returns when they are. Any thread.
  virtual void finish(Sequence) {}

  /// The first fault; commands after it do nothing. Any thread.
  virtual devices::Fault fault() const = 0;
};

}  // namespace gridspan::runtime
