// Steps of a program's graph that a device may begin as a whole.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/work_graphs.h"
#include "runtime/schedule/command.h"

#include <memory>
#include <variant>
#include <vector>

namespace gridspan::runtime {

/// Run as often as the program launches it. Whoever holds the queue's role uses it, one at a time.
struct GraphWork {
  struct Step {
    /// std::monostate: it only joins others.
    std::variant<std::monostate, KernelCommand, CopyCommand, FillCommand> command;
    std::vector<std::size_t> predecessors;  // earlier ones
  };
  std::vector<Step> steps;

  // What the executor made of it.
  std::unique_ptr<devices::WorkGraph> made;
  bool is_refused = false;  // the device makes none of it
};

}  // namespace gridspan::runtime
