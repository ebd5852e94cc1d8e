// Graphs as a whole: made, copied, made ready to run, launched, drawn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/graph/handles.h"
#include "runtime/api/submit.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

using namespace gridspan::runtime;
using namespace gridspan::runtime::graph;

namespace {

Status instantiate_as(Runtime& state, cudaGraphExec_t* executable, cudaGraph_t handle,
                      unsigned long long flags) {
  if (!executable) return refuse(cudaErrorInvalidValue, "the result pointer is null");
  constexpr unsigned long long without_effect = cudaGraphInstantiateFlagAutoFreeOnLaunch |
                                                cudaGraphInstantiateFlagUpload |
                                                cudaGraphInstantiateFlagUseNodePriority;
  if (flags & ~without_effect) {
    return refuse(cudaErrorNotSupported, "flags %#llx are not supported", flags & ~without_effect);
  }
  std::shared_ptr<Graph> graph;
  GRIDSPAN_TRY(find_graph(state, handle, graph));
  auto made = std::make_shared<Executable>();
  made->flags = flags;
  GRIDSPAN_TRY(instantiate(*graph, *made));
  *executable = state.graphs.executables.add(std::move(made));
  return cudaSuccess;
}

/// A capturing stream takes the executable over step by step.
Status capture_steps(Runtime& state, Stream& stream, const Executable& executable) {
  if (std::ranges::any_of(executable.steps,
                          [](const auto& step) { return !step.bodies.empty(); })) {
    return refuse(cudaErrorStreamCaptureUnsupported, "a graph with conditional nodes");
  }
  for (const auto& step : executable.steps) {
    if (step.enabled) GRIDSPAN_TRY(state.graphs.captures.add(stream, step.task));
  }
  return cudaSuccess;
}

void draw(std::FILE* file, const Graph& graph) {
  std::fputs("digraph gridspan {\n", file);
  for (const auto& node : graph.nodes()) {
    std::fprintf(file, "  \"%p\" [label=\"%s\" shape=box]\n", static_cast<void*>(node.get()),
                 name_of(node->task).c_str());
    for (const Node* predecessor : node->predecessors) {
      std::fprintf(file, "  \"%p\" -> \"%p\"\n", static_cast<const void*>(predecessor),
                   static_cast<void*>(node.get()));
    }
  }
  std::fputs("}\n", file);
}

/// What belongs to the graph goes with it: its conditions, and the graphs that they decide about.
void forget_parts(Runtime& state, const Graph& graph) {
  state.graphs.conditions.remove(graph);
  for (const auto& node : graph.nodes()) {
    const auto* conditional = std::get_if<ConditionalTask>(&node->task);
    if (!conditional) continue;
    for (const cudaGraph_t body : *conditional->handles) state.graphs.graphs.remove(body);
    for (const auto& body : conditional->bodies) forget_parts(state, *body);
  }
}

}  // namespace

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  GRIDSPAN_CALL(graph, flags) {
    if (!graph) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    if (flags != 0) return refuse(cudaErrorInvalidValue, "flags must be 0");
    *graph = state.graphs.graphs.add(std::make_shared<Graph>(state.graphs.nodes));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
  GRIDSPAN_CALL(handle) {
    std::shared_ptr<Graph> graph;
    GRIDSPAN_TRY(find_graph(state, handle, graph));
    state.graphs.graphs.remove(handle);
    forget_parts(state, *graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
  GRIDSPAN_CALL(clone, original) {
    if (!clone) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Graph> graph;
    GRIDSPAN_TRY(find_graph(state, original, graph));
    const bool has_conditions = std::ranges::any_of(graph->nodes(), [](const auto& node) {
      return std::holds_alternative<ConditionalTask>(node->task);
    });
    if (has_conditions) {
      return refuse(cudaErrorNotSupported, "a graph with conditional nodes can't be cloned");
    }
    *clone = state.graphs.graphs.add(graph->clone());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long flags) {
  GRIDSPAN_CALL(executable, graph, flags) {
    return instantiate_as(state, executable, graph, flags);
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  GRIDSPAN_CALL(executable, graph, flags) {
    return instantiate_as(state, executable, graph, flags);
  });
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  GRIDSPAN_CALL(executable, graph, record::address(parameters)) {
    if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
    const Status status = instantiate_as(state, executable, graph, parameters->flags);
    parameters->errNode_out = nullptr;
    parameters->result_out =
        status.failed() ? cudaGraphInstantiateError : cudaGraphInstantiateSuccess;
    return status;
  });
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
  GRIDSPAN_CALL(handle, flags) {
    if (!flags) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Executable> executable;
    GRIDSPAN_TRY(find_executable(state, handle, executable));
    *flags = executable->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                cudaGraphExecUpdateResultInfo* result) {
  GRIDSPAN_CALL(handle, graph_handle, record::address(result)) {
    if (!result) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    *result = {cudaGraphExecUpdateError, nullptr, nullptr};
    std::shared_ptr<Executable> executable;
    GRIDSPAN_TRY(find_executable(state, handle, executable));
    std::shared_ptr<Graph> graph;
    GRIDSPAN_TRY(find_graph(state, graph_handle, graph));
    return update(*executable, *graph, *result);
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  GRIDSPAN_CALL(handle) {
    std::shared_ptr<Executable> executable;
    GRIDSPAN_TRY(find_executable(state, handle, executable));
    state.graphs.executables.remove(handle);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  GRIDSPAN_CALL(handle, stream_handle) {
    std::shared_ptr<Executable> executable;
    GRIDSPAN_TRY(find_executable(state, handle, executable));
    std::shared_ptr<Stream> stream;
    return find_stream(state, stream_handle, stream);  // there is nothing to send ahead
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  GRIDSPAN_CALL(handle, stream_handle) {
    std::shared_ptr<Executable> executable;
    GRIDSPAN_TRY(find_executable(state, handle, executable));
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_stream_for_work(state, stream_handle, stream));
    if (state.graphs.captures.has(*stream)) return capture_steps(state, *stream, *executable);
    return launch(state, *stream, *executable);
  });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char* path, unsigned int flags) {
  GRIDSPAN_CALL(handle, path, flags) {
    std::shared_ptr<Graph> graph;
    GRIDSPAN_TRY(find_graph(state, handle, graph));
    if (!path) return refuse(cudaErrorInvalidValue, "the path is null");
    std::FILE* file = std::fopen(path, "w");
    if (!file) return refuse(cudaErrorOperatingSystem, "%s: %s", path, std::strerror(errno));
    draw(file, *graph);
    const bool is_written = std::ferror(file) == 0;
    if (std::fclose(file) == 0 && is_written) return cudaSuccess;
    return refuse(cudaErrorOperatingSystem, "%s: %s", path, std::strerror(errno));
  });
}
