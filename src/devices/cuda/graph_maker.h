// Graphs of the driver's, made of what a device begins.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream of its own captures: nothing that other threads ask of the device's lines meanwhile can
// disturb that. Before each step the driver is told behind which nodes the next ones come, so that
// branches stay branches:
//
//   steps:  0 ─► 1 ─┬► 3      captured in this order, with the dependencies set to
//               2 ──┘         {}  {0}  {}  {1, 2}
#pragma once

#include "devices/cuda/gpu_context.h"
#include "devices/device.h"
#include "devices/work_graphs.h"
#include "support/result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gridspan::devices::cuda {

class DriverGraph final : public WorkGraph {
 public:
  DriverGraph(const GpuContext& gpu, std::uint64_t modules) : modules(modules), gpu_(gpu) {}
  ~DriverGraph() override;

  /// What was loaded when the graph was made (CodeTable::generation).
  const std::uint64_t modules;
  std::vector<const abi::Kernel*> kernels;  // that run in it, each once
  GraphExec executable = nullptr;

 private:
  const GpuContext& gpu_;
};

/// One thread makes and begins; nobody else uses it.
class GraphMaker {
 public:
  explicit GraphMaker(const GpuContext& gpu) : gpu_(gpu) {}

  /// Where steps begin what they do while a graph is made; null: none is.
  Stream stream() const { return is_making_ ? stream_ : nullptr; }
  /// A step of the graph that is made runs the kernel.
  void add(const abi::Kernel& kernel);

  /// Null: the driver is too old, or a step can't be in a graph. What else goes wrong is told
  /// (GRIDSPAN_LOG=warn).
  std::unique_ptr<DriverGraph> make(std::span<const GraphStep> steps, std::uint64_t modules);

 private:
  using Nodes = std::vector<GraphNode>;
  support::Result<void> capture(std::span<const GraphStep> steps);
  support::Result<void> capture_step(const GraphStep& step, const std::vector<Nodes>& ends,
                                     Nodes& end);

  const GpuContext& gpu_;
  Stream stream_ = nullptr;  // made with the first graph
  bool is_making_ = false;
  std::vector<const abi::Kernel*> kernels_;  // of the graph that is made
};

}  // namespace gridspan::devices::cuda
