// Parameters of nodes, from the driver's types to those of the run-time API and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/graph_parameters.h"

namespace gridspan::runtime::driver {

namespace {

cudaKernelNodeParams to_kernel(const CUDA_KERNEL_NODE_PARAMS& from) {
  void* const function = from.func ? static_cast<void*>(from.func) : static_cast<void*>(from.kern);
  return {.func = function,
          .gridDim = {from.gridDimX, from.gridDimY, from.gridDimZ},
          .blockDim = {from.blockDimX, from.blockDimY, from.blockDimZ},
          .sharedMemBytes = from.sharedMemBytes,
          .kernelParams = from.kernelParams,
          .extra = from.extra};
}

}  // namespace

KernelParameters::KernelParameters(const CUDA_KERNEL_NODE_PARAMS* parameters)
    : is_given_(parameters != nullptr) {
  if (parameters) parameters_ = to_kernel(*parameters);
}

cudaError_t to_driver(const cudaKernelNodeParams& from, CUDA_KERNEL_NODE_PARAMS& to) {
  to = {};
  to.gridDimX = from.gridDim.x;
  to.gridDimY = from.gridDim.y;
  to.gridDimZ = from.gridDim.z;
  to.blockDimX = from.blockDim.x;
  to.blockDimY = from.blockDim.y;
  to.blockDimZ = from.blockDim.z;
  to.sharedMemBytes = from.sharedMemBytes;
  to.kernelParams = from.kernelParams;
  return cudaGetFuncBySymbol(&to.func, from.func);
}

cudaError_t NodeParameters::convert() {
  const CUgraphNodeParams& from = *given_;
  cudaGraphNodeParams& to = converted_;
  to.type = static_cast<cudaGraphNodeType>(from.type);
  switch (from.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      to.kernel = to_kernel(from.kernel);
      return cudaSuccess;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return to_parameters(from.memcpy.copyParams, to.memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET:
      to.memset = {pointer(from.memset.dst), from.memset.pitch, from.memset.value,
                   from.memset.elementSize,  from.memset.width, from.memset.height};
      return cudaSuccess;
    case CU_GRAPH_NODE_TYPE_HOST:
      to.host = *to_runtime(&from.host);
      return cudaSuccess;
    case CU_GRAPH_NODE_TYPE_GRAPH:
      to.graph.graph = from.graph.graph;
      return cudaSuccess;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      to.eventWait.event = from.eventWait.event;
      return cudaSuccess;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      to.eventRecord.event = from.eventRecord.event;
      return cudaSuccess;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      to.alloc = *to_runtime(&given_->alloc);
      return cudaSuccess;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      to.free.dptr = pointer(from.free.dptr);
      return cudaSuccess;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      to.conditional = {from.conditional.handle,
                        static_cast<cudaGraphConditionalNodeType>(from.conditional.type),
                        from.conditional.size, nullptr};
      return cudaSuccess;
    default:
      return cudaSuccess;  // empty; or the run time says that it does not know the type
  }
}

void NodeParameters::give_back() const {
  if (given_->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) {
    given_->alloc.dptr = reinterpret_cast<CUdeviceptr>(converted_.alloc.dptr);
  } else if (given_->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
    given_->conditional.phGraph_out = converted_.conditional.phGraph_out;
  }
}

}  // namespace gridspan::runtime::driver
