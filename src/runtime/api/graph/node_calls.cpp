// Adding nodes to graphs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/graph/parameters.h"
#include "runtime/api/submit.h"

using namespace gridspan::runtime;
using namespace gridspan::runtime::graph;

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  GRIDSPAN_CALL(node, graph, record::address(dependencies), count, record::address(parameters)) {
    return add_node(state, node, graph, dependencies, count,
                    [&](Task& task) { return make_kernel(state, parameters, task); });
  });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  GRIDSPAN_CALL(node, graph, record::address(dependencies), count, parameters) {
    return add_node(state, node, graph, dependencies, count,
                    [&](Task& task) { return make_copy(state, parameters, task); });
  });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t dependency_count,
                                     void* destination, const void* source, size_t count,
                                     cudaMemcpyKind kind) {
  GRIDSPAN_CALL(node, graph, record::address(dependencies), dependency_count, destination, source,
                count, kind) {
    return add_node(state, node, graph, dependencies, dependency_count, [&](Task& task) {
      return make_flat_copy(state, destination, source, count, kind, task);
    });
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters) {
  GRIDSPAN_CALL(node, graph, record::address(dependencies), count, record::address(parameters)) {
    return add_node(state, node, graph, dependencies, count,
                    [&](Task& task) { return make_fill(state, parameters, task); });
  });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters) {
  GRIDSPAN_CALL(node, graph, record::address(dependencies), count, record::address(parameters)) {
    return add_node(state, node, graph, dependencies, count,
                    [&](Task& task) { return make_host(parameters, task); });
  });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  GRIDSPAN_CALL(node, graph, record::address(dependencies), count, child) {
    return add_node(state, node, graph, dependencies, count,
                    [&](Task& task) { return make_child(state, child, task); });
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  GRIDSPAN_CALL(node, graph, record::address(dependencies), count) {
    return add_node(state, node, graph, dependencies, count,
                    [](Task&) -> Status { return cudaSuccess; });
  });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
  GRIDSPAN_CALL(node, graph, record::address(dependencies), count, event) {
    return add_node(state, node, graph, dependencies, count,
                    [&](Task& task) { return make_record(state, event, task); });
  });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t event) {
  GRIDSPAN_CALL(node, graph, record::address(dependencies), count, event) {
    return add_node(state, node, graph, dependencies, count,
                    [&](Task& task) { return make_wait(state, event, task); });
  });
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* parameters) {
  GRIDSPAN_CALL(node, graph, record::address(dependencies), count, record::address(parameters)) {
    return add_node(state, node, graph, dependencies, count,
                    [&](Task& task) { return make_allocate(state, parameters, task); });
  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count,
                                    void* pointer) {
  GRIDSPAN_CALL(node, graph, record::address(dependencies), count, pointer) {
    return add_node(state, node, graph, dependencies, count,
                    [&](Task& task) { return state.graphs.memories.make_free(pointer, task); });
  });
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies, size_t count,
                             cudaGraphNodeParams* parameters) {
  GRIDSPAN_CALL(node, graph, record::address(dependencies), count, record::address(parameters)) {
    return add_node(state, node, graph, dependencies, count,
                    [&](Task& task) { return make_task(state, parameters, task); });
  });
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle,
                                             cudaGraph_t graph_handle, unsigned int default_value,
                                             unsigned int flags) {
  GRIDSPAN_CALL(handle, graph_handle, default_value, flags) {
    if (!handle) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    if (flags & ~unsigned{cudaGraphCondAssignDefault}) {
      return refuse(cudaErrorInvalidValue, "flags %#x", flags);
    }
    std::shared_ptr<Graph> graph;
    GRIDSPAN_TRY(find_graph(state, graph_handle, graph));
    auto condition = std::make_shared<Condition>();
    condition->default_value = default_value;
    condition->starts_as_default = flags == cudaGraphCondAssignDefault;
    GRIDSPAN_TRY(state.graphs.memories.make(state, sizeof(unsigned), condition->memory));
    *handle = reinterpret_cast<std::uintptr_t>(condition->memory->pointer());
    state.graphs.conditions.add(*graph, std::move(condition));
    return cudaSuccess;
  });
}
