// Graphs as a whole, the order of their nodes, and stream capture.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/call.h"

#include <algorithm>
#include <cstring>

using namespace gridspan::runtime;
using driver::call;
using driver::Needs;

namespace {

static_assert(sizeof(CUgraphExecUpdateResultInfo) == sizeof(cudaGraphExecUpdateResultInfo));
static_assert(sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS) == sizeof(cudaGraphInstantiateParams));
static_assert(sizeof(CUgraphEdgeData) == sizeof(cudaGraphEdgeData));

/// All edges wait for the whole of a node; what asks for less is refused.
CUresult check_edges(const char* caller, const CUgraphEdgeData* edges, std::size_t count) {
  constexpr CUgraphEdgeData whole = {};
  const bool are_whole =
      !edges || std::all_of(edges, edges + count, [&](const CUgraphEdgeData& edge) {
        return std::memcmp(&edge, &whole, sizeof whole) == 0;
      });
  if (are_whole) return CUDA_SUCCESS;
  return driver::refuse(caller, CUDA_ERROR_NOT_SUPPORTED, "edges between parts of kernels");
}

/// After a list of edges was given: their data.
CUresult give_edges(CUresult result, CUgraphEdgeData* edges, const std::size_t* count) {
  if (result == CUDA_SUCCESS && edges) std::fill_n(edges, *count, CUgraphEdgeData{});
  return result;
}

}  // namespace

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  return call(Needs::context, [&] {
    return cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode));
  });
}
CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                     const CUgraphNode* dependencies, const CUgraphEdgeData* edges,
                                     size_t count, CUstreamCaptureMode mode) {
  if (const CUresult result = check_edges(__func__, edges, count)) return result;
  return call(Needs::context, [&] {
    return cudaStreamBeginCaptureToGraph(stream, graph, dependencies, nullptr, count,
                                         static_cast<cudaStreamCaptureMode>(mode));
  });
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return call(Needs::context, [&] { return cudaStreamEndCapture(stream, graph); });
}
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return call(Needs::context, [&] {
    return cudaStreamIsCapturing(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status));
  });
}
CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                CUgraph* graph, const CUgraphNode** dependencies, size_t* count) {
  return call(Needs::context, [&] {
    unsigned long long number = 0;
    const cudaError_t error =
        cudaStreamGetCaptureInfo(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status),
                                 &number, graph, dependencies, count);
    if (error == cudaSuccess && id) *id = number;
    return error;
  });
}
CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** dependencies,
                                   const CUgraphEdgeData** edges, size_t* count) {
  if (edges) *edges = nullptr;  // as for edges without data
  return cuStreamGetCaptureInfo(stream, status, id, graph, dependencies, count);
}
CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies, size_t count,
                                           unsigned int flags) {
  return call(Needs::context, [&] {
    return cudaStreamUpdateCaptureDependencies(stream, dependencies, count, flags);
  });
}
CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* dependencies,
                                              const CUgraphEdgeData* edges, size_t count,
                                              unsigned int flags) {
  if (const CUresult result = check_edges(__func__, edges, count)) return result;
  return cuStreamUpdateCaptureDependencies(stream, dependencies, count, flags);
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return call(Needs::initialisation, [&] {
    return cudaThreadExchangeStreamCaptureMode(reinterpret_cast<cudaStreamCaptureMode*>(mode));
  });
}

