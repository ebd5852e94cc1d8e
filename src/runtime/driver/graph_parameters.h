// Parameters of nodes, from the driver's types to those of the run-time API and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/driver/call.h"
#include "runtime/driver/copy_forms.h"

namespace gridspan::runtime::driver {

/// A launch; null stays null. The program's parameters must outlive it.
class KernelParameters {
 public:
  explicit KernelParameters(const CUDA_KERNEL_NODE_PARAMS* parameters);
  const cudaKernelNodeParams* get() const { return is_given_ ? &parameters_ : nullptr; }

 private:
  bool is_given_;
  cudaKernelNodeParams parameters_{};
};

/// Of a node of any type; what the run time fills in goes back to the program.
class NodeParameters {
 public:
  explicit NodeParameters(CUgraphNodeParams* parameters) : given_(parameters) {}

  /// `body(cudaGraphNodeParams*)`, a cudaError_t.
  template <class Body>
  cudaError_t use(Body body) {
    if (!given_) return body(nullptr);
    if (const cudaError_t error = convert()) return error;
    const cudaError_t error = body(&converted_);
    if (error == cudaSuccess) give_back();
    return error;
  }

 private:
  cudaError_t convert();
  void give_back() const;

  CUgraphNodeParams* given_;
  cudaGraphNodeParams converted_{};
};

// Structs that are the same under two names.
static_assert(sizeof(CUDA_MEMSET_NODE_PARAMS) == sizeof(cudaMemsetParams));
static_assert(sizeof(CUDA_HOST_NODE_PARAMS) == sizeof(cudaHostNodeParams));
static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) == sizeof(cudaMemAllocNodeParams));

inline const cudaMemsetParams* to_runtime(const CUDA_MEMSET_NODE_PARAMS* parameters) {
  return reinterpret_cast<const cudaMemsetParams*>(parameters);
}
inline const cudaHostNodeParams* to_runtime(const CUDA_HOST_NODE_PARAMS* parameters) {
  return reinterpret_cast<const cudaHostNodeParams*>(parameters);
}
inline cudaMemAllocNodeParams* to_runtime(CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return reinterpret_cast<cudaMemAllocNodeParams*>(parameters);
}

/// A kernel that the host code names by its stub becomes one with a handle.
cudaError_t to_driver(const cudaKernelNodeParams& from, CUDA_KERNEL_NODE_PARAMS& to);

/// `body(const cudaMemcpy3DParms*)`, a cudaError_t.
template <class Body>
CUresult with_copy(const CUDA_MEMCPY3D* copy, Body body) {
  if (!copy) return CUDA_ERROR_INVALID_VALUE;
  return call(Needs::initialisation, [&] {
    cudaMemcpy3DParms parameters = {};
    if (const cudaError_t error = to_parameters(*copy, parameters)) return error;
    return body(&parameters);
  });
}

}  // namespace gridspan::runtime::driver
