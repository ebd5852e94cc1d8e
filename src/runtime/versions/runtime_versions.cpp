// Functions of the run-time API as CUDA 11, 12 and 13 have them, where they differ from our
// headers' (CUDA 12.5). SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program compiled with NVIDIA's headers asks libcudart.so.MAJOR for them, and that is a thin
// library of ours whose names jump here (names/lists/libcudart_MAJOR.txt).
#include "runtime/api/call.h"

#include <algorithm>
#include <span>

using namespace gridspan::runtime;

#define GRIDSPAN_VERSION_OF extern "C" __attribute__((visibility("default")))

namespace {

/// Edges between parts of kernels are not supported: all zeros are plain edges.
bool are_plain(const cudaGraphEdgeData* edges, size_t count) {
  if (!edges) return true;
  const std::span bytes(reinterpret_cast<const unsigned char*>(edges), count * sizeof *edges);
  return std::all_of(bytes.begin(), bytes.end(), [](unsigned char byte) { return byte == 0; });
}

cudaError_t refuse_edges(const char* name) {
  return report(name, {cudaErrorNotSupported, "edges between parts of kernels"});
}

void clear(cudaGraphEdgeData* edges, const size_t* count) {
  if (edges && count) std::fill_n(edges, *count, cudaGraphEdgeData{});
}

}  // namespace

// With data of edges: from 12.3 under names with a number, from 13 under the names themselves.

GRIDSPAN_VERSION_OF cudaError_t gridspan_edges_cudaGraphAddNode(
    cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
    const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* parameters) {
  if (!are_plain(edges, count)) return refuse_edges("cudaGraphAddNode");
  return cudaGraphAddNode(node, graph, dependencies, count, parameters);
}

GRIDSPAN_VERSION_OF cudaError_t gridspan_edges_cudaGraphAddDependencies(
    cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
    const cudaGraphEdgeData* edges, size_t count) {
  if (!are_plain(edges, count)) return refuse_edges("cudaGraphAddDependencies");
  return cudaGraphAddDependencies(graph, from, to, count);
}

GRIDSPAN_VERSION_OF cudaError_t gridspan_edges_cudaGraphRemoveDependencies(
    cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
    const cudaGraphEdgeData* edges, size_t count) {
  if (!are_plain(edges, count)) return refuse_edges("cudaGraphRemoveDependencies");
  return cudaGraphRemoveDependencies(graph, from, to, count);
}

GRIDSPAN_VERSION_OF cudaError_t gridspan_edges_cudaGraphGetEdges(cudaGraph_t graph,
                                                                 cudaGraphNode_t* from,
                                                                 cudaGraphNode_t* to,
                                                                 cudaGraphEdgeData* edges,
                                                                 size_t* count) {
  const cudaError_t result = cudaGraphGetEdges(graph, from, to, count);
  if (result == cudaSuccess && from) clear(edges, count);
  return result;
}

GRIDSPAN_VERSION_OF cudaError_t gridspan_edges_cudaGraphNodeGetDependencies(
    cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges, size_t* count) {
  const cudaError_t result = cudaGraphNodeGetDependencies(node, nodes, count);
  if (result == cudaSuccess && nodes) clear(edges, count);
  return result;
}

GRIDSPAN_VERSION_OF cudaError_t gridspan_edges_cudaGraphNodeGetDependentNodes(
    cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges, size_t* count) {
  const cudaError_t result = cudaGraphNodeGetDependentNodes(node, nodes, count);
  if (result == cudaSuccess && nodes) clear(edges, count);
  return result;
}

GRIDSPAN_VERSION_OF cudaError_t gridspan_edges_cudaStreamGetCaptureInfo(
    cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
    cudaGraph_t* graph, const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,
    size_t* count) {
  if (edges) *edges = nullptr;  // all are plain
  return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, count);
}

GRIDSPAN_VERSION_OF cudaError_t gridspan_edges_cudaStreamUpdateCaptureDependencies(
    cudaStream_t stream, cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
    size_t count, unsigned flags) {
  if (!are_plain(edges, count)) return refuse_edges("cudaStreamUpdateCaptureDependencies");
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, count, flags);
}

// The first forms, up to 11 or under the names without a number in 12.

GRIDSPAN_VERSION_OF cudaError_t gridspan_first_cudaStreamGetCaptureInfo(
    cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id) {
  return cudaStreamGetCaptureInfo(stream, status, id, nullptr, nullptr, nullptr);
}

GRIDSPAN_VERSION_OF cudaError_t gridspan_first_cudaGraphInstantiate(cudaGraphExec_t* executable,
                                                                    cudaGraph_t graph,
                                                                    cudaGraphNode_t* error_node,
                                                                    char* log, size_t size) {
  if (error_node) *error_node = nullptr;
  if (log && size > 0) *log = 0;
  return cudaGraphInstantiate(executable, graph, 0);
}

GRIDSPAN_VERSION_OF cudaError_t
gridspan_first_cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                   cudaGraphNode_t* error_node, cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info = {};
  const cudaError_t status = cudaGraphExecUpdate(executable, graph, &info);
  if (error_node) *error_node = info.errorNode;
  if (result) *result = info.result;
  return status;
}
