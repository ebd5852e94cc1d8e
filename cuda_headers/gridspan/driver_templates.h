// Calls of the driver API as they are from CUDA 13 on, beside those of CUDA 12.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

static inline CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams* parameters,
                                   unsigned int flags, CUdevice device) {
  return cuCtxCreate_v4(context, parameters, flags, device);
}

static inline CUresult cuMemAdvise(CUdeviceptr pointer, size_t count, CUmem_advise advice,
                                   CUmemLocation location) {
  return cuMemAdvise_v2(pointer, count, advice, location);
}
static inline CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t count, CUmemLocation location,
                                          unsigned int flags, CUstream stream) {
  return cuMemPrefetchAsync_v2(pointer, count, location, flags, stream);
}

// With data of edges.
static inline CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status,
                                              cuuint64_t* id, CUgraph* graph,
                                              const CUgraphNode** dependencies,
                                              const CUgraphEdgeData** edges, size_t* count) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count);
}
static inline CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies,
                                                         const CUgraphEdgeData* edges, size_t count,
                                                         unsigned int flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, edges, count, flags);
}
static inline CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph,
                                      const CUgraphNode* dependencies, const CUgraphEdgeData* edges,
                                      size_t count, CUgraphNodeParams* parameters) {
  return cuGraphAddNode_v2(node, graph, dependencies, edges, count, parameters);
}
static inline CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from,
                                              const CUgraphNode* to, const CUgraphEdgeData* edges,
                                              size_t count) {
  return cuGraphAddDependencies_v2(graph, from, to, edges, count);
}
static inline CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from,
                                                 const CUgraphNode* to,
                                                 const CUgraphEdgeData* edges, size_t count) {
  return cuGraphRemoveDependencies_v2(graph, from, to, edges, count);
}
static inline CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to,
                                       CUgraphEdgeData* edges, size_t* count) {
  return cuGraphGetEdges_v2(graph, from, to, edges, count);
}
static inline CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* nodes,
                                                  CUgraphEdgeData* edges, size_t* count) {
  return cuGraphNodeGetDependencies_v2(node, nodes, edges, count);
}
static inline CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* nodes,
                                                    CUgraphEdgeData* edges, size_t* count) {
  return cuGraphNodeGetDependentNodes_v2(node, nodes, edges, count);
}
