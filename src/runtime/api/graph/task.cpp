// Turns the program's parameters into tasks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/graph/task.h"

#include "runtime/api/argument_buffer.h"
#include "runtime/api/copy_3d.h"
#include "runtime/api/copy_calls.h"
#include "runtime/api/copy_checks.h"
#include "runtime/api/launch.h"
#include "runtime/api/launch_limits.h"

namespace gridspan::runtime::graph {

cudaGraphNodeType type_of(const Task& task) {
  static constexpr cudaGraphNodeType types[] = {
      cudaGraphNodeTypeEmpty,     cudaGraphNodeTypeKernel,     cudaGraphNodeTypeMemcpy,
      cudaGraphNodeTypeMemset,    cudaGraphNodeTypeHost,       cudaGraphNodeTypeEventRecord,
      cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeMemAlloc,   cudaGraphNodeTypeMemFree,
      cudaGraphNodeTypeGraph,     cudaGraphNodeTypeConditional};
  static_assert(std::size(types) == std::variant_size_v<Task>);
  return types[task.index()];
}

std::string name_of(const Task& task) {
  static constexpr const char* names[] = {"empty",    "kernel",       "memcpy",     "memset",
                                          "host",     "event record", "event wait", "mem alloc",
                                          "mem free", "graph",        "conditional"};
  static_assert(std::size(names) == std::variant_size_v<Task>);
  std::string name = names[task.index()];
  if (const auto* kernel = std::get_if<KernelTask>(&task)) {
    name += std::string(" ") + kernel->command->kernel->name;
  }
  return name;
}

Task make_kernel(const LaunchRequest& request, const CheckedLaunch& launch) {
  auto command = std::make_shared<KernelCommand>(launch.kernel(), launch.symbols, launch.shape,
                                                 request.arguments);
  std::vector<void*> parameters;
  for (std::uint32_t i = 0; i < launch.kernel().parameter_count; ++i) {
    parameters.push_back(command->arguments.bytes() + launch.kernel().parameters[i].offset);
  }
  return KernelTask{request.stub, launch.function, std::move(command), std::move(parameters), {}};
}

Status make_kernel(Runtime& state, const cudaKernelNodeParams* parameters, Task& task) {
  if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
  std::shared_ptr<Function> function;
  GRIDSPAN_TRY(find_function(parameters->func, function));
  void** arguments = parameters->kernelParams;
  std::vector<void*> unpacked;
  GRIDSPAN_TRY(choose_arguments(*function->kernel, arguments, parameters->extra, unpacked));
  const LaunchRequest request{parameters->func, parameters->gridDim, parameters->blockDim,
                              arguments, parameters->sharedMemBytes};
  CheckedLaunch launch;
  GRIDSPAN_TRY(check_launch(state, request, launch));
  task = make_kernel(request, launch);
  return cudaSuccess;
}

Status make_copy(Runtime& state, const cudaMemcpy3DParms* parameters, Task& task) {
  if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
  CopyTask copy{{}, {}, {}, parameters->kind};
  GRIDSPAN_TRY(resolve_copy_3d(state, *parameters, copy.to, copy.from, copy.extent));
  if (!copy.extent.is_empty()) {
    CheckedCopy sides;
    GRIDSPAN_TRY(check_copy(state, copy.to, copy.from, copy.extent, copy.kind, sides));
  }
  task = copy;
  return cudaSuccess;
}

Status make_flat_copy(Runtime& state, void* to, const void* from, std::size_t count,
                      cudaMemcpyKind kind, Task& task) {
  const CopyTask copy{flat(to), flat(from), {count}, kind};
  CheckedCopy sides;
  if (count > 0) GRIDSPAN_TRY(check_copy(state, copy.to, copy.from, copy.extent, kind, sides));
  task = copy;
  return cudaSuccess;
}

Status make_fill(Runtime& state, const cudaMemsetParams* parameters, Task& task) {
  if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
  const unsigned size = parameters->elementSize;
  if (size != 1 && size != 2 && size != 4) {
    return refuse(cudaErrorInvalidValue, "elements of %u bytes: 1, 2 or 4 are allowed", size);
  }
  const FillTask fill{*parameters};
  const Extent extent = fill.extent();
  Side side = Side::device;
  if (extent.height > 1 && parameters->pitch < extent.width) {
    return refuse(cudaErrorInvalidPitchValue, "pitch %zu is smaller than the width %zu",
                  parameters->pitch, extent.width);
  }
  if (!extent.is_empty()) GRIDSPAN_TRY(check_fill(state, fill.place(), extent, side));
  task = fill;
  return cudaSuccess;
}

Status make_host(const cudaHostNodeParams* parameters, Task& task) {
  if (!parameters || !parameters->fn) {
    return refuse(cudaErrorInvalidValue, "the host function is null");
  }
  task = HostTask{*parameters};
  return cudaSuccess;
}

cudaKernelNodeParams parameters_of(const KernelTask& task) {
  const auto& [grid, block, shared_bytes] = task.command->shape;
  return {.func = const_cast<void*>(task.stub),
          .gridDim = {grid.x, grid.y, grid.z},
          .blockDim = {block.x, block.y, block.z},
          .sharedMemBytes = shared_bytes,
          .kernelParams = const_cast<void**>(task.parameters.data()),
          .extra = nullptr};
}

cudaMemcpy3DParms parameters_of(const CopyTask& task) {
  const auto pitched = [&](const Pitched& memory) {
    const std::size_t rows = memory.pitch ? memory.slice_pitch / memory.pitch : 0;
    return cudaPitchedPtr{memory.base, memory.pitch, task.extent.width, rows};
  };
  cudaMemcpy3DParms parameters = {};
  parameters.dstPtr = pitched(task.to);
  parameters.srcPtr = pitched(task.from);
  parameters.extent = {task.extent.width, task.extent.height, task.extent.depth};
  parameters.kind = task.kind;
  return parameters;
}

}  // namespace gridspan::runtime::graph
