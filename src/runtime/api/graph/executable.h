// A graph made ready to run: its tasks in one order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/graph/graph.h"

#include <memory>
#include <vector>

namespace gridspan::runtime {

struct GraphWork;

namespace graph {

/// Steps [first, end) of an executable, which a device takes as a whole (stretches.h).
struct Stretch {
  std::size_t first, end;
  std::shared_ptr<GraphWork> work;
};

}  // namespace graph
}  // namespace gridspan::runtime

/// What a cudaGraphExec_t points to.
struct CUgraphExec_st {
  struct Step {
    const gridspan::runtime::graph::Node* node;  // of the graph it was made from; an identity only
    gridspan::runtime::graph::Task task;         // not a child: those are laid open
    bool enabled;
    std::vector<std::size_t> predecessors;                     // steps, in growing order
    std::vector<std::shared_ptr<CUgraphExec_st>> bodies = {};  // of a conditional node
  };
  std::vector<Step> steps;
  unsigned long long flags = 0;
  std::vector<std::shared_ptr<gridspan::runtime::graph::OwnedByProgram>> held = {};

  /// Both from the last change of the steps on.
  std::uint64_t launches = 0;
  std::vector<gridspan::runtime::graph::Stretch> stretches = {};
  void note_change();

  // Of the last launch: its stream, and its last command. The next launch comes after it.
  unsigned long long stream = 0;
  gridspan::runtime::Queue::Sequence last = 0;

  /// The step of a node, to be changed, or null.
  Step* find(const gridspan::runtime::graph::Node* node);
};

namespace gridspan::runtime::graph {

using Executable = CUgraphExec_st;
using ExecutableTable = HandleTable<Executable>;

/// Lays the graph out, children included. Refuses cycles.
Status instantiate(const Graph& graph, Executable& executable);

/// Puts all steps into the stream, which must not be capturing. Waits for what decides a
/// condition.
Status launch(Runtime& state, Stream& stream, Executable& executable);

/// Steps of the executable that come from `child`, the graph of one of its nodes, take over the
/// tasks of `graph`, which must have the same nodes in the same order.
Status update_child(Executable& executable, const Graph& child, const Graph& graph);

/// Takes over the tasks of `graph`, which must have the same nodes in the same order. Nothing
/// changes if it has not; `result` says why.
Status update(Executable& executable, const Graph& graph, cudaGraphExecUpdateResultInfo& result);

}  // namespace gridspan::runtime::graph
