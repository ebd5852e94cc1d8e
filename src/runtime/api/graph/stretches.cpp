// Finds stretches, checks them at each launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/graph/stretches.h"

#include "runtime/api/copy_checks.h"
#include "runtime/api/launch.h"
#include "runtime/api/submit.h"
#include "runtime/schedule/graph_work.h"

#include <utility>

namespace gridspan::runtime::graph {

namespace {

using Step = Executable::Step;
using StepCommand = decltype(GraphWork::Step::command);

/// What has to be looked at before each launch: `is_devices` says whether a device does it.
struct Checker {
  Runtime& state;
  Stream& stream;
  bool& is_devices;

  Status operator()(const EmptyTask&) const {
    is_devices = true;
    return cudaSuccess;
  }
  /// What a kernel launches is not known before it has run.
  Status operator()(const KernelTask& task) const {
    is_devices = !abi::launches_kernels(*task.command->kernel);
    return prepare_launch(state, stream, *task.function);
  }
  Status operator()(const CopyTask& task) const {
    is_devices = true;
    if (task.extent.is_empty()) return cudaSuccess;
    CheckedCopy sides;
    GRIDSPAN_TRY(check_copy(state, task.to, task.from, task.extent, task.kind, sides));
    const bool is_pageable = sides.to == Side::pageable || sides.from == Side::pageable;
    is_devices = !is_pageable && (sides.to == Side::device || sides.from == Side::device);
    return cudaSuccess;
  }
  Status operator()(const FillTask& task) const {
    const Extent extent = task.extent();
    is_devices = task.is_one_byte();
    if (extent.is_empty()) return cudaSuccess;
    Side side = Side::device;
    GRIDSPAN_TRY(check_fill(state, task.place(), extent, side));
    is_devices &= side == Side::device;
    return cudaSuccess;
  }
  template <class Other>
  Status operator()(const Other&) const {
    is_devices = false;
    return cudaSuccess;
  }
};

Status check(Runtime& state, Stream& stream, const Step& step, bool& is_devices) {
  is_devices = true;
  if (!step.enabled) return cudaSuccess;
  return std::visit(Checker{state, stream, is_devices}, step.task);
}

StepCommand command_of(const Step& step) {
  if (!step.enabled) return {};
  if (const auto* kernel = std::get_if<KernelTask>(&step.task)) return *kernel->command;
  if (const auto* copy = std::get_if<CopyTask>(&step.task)) {
    if (copy->extent.is_empty()) return {};
    return CopyCommand{copy->to, copy->from, copy->extent, nullptr};
  }
  if (const auto* fill = std::get_if<FillTask>(&step.task)) {
    if (fill->extent().is_empty()) return {};
    const auto value = static_cast<unsigned char>(fill->parameters.value);
    return FillCommand{fill->place(), fill->extent(), value};
  }
  return {};
}

/// Null if it is not worth it: one copy or fill costs no less that way.
std::shared_ptr<GraphWork> make_work(const std::vector<Step>& steps, std::size_t first,
                                     std::size_t end) {
  auto work = std::make_shared<GraphWork>();
  work->steps.reserve(end - first);
  std::size_t kernels = 0, others = 0;
  for (std::size_t i = first; i < end; ++i) {
    GraphWork::Step& made = work->steps.emplace_back(command_of(steps[i]));
    if (std::holds_alternative<KernelCommand>(made.command))
      ++kernels;
    else if (!std::holds_alternative<std::monostate>(made.command))
      ++others;
    for (const std::size_t predecessor : steps[i].predecessors)
      if (predecessor >= first) made.predecessors.push_back(predecessor - first);
  }
  return kernels > 0 || others > 1 ? work : nullptr;
}

std::vector<Stretch> find_stretches(Runtime& state, Stream& stream,
                                    const std::vector<Step>& steps) {
  std::vector<Stretch> found;
  for (std::size_t first = 0; first < steps.size();) {
    std::size_t end = first;
    for (bool is_devices = true; end < steps.size(); ++end)
      if (check(state, stream, steps[end], is_devices).failed() || !is_devices) break;
    if (auto work = make_work(steps, first, end)) found.push_back({first, end, std::move(work)});
    first = end + 1;
  }
  return found;
}

}  // namespace

const std::vector<Stretch>& stretches_of(Runtime& state, Stream& stream, Executable& executable) {
  if (state.queue.takes_graphs() && ++executable.launches == 2)
    executable.stretches = find_stretches(state, stream, executable.steps);
  return executable.stretches;
}

Status submit_stretch(Runtime& state, Stream& stream, const Executable& executable,
                      const Stretch& stretch, bool& is_submitted) {
  is_submitted = false;
  for (std::size_t i = stretch.first; i < stretch.end; ++i) {
    bool is_devices = true;
    GRIDSPAN_TRY(check(state, stream, executable.steps[i], is_devices));
    if (!is_devices) return cudaSuccess;
  }
  submit<GraphCommand>(state, stream, GraphCommand{stretch.work});
  is_submitted = true;
  return cudaSuccess;
}

}  // namespace gridspan::runtime::graph
