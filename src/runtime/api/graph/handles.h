// From the program's handles to graphs, nodes and executables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/runtime_state.h"

#include <cstddef>

namespace gridspan::runtime::graph {

Status find_graph(Runtime& state, cudaGraph_t handle, std::shared_ptr<Graph>& graph);
Status find_node(Runtime& state, cudaGraphNode_t handle, std::shared_ptr<Node>& node);
Status find_executable(Runtime& state, cudaGraphExec_t handle,
                       std::shared_ptr<Executable>& executable);

/// `count` nodes of `graph`, which the program names.
Status find_nodes(Runtime& state, const Graph& graph, const cudaGraphNode_t* handles,
                  std::size_t count, Nodes& nodes);

/// The node, whose task must be a `Kind`.
template <class Kind>
Status find_node_of(Runtime& state, cudaGraphNode_t handle, std::shared_ptr<Node>& node) {
  GRIDSPAN_TRY(find_node(state, handle, node));
  if (std::holds_alternative<Kind>(node->task)) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "the node is of another type: %s",
                name_of(node->task).c_str());
}

}  // namespace gridspan::runtime::graph
