// What is in a graph and in which order: queries and changes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/graph/handles.h"

#include <algorithm>

using namespace gridspan::runtime;
using namespace gridspan::runtime::graph;

namespace {

struct Dependency {
  Node* from;
  Node* to;
};

std::vector<Dependency> dependencies_of(const Graph& graph) {
  std::vector<Dependency> all;
  for (const auto& node : graph.nodes()) {
    for (Node* predecessor : node->predecessors) all.push_back({predecessor, node.get()});
  }
  return all;
}

/// CUDA's way of giving lists: without `to` the number of elements; with it as many as `count`
/// says, null after the last.
template <class List, class Handle>
Status give(const List& list, cudaGraphNode_t* to, std::size_t* count, Handle handle) {
  if (!count) return refuse(cudaErrorInvalidValue, "the count is null");
  if (!to) {
    *count = list.size();
    return cudaSuccess;
  }
  const std::size_t given = std::min(*count, list.size());
  std::transform(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(given), to, handle);
  std::fill(to + given, to + *count, nullptr);
  *count = given;
  return cudaSuccess;
}

Status give_nodes(const Nodes& nodes, cudaGraphNode_t* to, std::size_t* count) {
  return give(nodes, to, count, [](Node* node) { return node; });
}

/// Calls change(to, from) for each dependency that the program names.
template <class Change>
Status change_order(Runtime& state, cudaGraph_t handle, const cudaGraphNode_t* from,
                    const cudaGraphNode_t* to, std::size_t count, Change change) {
  std::shared_ptr<Graph> graph;
  GRIDSPAN_TRY(find_graph(state, handle, graph));
  Nodes sources, targets;
  GRIDSPAN_TRY(find_nodes(state, *graph, from, count, sources));
  GRIDSPAN_TRY(find_nodes(state, *graph, to, count, targets));
  for (std::size_t i = 0; i < count; ++i) change(*targets[i], sources[i]);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  GRIDSPAN_CALL(graph, record::address(from), record::address(to), count) {
    return change_order(state, graph, from, to, count,
                        [](Node& node, Node* predecessor) { add_edge(node, predecessor); });
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count) {
  GRIDSPAN_CALL(graph, record::address(from), record::address(to), count) {
    return change_order(state, graph, from, to, count, [](Node& node, Node* predecessor) {
      std::erase(node.predecessors, predecessor);
    });
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  GRIDSPAN_CALL(handle, record::address(nodes), count) {
    std::shared_ptr<Graph> graph;
    GRIDSPAN_TRY(find_graph(state, handle, graph));
    return give(graph->nodes(), nodes, count, [](const auto& node) { return node.get(); });
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  GRIDSPAN_CALL(handle, record::address(nodes), count) {
    std::shared_ptr<Graph> graph;
    GRIDSPAN_TRY(find_graph(state, handle, graph));
    Nodes roots;
    for (const auto& node : graph->nodes()) {
      if (node->predecessors.empty()) roots.push_back(node.get());
    }
    return give_nodes(roots, nodes, count);
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              size_t* count) {
  GRIDSPAN_CALL(handle, record::address(from), record::address(to), count) {
    std::shared_ptr<Graph> graph;
    GRIDSPAN_TRY(find_graph(state, handle, graph));
    if (!from != !to) return refuse(cudaErrorInvalidValue, "one of the two lists is null");
    if (!count) return refuse(cudaErrorInvalidValue, "the count is null");
    const auto all = dependencies_of(*graph);
    std::size_t room = *count;
    GRIDSPAN_TRY(
        give(all, from, &room, [](const Dependency& dependency) { return dependency.from; }));
    return give(all, to, count, [](const Dependency& dependency) { return dependency.to; });
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* nodes,
                                         size_t* count) {
  GRIDSPAN_CALL(handle, record::address(nodes), count) {
    std::shared_ptr<Node> node;
    GRIDSPAN_TRY(find_node(state, handle, node));
    return give_nodes(node->predecessors, nodes, count);
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* nodes,
                                           size_t* count) {
  GRIDSPAN_CALL(handle, record::address(nodes), count) {
    std::shared_ptr<Node> node;
    GRIDSPAN_TRY(find_node(state, handle, node));
    Nodes successors;
    for (const Dependency& dependency : dependencies_of(*node->graph)) {
      if (dependency.from == node.get()) successors.push_back(dependency.to);
    }
    return give_nodes(successors, nodes, count);
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  GRIDSPAN_CALL(node, original, clone) {
    if (!node) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Graph> graph;
    GRIDSPAN_TRY(find_graph(state, clone, graph));
    *node = graph->find_clone(original);
    if (*node) return cudaSuccess;
    return refuse(cudaErrorInvalidValue, "the graph has no clone of this node");
  });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t* graph) {
  GRIDSPAN_CALL(handle, graph) {
    if (!graph) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Node> node;
    GRIDSPAN_TRY(find_node_of<ChildTask>(state, handle, node));
    *graph = state.graphs.graphs.add(std::get<ChildTask>(node->task).graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  GRIDSPAN_CALL(handle, type) {
    if (!type) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Node> node;
    GRIDSPAN_TRY(find_node(state, handle, node));
    *type = type_of(node->task);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  GRIDSPAN_CALL(handle) {
    std::shared_ptr<Node> node;
    GRIDSPAN_TRY(find_node(state, handle, node));
    node->graph->remove(*node);
    return cudaSuccess;
  });
}
