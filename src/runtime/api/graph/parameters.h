// Reading and replacing what nodes do, in graphs and in executables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/graph/handles.h"

namespace gridspan::runtime::graph {

/// Gives `read(task)` to the program.
template <class Kind, class Parameters, class Read>
Status get_parameters(Runtime& state, cudaGraphNode_t handle, Parameters* parameters, Read read) {
  if (!parameters) return refuse(cudaErrorInvalidValue, "the result pointer is null");
  std::shared_ptr<Node> node;
  GRIDSPAN_TRY(find_node_of<Kind>(state, handle, node));
  *parameters = read(std::get<Kind>(node->task));
  return cudaSuccess;
}

/// A kernel's attributes stay when what it is launched with changes.
inline void keep_attributes(const Task& before, Task& task) {
  const auto* kernel = std::get_if<KernelTask>(&before);
  if (!kernel) return;
  if (auto* now = std::get_if<KernelTask>(&task)) now->attributes = kernel->attributes;
}

/// Replaces the node's task by what `make(task)` gives.
template <class Kind, class Make>
Status set_parameters(Runtime& state, cudaGraphNode_t handle, Make make) {
  std::shared_ptr<Node> node;
  GRIDSPAN_TRY(find_node_of<Kind>(state, handle, node));
  Task task;
  GRIDSPAN_TRY(make(task));
  keep_attributes(node->task, task);
  node->task = std::move(task);
  return cudaSuccess;
}

inline Status find_step(Runtime& state, cudaGraphExec_t handle, cudaGraphNode_t node,
                        std::shared_ptr<Executable>& executable, Executable::Step*& step) {
  GRIDSPAN_TRY(find_executable(state, handle, executable));
  step = executable->find(node);
  if (step) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "the executable was not made from a graph with this node");
}

/// The same in an executable: the graph stays as it is.
template <class Kind, class Make>
Status set_parameters(Runtime& state, cudaGraphExec_t handle, cudaGraphNode_t node, Make make) {
  std::shared_ptr<Executable> executable;
  Executable::Step* step = nullptr;
  GRIDSPAN_TRY(find_step(state, handle, node, executable, step));
  // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): find_step found it
  if (!std::holds_alternative<Kind>(step->task)) {
    return refuse(cudaErrorInvalidValue, "the node is of another type: %s",
                  name_of(step->task).c_str());
  }
  Task task;
  GRIDSPAN_TRY(make(task));
  keep_attributes(step->task, task);
  step->task = std::move(task);
  return cudaSuccess;
}

/// Adds a node whose task `make(task)` gives.
template <class Make>
Status add_node(Runtime& state, cudaGraphNode_t* node, cudaGraph_t handle,
                const cudaGraphNode_t* dependencies, std::size_t count, Make make) {
  if (!node) return refuse(cudaErrorInvalidValue, "the result pointer is null");
  std::shared_ptr<Graph> graph;
  GRIDSPAN_TRY(find_graph(state, handle, graph));
  Nodes predecessors;
  GRIDSPAN_TRY(find_nodes(state, *graph, dependencies, count, predecessors));
  Task task;
  GRIDSPAN_TRY(make(task));
  *node = graph->add(std::move(task), predecessors);
  return cudaSuccess;
}

}  // namespace gridspan::runtime::graph
