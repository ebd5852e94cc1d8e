// Captures steps one by one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/graph_maker.h"

#include "support/log.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace gridspan::devices::cuda {

constexpr std::string_view error_word = "error: ";

/// The driver lets one that is running come to its end.
DriverGraph::~DriverGraph() {
  if (executable && gpu_.make_current() == success) gpu_.driver.cuGraphExecDestroy(executable);
}

void GraphMaker::add(const abi::Kernel& kernel) {
  if (std::ranges::find(kernels_, &kernel) == kernels_.end()) kernels_.push_back(&kernel);
}

support::Result<void> GraphMaker::capture_step(const GraphStep& step,
                                               const std::vector<Nodes>& ends, Nodes& end) {
  const Driver& api = gpu_.driver;
  Nodes before;
  for (const std::size_t predecessor : step.predecessors)
    before.insert(before.end(), ends[predecessor].begin(), ends[predecessor].end());
  std::ranges::sort(before);
  before.erase(std::unique(before.begin(), before.end()), before.end());
  if (const Result e = api.cuStreamUpdateCaptureDependencies(stream_, before.data(), before.size(),
                                                             capture_dependencies_set);
      e != success)
    return support::fail(api.describe(e, "cuStreamUpdateCaptureDependencies"));
  if (const RunResult begun = step.begin(); begun.fault != Fault::none)
    return support::fail(
        begun.message.substr(begun.message.starts_with(error_word) ? error_word.size() : 0));
  int status = 0;
  unsigned long long id = 0;
  GraphHandle graph = nullptr;
  const GraphNode* nodes = nullptr;
  std::size_t count = 0;
  if (const Result e = api.cuStreamGetCaptureInfo(stream_, &status, &id, &graph, &nodes, &count);
      e != success)
    return support::fail(api.describe(e, "cuStreamGetCaptureInfo"));
  end.assign(nodes, nodes + count);
  return {};
}

support::Result<void> GraphMaker::capture(std::span<const GraphStep> steps) {
  std::vector<Nodes> ends(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (auto done = capture_step(steps[i], ends, ends[i]); !done) return done;
  return {};
}

std::unique_ptr<DriverGraph> GraphMaker::make(std::span<const GraphStep> steps,
                                              std::uint64_t modules) {
  const Driver& api = gpu_.driver;
  if (!api.makes_graphs() || gpu_.make_current() != success) return nullptr;
  const auto give_up = [](const std::string& why) {
    support::log(support::LogLevel::warn, "%s: the nodes of a graph are begun one by one",
                 why.c_str());
    return nullptr;
  };
  if (!stream_) {
    if (const Result e = api.cuStreamCreate(&stream_, stream_non_blocking); e != success)
      return give_up(api.describe(e, "cuStreamCreate"));
  }
  if (const Result e = api.cuStreamBeginCapture(stream_, capture_relaxed); e != success)
    return give_up(api.describe(e, "cuStreamBeginCapture"));
  kernels_.clear();
  is_making_ = true;
  const auto captured = capture(steps);
  is_making_ = false;
  GraphHandle graph = nullptr;
  Result ended = api.cuStreamEndCapture(stream_, &graph);
  auto made = std::make_unique<DriverGraph>(gpu_, modules);
  const char* call = "cuStreamEndCapture";
  if (captured && ended == success) {
    call = "cuGraphInstantiateWithFlags";
    ended = api.cuGraphInstantiateWithFlags(&made->executable, graph, 0);
  }
  if (graph) api.cuGraphDestroy(graph);
  if (!captured) return give_up(captured.error().message);
  if (ended != success) return give_up(api.describe(ended, call));
  made->kernels = std::exchange(kernels_, {});
  return made;
}

}  // namespace gridspan::devices::cuda
