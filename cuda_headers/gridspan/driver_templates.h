// Calls of the driver API as they are from CUDA 13 on, beside those of CUDA 12.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// `auto p = cuGraphAddNode;` means CUDA 12's: the address of a function with such a parameter
// cannot be taken, and clang leaves it out.
#ifdef __clang__
#define GRIDSPAN_NO_ADDRESS \
  , const void* const no_address __attribute__((unused, pass_object_size(0))) = 0
#else
#define GRIDSPAN_NO_ADDRESS
#endif

static inline CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams* parameters,
                                   unsigned int flags, CUdevice device GRIDSPAN_NO_ADDRESS) {
  return cuCtxCreate_v4(context, parameters, flags, device);
}

static inline CUresult cuMemAdvise(CUdeviceptr pointer, size_t count, CUmem_advise advice,
                                   CUmemLocation location GRIDSPAN_NO_ADDRESS) {
  return cuMemAdvise_v2(pointer, count, advice, location);
}
static inline CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t count, CUmemLocation location,
                                          unsigned int flags, CUstream stream GRIDSPAN_NO_ADDRESS) {
  return cuMemPrefetchAsync_v2(pointer, count, location, flags, stream);
}

// With data of edges.
static inline CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status,
                                              cuuint64_t* id, CUgraph* graph,
                                              const CUgraphNode** dependencies,
                                              const CUgraphEdgeData** edges,
                                              size_t* count GRIDSPAN_NO_ADDRESS) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count);
}
static inline CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies,
                                                         const CUgraphEdgeData* edges, size_t count,
                                                         unsigned int flags GRIDSPAN_NO_ADDRESS) {
  return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, edges, count, flags);
}
static inline CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph,
                                      const CUgraphNode* dependencies, const CUgraphEdgeData* edges,
                                      size_t count,
                                      CUgraphNodeParams* parameters GRIDSPAN_NO_ADDRESS) {
  return cuGraphAddNode_v2(node, graph, dependencies, edges, count, parameters);
}
static inline CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from,
                                              const CUgraphNode* to, const CUgraphEdgeData* edges,
                                              size_t count GRIDSPAN_NO_ADDRESS) {
  return cuGraphAddDependencies_v2(graph, from, to, edges, count);
}
static inline CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from,
                                                 const CUgraphNode* to,
                                                 const CUgraphEdgeData* edges,
                                                 size_t count GRIDSPAN_NO_ADDRESS) {
  return cuGraphRemoveDependencies_v2(graph, from, to, edges, count);
}
static inline CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to,
                                       CUgraphEdgeData* edges, size_t* count GRIDSPAN_NO_ADDRESS) {
  return cuGraphGetEdges_v2(graph, from, to, edges, count);
}
static inline CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* nodes,
                                                  CUgraphEdgeData* edges,
                                                  size_t* count GRIDSPAN_NO_ADDRESS) {
  return cuGraphNodeGetDependencies_v2(node, nodes, edges, count);
}
static inline CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* nodes,
                                                    CUgraphEdgeData* edges,
                                                    size_t* count GRIDSPAN_NO_ADDRESS) {
  return cuGraphNodeGetDependentNodes_v2(node, nodes, edges, count);
}

#undef GRIDSPAN_NO_ADDRESS
