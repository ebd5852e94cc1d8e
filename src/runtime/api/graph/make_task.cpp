// Turns the program's parameters of graphs, events, memory and conditions into tasks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/graph/handles.h"

#include <algorithm>
#include <utility>

namespace gridspan::runtime::graph {

namespace {

Status find_event(Runtime& state, cudaEvent_t handle, std::shared_ptr<Event>& event) {
  event = state.events.find(handle);
  if (event) return cudaSuccess;
  return refuse(cudaErrorInvalidResourceHandle, "%p is not an event, or was destroyed",
                static_cast<void*>(handle));
}

unsigned most_bodies(cudaGraphConditionalNodeType type) {
  switch (type) {
    case cudaGraphCondTypeIf:
      return 2;
    case cudaGraphCondTypeWhile:
      return 1;
    case cudaGraphCondTypeSwitch:
      return 1u << 16;
  }
  return 0;
}

}  // namespace

std::size_t ConditionalTask::choice(unsigned value) const {
  if (type == cudaGraphCondTypeSwitch) return std::min<std::size_t>(value, bodies.size());
  return value != 0 ? 0 : is_loop() ? bodies.size() : 1;
}

Status make_child(Runtime& state, cudaGraph_t handle, Task& task) {
  std::shared_ptr<Graph> original;
  GRIDSPAN_TRY(find_graph(state, handle, original));
  task = ChildTask{original->clone()};
  return cudaSuccess;
}

Status make_record(Runtime& state, cudaEvent_t handle, Task& task) {
  std::shared_ptr<Event> event;
  GRIDSPAN_TRY(find_event(state, handle, event));
  task = RecordTask{std::move(event)};
  return cudaSuccess;
}

Status make_wait(Runtime& state, cudaEvent_t handle, Task& task) {
  std::shared_ptr<Event> event;
  GRIDSPAN_TRY(find_event(state, handle, event));
  task = WaitTask{std::move(event)};
  return cudaSuccess;
}

Status make_allocate(Runtime& state, cudaMemAllocNodeParams* parameters, Task& task) {
  if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
  std::shared_ptr<Memory> memory;
  GRIDSPAN_TRY(state.graphs.memories.make(state, parameters->bytesize, memory));
  parameters->dptr = memory->pointer();
  task = AllocateTask{std::move(memory)};
  return cudaSuccess;
}

Status make_conditional(Runtime& state, cudaConditionalNodeParams* parameters, Task& task) {
  if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
  auto condition = state.graphs.conditions.find(parameters->handle);
  if (!condition) {
    return refuse(cudaErrorInvalidValue, "%#llx is no condition, or its graph was destroyed",
                  parameters->handle);
  }
  const unsigned most = most_bodies(parameters->type);
  if (parameters->size < 1 || parameters->size > most) {
    return refuse(cudaErrorInvalidValue, "a conditional node of type %d with %u graphs",
                  static_cast<int>(parameters->type), parameters->size);
  }
  ConditionalTask made{std::move(condition), parameters->type, {}, {}};
  made.handles = std::make_shared<std::vector<cudaGraph_t>>();
  for (unsigned i = 0; i < parameters->size; ++i) {
    made.bodies.push_back(std::make_shared<Graph>(state.graphs.nodes));
    made.handles->push_back(state.graphs.graphs.add(made.bodies.back()));
  }
  parameters->phGraph_out = made.handles->data();
  task = std::move(made);
  return cudaSuccess;
}

Status make_task(Runtime& state, cudaGraphNodeParams* parameters, Task& task) {
  if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
  switch (parameters->type) {
    case cudaGraphNodeTypeKernel:
      return make_kernel(state, &parameters->kernel, task);
    case cudaGraphNodeTypeMemcpy:
      return make_copy(state, &parameters->memcpy.copyParams, task);
    case cudaGraphNodeTypeMemset:
      return make_fill(state, &parameters->memset, task);
    case cudaGraphNodeTypeHost:
      return make_host(&parameters->host, task);
    case cudaGraphNodeTypeGraph:
      return make_child(state, parameters->graph.graph, task);
    case cudaGraphNodeTypeEmpty:
      task = EmptyTask{};
      return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
      return make_wait(state, parameters->eventWait.event, task);
    case cudaGraphNodeTypeEventRecord:
      return make_record(state, parameters->eventRecord.event, task);
    case cudaGraphNodeTypeMemAlloc:
      return make_allocate(state, &parameters->alloc, task);
    case cudaGraphNodeTypeMemFree:
      return state.graphs.memories.make_free(parameters->free.dptr, task);
    case cudaGraphNodeTypeConditional:
      return make_conditional(state, &parameters->conditional, task);
    default:
      return refuse(cudaErrorNotSupported, "nodes of type %d", static_cast<int>(parameters->type));
  }
}

}  // namespace gridspan::runtime::graph
