// Beginning and ending stream captures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/graph/handles.h"
#include "runtime/api/submit.h"

using namespace gridspan::runtime;
using namespace gridspan::runtime::graph;

namespace {

Status get_info(Runtime& state, cudaStream_t handle, CaptureInfo& info) {
  std::shared_ptr<Stream> stream;
  GRIDSPAN_TRY(find_stream_for_work(state, handle, stream));
  info = state.graphs.captures.info(*stream);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  GRIDSPAN_CALL(handle, mode) {
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_any_stream(state, handle, stream));
    return state.graphs.captures.begin(*stream, state.streams.is_legacy(*stream), mode);
  });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graph_handle,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData* edges, size_t count,
                                          cudaStreamCaptureMode mode) {
  GRIDSPAN_CALL(handle, graph_handle, record::address(dependencies), record::address(edges), count,
                mode) {
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_any_stream(state, handle, stream));
    std::shared_ptr<Graph> graph;
    GRIDSPAN_TRY(find_graph(state, graph_handle, graph));
    Nodes latest;
    GRIDSPAN_TRY(find_nodes(state, *graph, dependencies, count, latest));
    return state.graphs.captures.begin(*stream, state.streams.is_legacy(*stream), mode,
                                       std::move(graph), std::move(latest));
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* dependencies,
                                                size_t count, unsigned int flags) {
  GRIDSPAN_CALL(handle, record::address(dependencies), count, flags) {
    if (flags > cudaStreamSetCaptureDependencies) {
      return refuse(cudaErrorInvalidValue, "flags %#x", flags);
    }
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_any_stream(state, handle, stream));
    const CaptureInfo info = state.graphs.captures.info(*stream);
    Nodes nodes;
    if (info.graph) GRIDSPAN_TRY(find_nodes(state, *info.graph, dependencies, count, nodes));
    return state.graphs.captures.set_latest(*stream, nodes,
                                            flags == cudaStreamSetCaptureDependencies);
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  GRIDSPAN_CALL(handle, graph) {
    if (graph) *graph = nullptr;
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_any_stream(state, handle, stream));
    std::shared_ptr<Graph> captured;
    GRIDSPAN_TRY(state.graphs.captures.end(*stream, captured));
    if (!graph && !state.graphs.graphs.find(captured.get())) {
      return refuse(cudaErrorInvalidValue, "the result pointer is null");
    }
    const cudaGraph_t made = state.graphs.graphs.add(std::move(captured));
    if (graph) *graph = made;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  GRIDSPAN_CALL(handle, status) {
    if (!status) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    CaptureInfo info;
    GRIDSPAN_TRY(get_info(state, handle, info));
    *status = info.status;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies, size_t* count) {
  GRIDSPAN_CALL(handle, status, id, graph, record::address(dependencies), count) {
    if (!status) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    CaptureInfo info;
    GRIDSPAN_TRY(get_info(state, handle, info));
    *status = info.status;
    if (info.status != cudaStreamCaptureStatusActive) return cudaSuccess;
    if (id) *id = info.id;
    if (graph) *graph = info.graph;
    if (dependencies) *dependencies = info.latest->data();
    if (count) *count = info.latest->size();
    return cudaSuccess;
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  GRIDSPAN_CALL(mode) {
    if (!mode || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed) {
      return refuse(cudaErrorInvalidValue, "no capture mode is given");
    }
    // Calls that a mode forbids for fear of side effects have none here: all modes are alike.
    static constinit thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
    std::swap(*mode, current);
    return cudaSuccess;
  });
}
