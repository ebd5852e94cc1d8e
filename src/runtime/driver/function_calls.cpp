// Kernels of loaded modules: attributes and launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/modules.h"

#include "runtime/api/argument_buffer.h"

#include <cstring>
#include <vector>

using namespace gridspan::runtime;
using driver::call;
using driver::Needs;

namespace {

CUresult check_function(CUfunction function) {
  if (const CUresult result = driver::check(Needs::context)) return result;
  return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/// Arguments as pointers or as one buffer: `parameters` is what a launch takes.
CUresult choose(const char* caller, const CUfunc_st& function, void**& parameters, void** extra,
                std::vector<void*>& arguments) {
  const Status status = choose_arguments(*function.kernel, parameters, extra, arguments);
  if (!status.failed()) return CUDA_SUCCESS;
  return driver::refuse(caller, CUDA_ERROR_INVALID_VALUE, "%s", status.reason.c_str());
}

/// The launch of the functions before cuLaunchKernel.
CUresult launch_prepared(const char* caller, CUfunction function, int width, int height,
                         CUstream stream) {
  if (const CUresult result = check_function(function)) return result;
  if (width < 1 || height < 1) return CUDA_ERROR_INVALID_VALUE;
  std::vector<void*> arguments;
  if (const Status status = unpack(*function->kernel, function->parameters.data(),
                                   function->parameters.size(), arguments);
      status.failed()) {
    return driver::refuse(caller, CUDA_ERROR_INVALID_VALUE, "%s", status.reason.c_str());
  }
  const auto& block = function->block;
  return cuLaunchKernel(function, static_cast<unsigned>(width), static_cast<unsigned>(height), 1,
                        block[0], block[1], block[2], function->shared_bytes, stream,
                        arguments.data(), nullptr);
}

}  // namespace

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void** parameters, void** extra) {
  if (const CUresult result = check_function(function)) return result;
  std::vector<void*> arguments;
  if (const CUresult result = choose(__func__, *function, parameters, extra, arguments)) {
    return result;
  }
  return call(Needs::context, [&] {
    return cudaLaunchKernel(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z},
                            parameters, shared_bytes, stream);
  });
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                   void** parameters) {
  if (const CUresult result = check_function(function)) return result;
  return call(Needs::context, [&] {
    return cudaLaunchCooperativeKernel(function, {grid_x, grid_y, grid_z},
                                       {block_x, block_y, block_z}, parameters, shared_bytes,
                                       stream);
  });
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters,
                          void** extra) {
  if (!config || (config->numAttrs > 0 && !config->attrs)) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = check_function(function)) return result;
  std::vector<void*> arguments;
  if (const CUresult result = choose(__func__, *function, parameters, extra, arguments)) {
    return result;
  }
  // Attributes are the same in both APIs, number by number.
  static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));
  const cudaLaunchConfig_t same = {{config->gridDimX, config->gridDimY, config->gridDimZ},
                                   {config->blockDimX, config->blockDimY, config->blockDimZ},
                                   config->sharedMemBytes,
                                   config->hStream,
                                   reinterpret_cast<cudaLaunchAttribute*>(config->attrs),
                                   config->numAttrs};
  return call(Needs::context, [&] { return cudaLaunchKernelExC(&same, function, parameters); });
}

CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS* launches, unsigned int count,
                                              unsigned int flags) {
  if (!launches || count == 0) return CUDA_ERROR_INVALID_VALUE;
  std::vector<cudaLaunchParams> same;
  for (unsigned i = 0; i < count; ++i) {
    const CUDA_LAUNCH_PARAMS& one = launches[i];
    if (const CUresult result = check_function(one.function)) return result;
    same.push_back({one.function,
                    {one.gridDimX, one.gridDimY, one.gridDimZ},
                    {one.blockDimX, one.blockDimY, one.blockDimZ},
                    one.kernelParams,
                    one.sharedMemBytes,
                    one.hStream});
  }
  return call(Needs::context,
              [&] { return cudaLaunchCooperativeKernelMultiDevice(same.data(), count, flags); });
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = check_function(function)) return result;
  cudaFuncAttributes known = {};
  if (const CUresult result =
          call(Needs::context, [&] { return cudaFuncGetAttributes(&known, function); })) {
    return result;
  }
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = known.maxThreadsPerBlock;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(known.sharedSizeBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = static_cast<int>(known.constSizeBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(known.localSizeBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = known.numRegs;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *value = known.ptxVersion;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = known.binaryVersion;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      *value = known.cacheModeCA;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = known.maxDynamicSharedSizeBytes;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = known.preferredShmemCarveout;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
      *value = known.clusterDimMustBeSet;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
      *value = known.requiredClusterWidth;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
      *value = known.requiredClusterHeight;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
      *value = known.requiredClusterDepth;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      *value = known.nonPortableClusterSizeAllowed;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      *value = known.clusterSchedulingPolicyPreference;
      return CUDA_SUCCESS;
    default:
      return driver::refuse(__func__, CUDA_ERROR_INVALID_VALUE, "attribute %d is unknown",
                            static_cast<int>(attribute));
  }
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  if (const CUresult result = check_function(function)) return result;
  return call(Needs::context, [&] {
    return cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(attribute), value);
  });
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  if (const CUresult result = check_function(function)) return result;
  return call(Needs::context,
              [&] { return cudaFuncSetCacheConfig(function, static_cast<cudaFuncCache>(config)); });
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
  if (const CUresult result = check_function(function)) return result;
  return call(Needs::context, [&] {
    return cudaFuncSetSharedMemConfig(function, static_cast<cudaSharedMemConfig>(config));
  });
}

CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
  if (!module) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = check_function(function)) return result;
  *module = function->module;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char** name, CUfunction function) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = check_function(function)) return result;
  *name = function->kernel->name;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* size) {
  if (const CUresult result = check_function(function)) return result;
  return call(Needs::context, [&] { return cudaFuncGetParamInfo(function, index, offset, size); });
}

// Code is in memory as soon as its module is.
CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  if (!state) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = check_function(function)) return result;
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return CUDA_SUCCESS;
}

CUresult cuFuncLoad(CUfunction function) { return check_function(function); }

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  if (const CUresult result = check_function(function)) return result;
  if (x < 1 || y < 1 || z < 1) return CUDA_ERROR_INVALID_VALUE;
  function->block[0] = static_cast<unsigned>(x);
  function->block[1] = static_cast<unsigned>(y);
  function->block[2] = static_cast<unsigned>(z);
  return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedSize(CUfunction function, unsigned int bytes) {
  if (const CUresult result = check_function(function)) return result;
  function->shared_bytes = bytes;
  return CUDA_SUCCESS;
}

CUresult cuParamSetSize(CUfunction function, unsigned int bytes) {
  if (const CUresult result = check_function(function)) return result;
  function->parameters.resize(bytes);
  return CUDA_SUCCESS;
}

CUresult cuParamSetv(CUfunction function, int offset, void* pointer, unsigned int bytes) {
  if (const CUresult result = check_function(function)) return result;
  if (offset < 0 || (bytes > 0 && !pointer)) return CUDA_ERROR_INVALID_VALUE;
  const std::size_t end = static_cast<std::size_t>(offset) + bytes;
  if (function->parameters.size() < end) function->parameters.resize(end);
  std::memcpy(function->parameters.data() + offset, pointer, bytes);
  return CUDA_SUCCESS;
}

CUresult cuParamSeti(CUfunction function, int offset, unsigned int value) {
  return cuParamSetv(function, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction function, int offset, float value) {
  return cuParamSetv(function, offset, &value, sizeof value);
}

CUresult cuLaunch(CUfunction function) {
  return launch_prepared(__func__, function, 1, 1, nullptr);
}

CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return launch_prepared(__func__, function, width, height, nullptr);
}

CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  return launch_prepared(__func__, function, width, height, stream);
}
