// Work that a device has taken over as a whole, to begin it again and again with one call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/run_result.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace gridspan::devices {

/// What a device does in a graph, behind other steps: those of the graph with these numbers, all of
/// them smaller than its own. `begin` begins it, by calls of CommandQueue, or nothing.
struct GraphStep {
  std::function<RunResult()> begin;
  std::vector<std::size_t> predecessors;
};

/// What WorkGraphs::make makes. It may go while the device is still at it.
class WorkGraph {
 public:
  WorkGraph() = default;
  virtual ~WorkGraph() = default;
  WorkGraph(const WorkGraph&) = delete;
  WorkGraph& operator=(const WorkGraph&) = delete;
};

/// Of a device that makes graphs. Called as its CommandQueue is.
class WorkGraphs {
 public:
  virtual ~WorkGraphs() = default;
  /// Calls `begin` of each step, which begins nothing now: all of it is kept, to be begun as a
  /// whole. They must only begin whole kernels, and copies and fills that the device makes itself.
  /// Null if the device can't make this one.
  virtual std::unique_ptr<WorkGraph> make(std::span<const GraphStep> steps) = 0;
  /// The device has everything still that a graph of its own needs.
  virtual bool is_current(const WorkGraph& graph) const = 0;
  virtual RunResult begin(WorkGraph& graph) = 0;
};

}  // namespace gridspan::devices
