// Kernels of loaded modules: attributes and launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/modules.h"

#include <cstring>
#include <vector>

using namespace gridspan;
using namespace gridspan::runtime;
using driver::call;
using driver::Needs;

namespace {

/// Pointers to the arguments that lie one after the other in `bytes`.
CUresult unpack(const char* caller, const abi::Kernel& kernel, void* bytes, std::size_t size,
                std::vector<void*>& arguments) {
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    const abi::Parameter& parameter = kernel.parameters[i];
    if (std::size_t{parameter.offset} + parameter.size > size) {
      return driver::refuse(caller, CUDA_ERROR_INVALID_VALUE,
                            "kernel %s: %zu bytes of arguments, argument %u ends at %u",
                            kernel.name, size, i, parameter.offset + parameter.size);
    }
    arguments.push_back(static_cast<char*>(bytes) + parameter.offset);
  }
  return CUDA_SUCCESS;
}

/// Arguments as one buffer: CU_LAUNCH_PARAM_BUFFER_POINTER and _SIZE.
CUresult unpack_extra(const char* caller, const abi::Kernel& kernel, void** extra,
                      std::vector<void*>& arguments) {
  void* bytes = nullptr;
  std::size_t size = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      bytes = extra[1];
    } else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) {
      size = *static_cast<std::size_t*>(extra[1]);
    } else {
      return driver::refuse(caller, CUDA_ERROR_INVALID_VALUE, "extra: option %p is unknown",
                            extra[0]);
    }
  }
  if (!bytes && kernel.parameter_count > 0) return CUDA_ERROR_INVALID_VALUE;
  return unpack(caller, kernel, bytes, size, arguments);
}

CUresult check_function(CUfunction function) {
  if (const CUresult result = driver::check(Needs::context)) return result;
  return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/// The launch of the functions before cuLaunchKernel.
CUresult launch_prepared(const char* caller, CUfunction function, int width, int height) {
  if (const CUresult result = check_function(function)) return result;
  if (width < 1 || height < 1) return CUDA_ERROR_INVALID_VALUE;
  std::vector<void*> arguments;
  if (const CUresult result = unpack(caller, *function->kernel, function->parameters.data(),
                                     function->parameters.size(), arguments)) {
    return result;
  }
  const auto& block = function->block;
  return cuLaunchKernel(function, static_cast<unsigned>(width), static_cast<unsigned>(height), 1,
                        block[0], block[1], block[2], function->shared_bytes, nullptr,
                        arguments.data(), nullptr);
}

}  // namespace

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void** parameters, void** extra) {
  if (const CUresult result = check_function(function)) return result;
  if (parameters && extra) {
    return driver::refuse(__func__, CUDA_ERROR_INVALID_VALUE, "arguments are given in two ways");
  }
  std::vector<void*> arguments;
  if (extra) {
    if (const CUresult result = unpack_extra(__func__, *function->kernel, extra, arguments)) {
      return result;
    }
    parameters = arguments.data();
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

CUresult cuLaunch(CUfunction function) { return launch_prepared(__func__, function, 1, 1); }

CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return launch_prepared(__func__, function, width, height);
}
