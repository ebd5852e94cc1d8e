// Looks handles up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/graph/handles.h"

namespace gridspan::runtime::graph {

namespace {

template <class Object>
Status find(const HandleTable<Object>& table, Object* handle, const char* what,
            std::shared_ptr<Object>& object) {
  object = table.find(handle);
  if (object) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "%p is not a graph%s, or was destroyed",
                static_cast<void*>(handle), what);
}

}  // namespace

Status find_graph(Runtime& state, cudaGraph_t handle, std::shared_ptr<Graph>& graph) {
  graph = state.graphs.captures.find_graph(handle);
  return graph ? Status(cudaSuccess) : find(state.graphs.graphs, handle, "", graph);
}

Status find_node(Runtime& state, cudaGraphNode_t handle, std::shared_ptr<Node>& node) {
  return find(state.graphs.nodes, handle, "'s node", node);
}

Status find_executable(Runtime& state, cudaGraphExec_t handle,
                       std::shared_ptr<Executable>& executable) {
  return find(state.graphs.executables, handle, " made ready to run", executable);
}

Status find_nodes(Runtime& state, const Graph& graph, const cudaGraphNode_t* handles,
                  std::size_t count, Nodes& nodes) {
  if (count > 0 && !handles) return refuse(cudaErrorInvalidValue, "no nodes are given");
  for (std::size_t i = 0; i < count; ++i) {
    std::shared_ptr<Node> node;
    GRIDSPAN_TRY(find_node(state, handles[i], node));
    if (node->graph != &graph) {
      return refuse(cudaErrorInvalidValue, "node %zu is another graph's", i);
    }
    nodes.push_back(node.get());
  }
  return cudaSuccess;
}

}  // namespace gridspan::runtime::graph
