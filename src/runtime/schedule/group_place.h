// Where the launches of a group run: one device, or several as one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/run_result.h"
#include "runtime/memory/allocation_table.h"
#include "runtime/schedule/chain_steps.h"
#include "runtime/schedule/command.h"
#include "runtime/schedule/moment.h"

#include <memory>
#include <optional>
#include <span>

namespace gridspan::runtime {

/// Used by the holder of the queue's role.
class GroupPlace {
 public:
  virtual ~GroupPlace() = default;

  /// True if launches are only begun.
  virtual bool only_begins() const = 0;
  /// Runs the launch, or begins it.
  virtual devices::RunResult run_launch(KernelCommand& launch) = 0;
  /// Runs the launches step by step, or begins that. Nothing if that can't be: then none has begun.
  virtual std::optional<devices::RunResult> run_chain(std::span<KernelCommand* const> launches,
                                                      const Chain& chain) = 0;

  /// Returns when all that was begun is done.
  virtual devices::RunResult finish_all() = 0;
  /// Whether all that was begun is done.
  virtual bool is_idle() = 0;
  /// Behind all that was begun.
  virtual std::unique_ptr<Moment> mark_moment() = 0;

  /// All of an allocation, while nothing uses it. `bytes`: as many as it has.
  virtual void read(const Allocation& memory, char* bytes) = 0;
  virtual void write(const Allocation& memory, char* bytes) = 0;
};

}  // namespace gridspan::runtime
