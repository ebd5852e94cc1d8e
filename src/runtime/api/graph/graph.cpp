// Nodes, edges, and an order that respects them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/graph/graph.h"

#include <algorithm>
#include <unordered_map>

using gridspan::runtime::graph::ChildTask;
using gridspan::runtime::graph::Task;

namespace gridspan::runtime::graph {

void add_edge(Node& node, Node* predecessor) {
  auto& all = node.predecessors;
  if (std::find(all.begin(), all.end(), predecessor) == all.end()) all.push_back(predecessor);
}

}  // namespace gridspan::runtime::graph

CUgraph_st::~CUgraph_st() {
  for (const auto& node : nodes_) table_.remove(node.get());
}

CUgraph_st::Node* CUgraph_st::add(Task task, const Nodes& predecessors) {
  auto node = std::make_shared<Node>(Node{.graph = this, .task = std::move(task)});
  for (Node* predecessor : predecessors) gridspan::runtime::graph::add_edge(*node, predecessor);
  nodes_.push_back(node);
  return table_.add(std::move(node));
}

void CUgraph_st::remove(const Node& node) {
  for (const auto& other : nodes_) std::erase(other->predecessors, &node);
  table_.remove(&node);
  std::erase_if(nodes_, [&](const auto& own) { return own.get() == &node; });
}

std::shared_ptr<CUgraph_st> CUgraph_st::clone() const {
  auto copy = std::make_shared<Graph>(table_);
  copy->held_objects = held_objects;
  std::unordered_map<const Node*, Node*> clones;
  for (const auto& node : nodes_) {
    Task task = node->task;
    if (auto* child = std::get_if<ChildTask>(&task)) child->graph = child->graph->clone();
    Node* made = copy->add(std::move(task), {});
    made->enabled = node->enabled;
    made->origin = node.get();
    clones[node.get()] = made;
  }
  for (const auto& node : nodes_) {
    for (const Node* predecessor : node->predecessors) {
      clones[node.get()]->predecessors.push_back(clones.at(predecessor));
    }
  }
  return copy;
}

CUgraph_st::Nodes CUgraph_st::order() const {
  std::unordered_map<const Node*, std::size_t> missing;
  std::unordered_map<const Node*, Nodes> successors;
  Nodes ready;  // a queue: the first `taken` of it are in order already
  for (const auto& node : nodes_) {
    missing[node.get()] = node->predecessors.size();
    for (const Node* predecessor : node->predecessors) {
      successors[predecessor].push_back(node.get());
    }
    if (node->predecessors.empty()) ready.push_back(node.get());
  }
  for (std::size_t taken = 0; taken < ready.size(); ++taken) {
    for (Node* next : successors[ready[taken]]) {
      if (--missing[next] == 0) ready.push_back(next);
    }
  }
  return ready;
}

CUgraph_st::Node* CUgraph_st::find_clone(const Node* origin) const {
  for (const auto& node : nodes_) {
    if (node->origin == origin) return node.get();
  }
  return nullptr;
}
