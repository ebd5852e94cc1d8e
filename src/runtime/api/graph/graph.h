// A CUDA graph: tasks and the order it asks for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/graph/task.h"
#include "runtime/api/graph/user_objects.h"

#include <memory>
#include <vector>

/// What a cudaGraphNode_t points to.
struct CUgraphNode_st {
  gridspan::runtime::graph::Graph* graph;
  gridspan::runtime::graph::Task task;
  bool enabled = true;
  const CUgraphNode_st* origin = nullptr;       // in a clone: the node it was made from
  std::vector<CUgraphNode_st*> predecessors{};  // each once
};

namespace gridspan::runtime::graph {

using Node = CUgraphNode_st;
using NodeTable = HandleTable<Node>;
using Nodes = std::vector<Node*>;

/// Adds `predecessor` unless it is there.
void add_edge(Node& node, Node* predecessor);

}  // namespace gridspan::runtime::graph

/// What a cudaGraph_t points to. Not thread safe, as CUDA's graphs are not.
struct CUgraph_st {
  using Graph = CUgraph_st;
  using Node = gridspan::runtime::graph::Node;
  using Nodes = gridspan::runtime::graph::Nodes;

 public:
  /// `table`: where the program finds the nodes by their handles.
  explicit CUgraph_st(gridspan::runtime::graph::NodeTable& table) : table_(table) {}
  CUgraph_st(const CUgraph_st&) = delete;
  CUgraph_st& operator=(const CUgraph_st&) = delete;
  ~CUgraph_st();

  /// Predecessors may be named more than once.
  Node* add(gridspan::runtime::graph::Task task, const Nodes& predecessors);
  void remove(const Node& node);
  /// Children are cloned, too.
  std::shared_ptr<Graph> clone() const;

  gridspan::runtime::graph::HeldObjects held_objects;

  /// In the order of creation.
  const std::vector<std::shared_ptr<Node>>& nodes() const { return nodes_; }

  /// Every node after its predecessors, else as created. Fewer than all nodes if there is a cycle.
  Nodes order() const;

  /// In a clone: the node that was made from `origin`, or null.
  Node* find_clone(const Node* origin) const;

 private:
  gridspan::runtime::graph::NodeTable& table_;
  std::vector<std::shared_ptr<Node>> nodes_;
};

namespace gridspan::runtime::graph {

using GraphTable = HandleTable<Graph>;

}  // namespace gridspan::runtime::graph
