// Who runs launches that follow one another as a group.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/run_result.h"
#include "runtime/schedule/command.h"
#include "runtime/schedule/executor.h"

#include <cstddef>
#include <optional>
#include <span>

namespace gridspan::runtime {

struct GroupResult {
  std::size_t launches = 0;  // that were run, from the first on; 0: none, run the first alone
  devices::RunResult result = {};
};

class GroupRunner {
 public:
  virtual ~GroupRunner() = default;
  /// Whether a group may begin with this launch, the next one. Asked for each launch that was not
  /// run in a group.
  virtual bool wants(const KernelCommand& first) = 0;
  /// See Executor.
  virtual std::optional<KernelCommand> as_launch(const Command& command) = 0;
  /// See Executor.
  virtual std::chrono::nanoseconds longest_hold() const = 0;
  /// It runs launches several times from the same memory, if all is quiet.
  virtual bool compares() const = 0;
  /// Whether it wants to see what follows the window before it runs any of it. Asked where launches
  /// are only begun.
  virtual bool waits(std::span<KernelCommand* const> window, const WindowState& state) = 0;
  /// `window`: launches that follow one another on one line, at least one. Those that it runs leave
  /// memory as if each had run after the one before it.
  virtual GroupResult run(std::span<KernelCommand* const> window, const WindowState& state) = 0;
};

}  // namespace gridspan::runtime
