// What nodes do: read, and changed in graphs and in executables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/device_properties.h"
#include "runtime/api/graph/parameters.h"

using namespace gridspan::runtime;
using namespace gridspan::runtime::graph;

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  GRIDSPAN_CALL(node, record::address(parameters)) {
    return get_parameters<KernelTask>(state, node, parameters,
                                      [](const auto& task) { return parameters_of(task); });
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters) {
  GRIDSPAN_CALL(node, record::address(parameters)) {
    return set_parameters<KernelTask>(
        state, node, [&](Task& task) { return make_kernel(state, parameters, task); });
  });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  GRIDSPAN_CALL(executable, node, record::address(parameters)) {
    return set_parameters<KernelTask>(
        state, executable, node, [&](Task& task) { return make_kernel(state, parameters, task); });
  });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  GRIDSPAN_CALL(node, record::address(parameters)) {
    return get_parameters<CopyTask>(state, node, parameters,
                                    [](const auto& task) { return parameters_of(task); });
  });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms* parameters) {
  GRIDSPAN_CALL(node, parameters) {
    return set_parameters<CopyTask>(state, node,
                                    [&](Task& task) { return make_copy(state, parameters, task); });
  });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* destination,
                                           const void* source, size_t count, cudaMemcpyKind kind) {
  GRIDSPAN_CALL(node, destination, source, count, kind) {
    return set_parameters<CopyTask>(state, node, [&](Task& task) {
      return make_flat_copy(state, destination, source, count, kind, task);
    });
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  GRIDSPAN_CALL(executable, node, parameters) {
    return set_parameters<CopyTask>(state, executable, node,
                                    [&](Task& task) { return make_copy(state, parameters, task); });
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* destination, const void* source, size_t count,
                                               cudaMemcpyKind kind) {
  GRIDSPAN_CALL(executable, node, destination, source, count, kind) {
    return set_parameters<CopyTask>(state, executable, node, [&](Task& task) {
      return make_flat_copy(state, destination, source, count, kind, task);
    });
  });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  GRIDSPAN_CALL(node, record::address(parameters)) {
    return get_parameters<FillTask>(state, node, parameters,
                                    [](const auto& task) { return task.parameters; });
  });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  GRIDSPAN_CALL(node, record::address(parameters)) {
    return set_parameters<FillTask>(state, node,
                                    [&](Task& task) { return make_fill(state, parameters, task); });
  });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  GRIDSPAN_CALL(executable, node, record::address(parameters)) {
    return set_parameters<FillTask>(state, executable, node,
                                    [&](Task& task) { return make_fill(state, parameters, task); });
  });
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  GRIDSPAN_CALL(node, record::address(parameters)) {
    return get_parameters<HostTask>(state, node, parameters,
                                    [](const auto& task) { return task.parameters; });
  });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  GRIDSPAN_CALL(node, record::address(parameters)) {
    return set_parameters<HostTask>(state, node,
                                    [&](Task& task) { return make_host(parameters, task); });
  });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  GRIDSPAN_CALL(executable, node, record::address(parameters)) {
    return set_parameters<HostTask>(state, executable, node,
                                    [&](Task& task) { return make_host(parameters, task); });
  });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           cudaMemAllocNodeParams* parameters) {
  GRIDSPAN_CALL(node, record::address(parameters)) {
    return get_parameters<AllocateTask>(state, node, parameters, [](const auto& task) {
      cudaMemAllocNodeParams known = {};
      known.bytesize = task.memory->size();
      known.dptr = task.memory->pointer();
      return known;
    });
  });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  GRIDSPAN_CALL(node, pointer) {
    return get_parameters<FreeTask>(state, node, static_cast<void**>(pointer),
                                    [](const auto& task) { return task.pointer; });
  });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node,
                                    unsigned int is_enabled) {
  GRIDSPAN_CALL(handle, node, is_enabled) {
    std::shared_ptr<Executable> executable;
    Executable::Step* step = nullptr;
    GRIDSPAN_TRY(find_step(state, handle, node, executable, step));
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): find_step found it
    step->enabled = is_enabled != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node,
                                    unsigned int* is_enabled) {
  GRIDSPAN_CALL(handle, node, is_enabled) {
    if (!is_enabled) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Executable> executable;
    Executable::Step* step = nullptr;
    GRIDSPAN_TRY(find_step(state, handle, node, executable, step));
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): find_step found it
    *is_enabled = step->enabled;
    return cudaSuccess;
  });
}

namespace {

/// The same type of node, with other parameters.
Status make_like(Runtime& state, const Task& before, cudaGraphNodeParams* parameters, Task& task) {
  if (std::holds_alternative<ConditionalTask>(before) ||
      (parameters && parameters->type != type_of(before))) {
    return refuse(cudaErrorInvalidValue, "the node is of another type: %s",
                  name_of(before).c_str());
  }
  return make_task(state, parameters, task);
}

}  // namespace

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t handle, cudaGraphNodeParams* parameters) {
  GRIDSPAN_CALL(handle, record::address(parameters)) {
    std::shared_ptr<Node> node;
    GRIDSPAN_TRY(find_node(state, handle, node));
    Task task;
    GRIDSPAN_TRY(make_like(state, node->task, parameters, task));
    node->task = std::move(task);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters) {
  GRIDSPAN_CALL(handle, node, record::address(parameters)) {
    std::shared_ptr<Executable> executable;
    Executable::Step* step = nullptr;
    GRIDSPAN_TRY(find_step(state, handle, node, executable, step));
    Task task;
    // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): find_step found it
    GRIDSPAN_TRY(make_like(state, step->task, parameters, task));
    step->task = std::move(task);
    return cudaSuccess;
  });
}