CUresult cuGraphCreate(CUgraph* graph, unsigned int flags) {
  return call(Needs::initialisation, [&] { return cudaGraphCreate(graph, flags); });
}
CUresult cuGraphDestroy(CUgraph graph) {
  return call(Needs::initialisation, [&] { return cudaGraphDestroy(graph); });
}
CUresult cuGraphClone(CUgraph* clone, CUgraph original) {
  return call(Needs::initialisation, [&] { return cudaGraphClone(clone, original); });
}
CUresult cuGraphInstantiate(CUgraphExec* executable, CUgraph graph, unsigned long long flags) {
  return call(Needs::initialisation,
              [&] { return cudaGraphInstantiate(executable, graph, flags); });
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph,
                                     unsigned long long flags) {
  return cuGraphInstantiate(executable, graph, flags);
}
CUresult cuGraphInstantiateWithParams(CUgraphExec* executable, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  return call(Needs::initialisation, [&] {
    return cudaGraphInstantiateWithParams(
        executable, graph, reinterpret_cast<cudaGraphInstantiateParams*>(parameters));
  });
}
CUresult cuGraphExecGetFlags(CUgraphExec executable, cuuint64_t* flags) {
  if (!flags) return CUDA_ERROR_INVALID_VALUE;
  return call(Needs::initialisation, [&] {
    unsigned long long given = 0;
    const cudaError_t error = cudaGraphExecGetFlags(executable, &given);
    *flags = given;
    return error;
  });
}
CUresult cuGraphExecUpdate(CUgraphExec executable, CUgraph graph,
                           CUgraphExecUpdateResultInfo* result) {
  return call(Needs::initialisation, [&] {
    return cudaGraphExecUpdate(executable, graph,
                               reinterpret_cast<cudaGraphExecUpdateResultInfo*>(result));
  });
}
CUresult cuGraphExecDestroy(CUgraphExec executable) {
  return call(Needs::initialisation, [&] { return cudaGraphExecDestroy(executable); });
}
CUresult cuGraphUpload(CUgraphExec executable, CUstream stream) {
  return call(Needs::context, [&] { return cudaGraphUpload(executable, stream); });
}
CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  return call(Needs::context, [&] { return cudaGraphLaunch(executable, stream); });
}
CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned int flags) {
  return call(Needs::initialisation, [&] { return cudaGraphDebugDotPrint(graph, path, flags); });
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                size_t count) {
  return call(Needs::initialisation,
              [&] { return cudaGraphAddDependencies(graph, from, to, count); });
}
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* edges, size_t count) {
  if (const CUresult result = check_edges(__func__, edges, count)) return result;
  return cuGraphAddDependencies(graph, from, to, count);
}
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   size_t count) {
  return call(Needs::initialisation,
              [&] { return cudaGraphRemoveDependencies(graph, from, to, count); });
}
CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                      const CUgraphEdgeData* edges, size_t count) {
  if (const CUresult result = check_edges(__func__, edges, count)) return result;
  return cuGraphRemoveDependencies(graph, from, to, count);
}
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return call(Needs::initialisation, [&] { return cudaGraphGetNodes(graph, nodes, count); });
}
CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return call(Needs::initialisation, [&] { return cudaGraphGetRootNodes(graph, nodes, count); });
}
CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
  return call(Needs::initialisation, [&] { return cudaGraphGetEdges(graph, from, to, count); });
}
CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to,
                            CUgraphEdgeData* edges, size_t* count) {
  return give_edges(cuGraphGetEdges(graph, from, to, count), from ? edges : nullptr, count);
}
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
  return call(Needs::initialisation,
              [&] { return cudaGraphNodeGetDependencies(node, nodes, count); });
}
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* edges,
                                       size_t* count) {
  return give_edges(cuGraphNodeGetDependencies(node, nodes, count), nodes ? edges : nullptr, count);
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
  return call(Needs::initialisation,
              [&] { return cudaGraphNodeGetDependentNodes(node, nodes, count); });
}
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* nodes,
                                         CUgraphEdgeData* edges, size_t* count) {
  return give_edges(cuGraphNodeGetDependentNodes(node, nodes, count), nodes ? edges : nullptr,
                    count);
}

CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return call(Needs::initialisation, [&] { return cudaDeviceGraphMemTrim(device); });
}
CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void* value) {
  return call(Needs::initialisation, [&] {
    return cudaDeviceGetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute),
                                          value);
  });
}
CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void* value) {
  return call(Needs::initialisation, [&] {
    return cudaDeviceSetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute),
                                          value);
  });
}

CUresult cuUserObjectCreate(CUuserObject* object, void* data, CUhostFn destroy,
                            unsigned int references, unsigned int flags) {
  return call(Needs::initialisation,
              [&] { return cudaUserObjectCreate(object, data, destroy, references, flags); });
}
CUresult cuUserObjectRetain(CUuserObject object, unsigned int count) {
  return call(Needs::initialisation, [&] { return cudaUserObjectRetain(object, count); });
}
CUresult cuUserObjectRelease(CUuserObject object, unsigned int count) {
  return call(Needs::initialisation, [&] { return cudaUserObjectRelease(object, count); });
}
CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count,
                                 unsigned int flags) {
  return call(Needs::initialisation,
              [&] { return cudaGraphRetainUserObject(graph, object, count, flags); });
}
CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count) {
  return call(Needs::initialisation,
              [&] { return cudaGraphReleaseUserObject(graph, object, count); });
}
