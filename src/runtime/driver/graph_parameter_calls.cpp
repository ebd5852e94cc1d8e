// What nodes of graphs do: read and changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/copy_forms.h"
#include "runtime/driver/graph_parameters.h"

using namespace gridspan::runtime;
using driver::call;
using driver::KernelParameters;
using driver::Needs;

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* parameters) {
  if (!parameters) return CUDA_ERROR_INVALID_VALUE;
  return call(Needs::initialisation, [&] {
    cudaKernelNodeParams known = {};
    if (const cudaError_t error = cudaGraphKernelNodeGetParams(node, &known)) return error;
    return driver::to_driver(known, *parameters);
  });
}
CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return call(Needs::initialisation, [&] {
    const KernelParameters converted(parameters);
    return cudaGraphKernelNodeSetParams(node, converted.get());
  });
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return call(Needs::initialisation, [&] {
    const KernelParameters converted(parameters);
    return cudaGraphExecKernelNodeSetParams(executable, node, converted.get());
  });
}
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       CUkernelNodeAttrValue* value) {
  return call(Needs::initialisation, [&] {
    return cudaGraphKernelNodeGetAttribute(node, static_cast<cudaLaunchAttributeID>(attribute),
                                           reinterpret_cast<cudaLaunchAttributeValue*>(value));
  });
}
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       const CUkernelNodeAttrValue* value) {
  return call(Needs::initialisation, [&] {
    return cudaGraphKernelNodeSetAttribute(
        node, static_cast<cudaLaunchAttributeID>(attribute),
        reinterpret_cast<const cudaLaunchAttributeValue*>(value));
  });
}
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode destination, CUgraphNode source) {
  return call(Needs::initialisation,
              [&] { return cudaGraphKernelNodeCopyAttributes(destination, source); });
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* copy) {
  if (!copy) return CUDA_ERROR_INVALID_VALUE;
  return call(Needs::initialisation, [&] {
    cudaMemcpy3DParms known = {};
    const cudaError_t error = cudaGraphMemcpyNodeGetParams(node, &known);
    if (error == cudaSuccess) *copy = driver::to_request(known);
    return error;
  });
}
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* copy) {
  return driver::with_copy(copy, [&](const cudaMemcpy3DParms* parameters) {
    return cudaGraphMemcpyNodeSetParams(node, parameters);
  });
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_MEMCPY3D* copy, CUcontext) {
  return driver::with_copy(copy, [&](const cudaMemcpy3DParms* parameters) {
    return cudaGraphExecMemcpyNodeSetParams(executable, node, parameters);
  });
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* parameters) {
  return call(Needs::initialisation, [&] {
    return cudaGraphMemsetNodeGetParams(node, reinterpret_cast<cudaMemsetParams*>(parameters));
  });
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters) {
  return call(Needs::initialisation,
              [&] { return cudaGraphMemsetNodeSetParams(node, driver::to_runtime(parameters)); });
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext) {
  return call(Needs::initialisation, [&] {
    return cudaGraphExecMemsetNodeSetParams(executable, node, driver::to_runtime(parameters));
  });
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* parameters) {
  return call(Needs::initialisation, [&] {
    return cudaGraphHostNodeGetParams(node, reinterpret_cast<cudaHostNodeParams*>(parameters));
  });
}
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters) {
  return call(Needs::initialisation,
              [&] { return cudaGraphHostNodeSetParams(node, driver::to_runtime(parameters)); });
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS* parameters) {
  return call(Needs::initialisation, [&] {
    return cudaGraphExecHostNodeSetParams(executable, node, driver::to_runtime(parameters));
  });
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                            CUgraph child) {
  return call(Needs::initialisation,
              [&] { return cudaGraphExecChildGraphNodeSetParams(executable, node, child); });
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
  return call(Needs::initialisation, [&] { return cudaGraphEventRecordNodeGetEvent(node, event); });
}
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return call(Needs::initialisation, [&] { return cudaGraphEventRecordNodeSetEvent(node, event); });
}
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec executable, CUgraphNode node,
                                            CUevent event) {
  return call(Needs::initialisation,
              [&] { return cudaGraphExecEventRecordNodeSetEvent(executable, node, event); });
}
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) {
  return call(Needs::initialisation, [&] { return cudaGraphEventWaitNodeGetEvent(node, event); });
}
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return call(Needs::initialisation, [&] { return cudaGraphEventWaitNodeSetEvent(node, event); });
}
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec executable, CUgraphNode node, CUevent event) {
  return call(Needs::initialisation,
              [&] { return cudaGraphExecEventWaitNodeSetEvent(executable, node, event); });
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return call(Needs::initialisation, [&] {
    return cudaGraphMemAllocNodeGetParams(node,
                                          reinterpret_cast<cudaMemAllocNodeParams*>(parameters));
  });
}
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* address) {
  return call(Needs::initialisation, [&] { return cudaGraphMemFreeNodeGetParams(node, address); });
}
