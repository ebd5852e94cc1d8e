// The events of nodes that record or wait.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/graph/parameters.h"

using namespace gridspan::runtime;
using namespace gridspan::runtime::graph;

namespace {

template <class Kind>
Status get_event(Runtime& state, cudaGraphNode_t node, cudaEvent_t* event) {
  return get_parameters<Kind>(state, node, event,
                              [](const Kind& task) { return task.event.get(); });
}

}  // namespace

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  GRIDSPAN_CALL(node, event) { return get_event<RecordTask>(state, node, event); });
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  GRIDSPAN_CALL(node, event) { return get_event<WaitTask>(state, node, event); });
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  GRIDSPAN_CALL(node, event) {
    return set_parameters<RecordTask>(state, node,
                                      [&](Task& task) { return make_record(state, event, task); });
  });
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  GRIDSPAN_CALL(node, event) {
    return set_parameters<WaitTask>(state, node,
                                    [&](Task& task) { return make_wait(state, event, task); });
  });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  GRIDSPAN_CALL(executable, node, event) {
    return set_parameters<RecordTask>(state, executable, node,
                                      [&](Task& task) { return make_record(state, event, task); });
  });
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  GRIDSPAN_CALL(executable, node, event) {
    return set_parameters<WaitTask>(state, executable, node,
                                    [&](Task& task) { return make_wait(state, event, task); });
  });
}
