// Nodes of graphs: added, and what they do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/graph_parameters.h"

#include <cstddef>

using namespace gridspan::runtime;
using driver::call;
using driver::KernelParameters;
using driver::Needs;
using driver::NodeParameters;
using driver::pointer;

CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return call(Needs::initialisation, [&] {
    const KernelParameters converted(parameters);
    return cudaGraphAddKernelNode(node, graph, dependencies, count, converted.get());
  });
}
CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_MEMCPY3D* copy, CUcontext) {
  return driver::with_copy(copy, [&](const cudaMemcpy3DParms* parameters) {
    return cudaGraphAddMemcpyNode(node, graph, dependencies, count, parameters);
  });
}
CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext) {
  return call(Needs::initialisation, [&] {
    return cudaGraphAddMemsetNode(node, graph, dependencies, count, driver::to_runtime(parameters));
  });
}
CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                            size_t count, const CUDA_HOST_NODE_PARAMS* parameters) {
  return call(Needs::initialisation, [&] {
    return cudaGraphAddHostNode(node, graph, dependencies, count, driver::to_runtime(parameters));
  });
}
CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                  size_t count, CUgraph child) {
  return call(Needs::initialisation,
              [&] { return cudaGraphAddChildGraphNode(node, graph, dependencies, count, child); });
}
CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                             size_t count) {
  return call(Needs::initialisation,
              [&] { return cudaGraphAddEmptyNode(node, graph, dependencies, count); });
}
CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph,
                                   const CUgraphNode* dependencies, size_t count, CUevent event) {
  return call(Needs::initialisation,
              [&] { return cudaGraphAddEventRecordNode(node, graph, dependencies, count, event); });
}
CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                 size_t count, CUevent event) {
  return call(Needs::initialisation,
              [&] { return cudaGraphAddEventWaitNode(node, graph, dependencies, count, event); });
}
CUresult cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                size_t count, CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return call(Needs::initialisation, [&] {
    return cudaGraphAddMemAllocNode(node, graph, dependencies, count,
                                    driver::to_runtime(parameters));
  });
}
CUresult cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                               size_t count, CUdeviceptr address) {
  return call(Needs::initialisation, [&] {
    return cudaGraphAddMemFreeNode(node, graph, dependencies, count, pointer(address));
  });
}
CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                        size_t count, CUgraphNodeParams* parameters) {
  return call(Needs::initialisation, [&] {
    NodeParameters converted(parameters);
    return converted.use([&](cudaGraphNodeParams* given) {
      return cudaGraphAddNode(node, graph, dependencies, count, given);
    });
  });
}
CUresult cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                           const CUgraphEdgeData* edges, size_t count,
                           CUgraphNodeParams* parameters) {
  for (std::size_t i = 0; edges && i < count; ++i) {
    if (edges[i].from_port || edges[i].to_port || edges[i].type) {
      return driver::refuse(__func__, CUDA_ERROR_NOT_SUPPORTED, "edges between parts of kernels");
    }
  }
  return cuGraphAddNode(node, graph, dependencies, count, parameters);
}
CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* parameters) {
  return call(Needs::initialisation, [&] {
    NodeParameters converted(parameters);
    return converted.use(
        [&](cudaGraphNodeParams* given) { return cudaGraphNodeSetParams(node, given); });
  });
}
CUresult cuGraphExecNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                  CUgraphNodeParams* parameters) {
  return call(Needs::initialisation, [&] {
    NodeParameters converted(parameters);
    return converted.use([&](cudaGraphNodeParams* given) {
      return cudaGraphExecNodeSetParams(executable, node, given);
    });
  });
}
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph, CUcontext,
                                        unsigned int default_value, unsigned int flags) {
  if (!handle) return CUDA_ERROR_INVALID_VALUE;
  return call(Needs::initialisation, [&] {
    cudaGraphConditionalHandle made = 0;
    const cudaError_t error = cudaGraphConditionalHandleCreate(&made, graph, default_value, flags);
    if (error == cudaSuccess) *handle = made;
    return error;
  });
}

CUresult cuGraphDestroyNode(CUgraphNode node) {
  return call(Needs::initialisation, [&] { return cudaGraphDestroyNode(node); });
}
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  return call(Needs::initialisation, [&] {
    return cudaGraphNodeGetType(node, reinterpret_cast<cudaGraphNodeType*>(type));
  });
}
CUresult cuGraphNodeFindInClone(CUgraphNode* node, CUgraphNode original, CUgraph clone) {
  return call(Needs::initialisation,
              [&] { return cudaGraphNodeFindInClone(node, original, clone); });
}
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
  return call(Needs::initialisation, [&] { return cudaGraphChildGraphNodeGetGraph(node, graph); });
}
CUresult cuGraphNodeSetEnabled(CUgraphExec executable, CUgraphNode node, unsigned int is_enabled) {
  return call(Needs::initialisation,
              [&] { return cudaGraphNodeSetEnabled(executable, node, is_enabled); });
}
CUresult cuGraphNodeGetEnabled(CUgraphExec executable, CUgraphNode node, unsigned int* is_enabled) {
  return call(Needs::initialisation,
              [&] { return cudaGraphNodeGetEnabled(executable, node, is_enabled); });
}
