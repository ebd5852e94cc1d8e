// Adding nodes to graphs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/graph/handles.h"
#include "runtime/api/submit.h"

using namespace gridspan::runtime;
using namespace gridspan::runtime::graph;

namespace {

/// Adds a node whose task `make(task)` gives.
template <class Make>
Status add_node(Runtime& state, cudaGraphNode_t* node, cudaGraph_t handle,
                const cudaGraphNode_t* dependencies, std::size_t count, Make make) {
  if (!node) return refuse(cudaErrorInvalidValue, "the result pointer is null");
  std::shared_ptr<Graph> graph;
  GRIDSPAN_TRY(find_graph(state, handle, graph));
  Nodes predecessors;
  GRIDSPAN_TRY(find_nodes(state, *graph, dependencies, count, predecessors));
  Task task;
  GRIDSPAN_TRY(make(task));
  *node = graph->add(std::move(task), predecessors);
  return cudaSuccess;
}

template <class EventTask>
Status make_event_task(Runtime& state, cudaEvent_t handle, Task& task) {
  std::shared_ptr<Event> event = state.events.find(handle);
  if (!event) {
    return refuse(cudaErrorInvalidResourceHandle, "%p is not an event, or was destroyed",
                  static_cast<void*>(handle));
  }
  task = EventTask{std::move(event)};
  return cudaSuccess;
}

}  // namespace

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
    return add_node(state, node, graph, dependencies, count, [&](Task& task) -> Status {
      std::shared_ptr<Graph> original;
      GRIDSPAN_TRY(find_graph(state, child, original));
      task = ChildTask{original->clone()};
      return cudaSuccess;
    });
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
                    [&](Task& task) { return make_event_task<RecordTask>(state, event, task); });
  });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t event) {
  GRIDSPAN_CALL(node, graph, record::address(dependencies), count, event) {
    return add_node(state, node, graph, dependencies, count,
                    [&](Task& task) { return make_event_task<WaitTask>(state, event, task); });
  });
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* parameters) {
  GRIDSPAN_CALL(node, graph, record::address(dependencies), count, record::address(parameters)) {
    return add_node(state, node, graph, dependencies, count, [&](Task& task) -> Status {
      if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
      std::shared_ptr<Memory> memory;
      GRIDSPAN_TRY(state.graphs.memories.make(state, parameters->bytesize, memory));
      parameters->dptr = memory->pointer();
      task = AllocateTask{std::move(memory)};
      return cudaSuccess;
    });
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
