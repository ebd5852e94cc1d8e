// Captures and graphs of the fake driver: what a stream would do is kept, to be done again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph's nodes are done in an order that no caller may count on: of those whose predecessors are
// done, the one that was made last comes first.
#include "graphs.h"

#include "streams.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

using namespace fake_cuda;

namespace {

constexpr int status_none = 0, status_active = 1;

struct Node {
  FakeStream::Work work;
  std::vector<const Node*> predecessors;
  bool is_done = false;  // while a launch is put in order
};

using Nodes = std::vector<std::unique_ptr<Node>>;

struct FakeGraph {
  Nodes nodes;
};

struct FakeExec {
  std::shared_ptr<std::vector<FakeStream::Work>> works;  // those on their way keep it
};

/// Of one capture.
struct Capture {
  std::unique_ptr<FakeGraph> graph = std::make_unique<FakeGraph>();
  std::vector<GraphNode> dependencies;
};

GraphNode handle_of(const Node* node) {
  return reinterpret_cast<GraphNode>(const_cast<Node*>(node));
}

bool is_ready(const Node& node) {
  return !node.is_done &&
         std::ranges::all_of(node.predecessors, [](const Node* one) { return one->is_done; });
}

std::vector<FakeStream::Work> in_order(FakeGraph& graph) {
  std::vector<FakeStream::Work> works;
  while (works.size() < graph.nodes.size()) {
    const auto ready = std::find_if(graph.nodes.rbegin(), graph.nodes.rend(),
                                    [](const auto& node) { return is_ready(*node); });
    (*ready)->is_done = true;
    works.push_back((*ready)->work);
  }
  for (const auto& node : graph.nodes) node->is_done = false;
  return works;
}

Capture* capture_of(const FakeStream* stream) {
  return stream ? static_cast<Capture*>(stream->capture.get()) : nullptr;
}

}  // namespace

void fake_cuda::capture(FakeStream& stream, FakeStream::Work work) {
  Capture& capture = *capture_of(&stream);
  auto node = std::make_unique<Node>(Node{std::move(work), {}});
  for (const GraphNode one : capture.dependencies)
    node->predecessors.push_back(reinterpret_cast<const Node*>(one));
  capture.dependencies = {handle_of(node.get())};
  capture.graph->nodes.push_back(std::move(node));
}

FAKE_EXPORT Result cuStreamBeginCapture_v2(Stream handle, int mode) {
  FAKE_BEGIN();
  FakeStream* const stream = find_stream(handle);
  if (!stream || mode != capture_relaxed) return error_invalid_handle;
  if (stream->capture) return error_invalid_value;
  stream->capture = std::make_shared<Capture>();
  return success;
}

FAKE_EXPORT Result cuStreamEndCapture(Stream handle, GraphHandle* graph) {
  FAKE_BEGIN();
  FakeStream* const stream = find_stream(handle);
  Capture* const capture = capture_of(stream);
  if (!capture) return error_invalid_value;
  *graph = reinterpret_cast<GraphHandle>(capture->graph.release());
  stream->capture.reset();
  return success;
}

FAKE_EXPORT Result cuStreamGetCaptureInfo_v2(Stream handle, int* status, unsigned long long* id,
                                             GraphHandle* graph, const GraphNode** dependencies,
                                             std::size_t* count) {
  FAKE_BEGIN();
  Capture* const capture = capture_of(find_stream(handle));
  *status = capture ? status_active : status_none;
  if (!capture) return success;
  *id = 1;
  *graph = reinterpret_cast<GraphHandle>(capture->graph.get());
  *dependencies = capture->dependencies.data();
  *count = capture->dependencies.size();
  return success;
}

FAKE_EXPORT Result cuStreamUpdateCaptureDependencies(Stream handle, GraphNode* dependencies,
                                                     std::size_t count, unsigned flags) {
  FAKE_BEGIN();
  Capture* const capture = capture_of(find_stream(handle));
  if (!capture || flags != capture_dependencies_set) return error_invalid_value;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_known = std::ranges::any_of(capture->graph->nodes, [&](const auto& node) {
      return handle_of(node.get()) == dependencies[i];
    });
    if (!is_known) return error_invalid_value;
  }
  capture->dependencies.assign(dependencies, dependencies + count);
  return success;
}

FAKE_EXPORT Result cuGraphInstantiateWithFlags(GraphExec* executable, GraphHandle graph,
                                               unsigned long long) {
  FAKE_BEGIN();
  auto works = std::make_shared<std::vector<FakeStream::Work>>(
      in_order(*reinterpret_cast<FakeGraph*>(graph)));
  *executable = reinterpret_cast<GraphExec>(new FakeExec{std::move(works)});
  return success;
}

FAKE_EXPORT Result cuGraphLaunch(GraphExec executable, Stream handle) {
  FAKE_BEGIN();
  FakeStream* const stream = find_stream(handle);
  if (!stream) return error_invalid_handle;
  stream->push([works = reinterpret_cast<FakeExec*>(executable)->works] {
    for (FakeStream::Work& work : *works)
      if (const Result error = work()) return error;
    return success;
  });
  return success;
}

FAKE_EXPORT Result cuGraphExecDestroy(GraphExec executable) {
  FAKE_BEGIN();
  delete reinterpret_cast<FakeExec*>(executable);
  return success;
}

FAKE_EXPORT Result cuGraphDestroy(GraphHandle graph) {
  FAKE_BEGIN();
  delete reinterpret_cast<FakeGraph*>(graph);
  return success;
}
