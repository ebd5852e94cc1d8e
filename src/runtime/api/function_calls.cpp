// Attributes of kernels, and how many blocks of one fit a worker.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/device_properties.h"
#include "runtime/api/launch_limits.h"

#include <algorithm>
#include <cstring>

using namespace gridspan::runtime;

namespace {

Status set_dynamic_shared(Runtime& state, Function& function, int value) {
  const std::size_t fixed = function.kernel->static_shared;
  if (value >= 0 && static_cast<std::size_t>(value) + fixed <= shared_limit_on_request(state)) {
    function.dynamic_shared_limit.store(static_cast<std::uint32_t>(value));
    return cudaSuccess;
  }
  return refuse(cudaErrorInvalidValue,
                "kernel %s: %d bytes of dynamic beside %zu of static shared memory, but %zu in all",
                function.kernel->name, value, fixed, shared_limit_on_request(state));
}

/// Settings that only say how a GPU should divide its caches.
Status accept_hint(const void* stub) {
  std::shared_ptr<Function> function;
  return find_function(stub, function);
}

Status refuse_clusters() {
  return refuse(cudaErrorNotSupported, "thread block clusters are not supported");
}

/// Blocks of this shape that one worker promises to keep running together.
Status resident_blocks(Runtime& state, const void* stub, int block_size, std::size_t shared_bytes,
                       int& blocks) {
  std::shared_ptr<Function> function;
  GRIDSPAN_TRY(find_function(stub, function));
  if (block_size < 1) return refuse(cudaErrorInvalidValue, "a block of %d threads", block_size);
  blocks = static_cast<int>(
      blocks_of_worker(state, *function, static_cast<std::uint32_t>(block_size), shared_bytes));
  return cudaSuccess;
}

/// Those of a GPU's code in place of the CPU's.
void set_needs(cudaFuncAttributes& attributes, const gridspan::devices::KernelNeeds& needs) {
  attributes.sharedSizeBytes = static_cast<std::size_t>(needs.static_shared);
  attributes.constSizeBytes = static_cast<std::size_t>(needs.constant_bytes);
  attributes.localSizeBytes = static_cast<std::size_t>(needs.local_bytes);
  attributes.numRegs = needs.registers;
  attributes.ptxVersion = needs.ptx_version;
  attributes.binaryVersion = needs.binary_version;
}

}  // namespace

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* stub) {
  GRIDSPAN_CALL(attributes, stub) {
    if (!attributes) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Function> function;
    GRIDSPAN_TRY(find_function(stub, function));
    const auto& kernel = *function->kernel;
    std::memset(attributes, 0, sizeof *attributes);
    attributes->sharedSizeBytes = kernel.static_shared;
    attributes->localSizeBytes = kernel.private_bytes;
    attributes->maxThreadsPerBlock = static_cast<int>(thread_limit(state, kernel));
    attributes->numRegs = registers_per_thread;
    attributes->ptxVersion = 89;  // as device_properties says: 8.9
    attributes->binaryVersion = 89;
    attributes->maxDynamicSharedSizeBytes =
        static_cast<int>(dynamic_shared_limit(state, *function));
    attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    if (const auto needs = state.devices.front()->code().needs(kernel))
      set_needs(*attributes, *needs);
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* stub, cudaFuncAttribute attribute, int value) {
  GRIDSPAN_CALL(stub, attribute, value) {
    std::shared_ptr<Function> function;
    GRIDSPAN_TRY(find_function(stub, function));
    switch (attribute) {
      case cudaFuncAttributeMaxDynamicSharedMemorySize:
        return set_dynamic_shared(state, *function, value);
      case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value >= cudaSharedmemCarveoutDefault && value <= 100) return cudaSuccess;
        return refuse(cudaErrorInvalidValue, "a carve-out of %d %%", value);
      default:
        return refuse(cudaErrorInvalidValue, "attribute %d cannot be set",
                      static_cast<int>(attribute));
    }
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* stub, cudaFuncCache config) {
  GRIDSPAN_CALL(stub, config) {
    if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) {
      return refuse(cudaErrorInvalidValue, "%d is not a cudaFuncCache", static_cast<int>(config));
    }
    return accept_hint(stub);
  });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* stub, cudaSharedMemConfig config) {
  GRIDSPAN_CALL(stub, config) {
    if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte) {
      return refuse(cudaErrorInvalidValue, "%d is not a cudaSharedMemConfig",
                    static_cast<int>(config));
    }
    return accept_hint(stub);
  });
}

cudaError_t cudaFuncGetName(const char** name, const void* stub) {
  GRIDSPAN_CALL(name, stub) {
    if (!name) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Function> function;
    GRIDSPAN_TRY(find_function(stub, function));
    *name = function->kernel->name;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetParamInfo(const void* stub, size_t index, size_t* offset, size_t* size) {
  GRIDSPAN_CALL(stub, index, offset, size) {
    if (!offset) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Function> function;
    GRIDSPAN_TRY(find_function(stub, function));
    const auto& kernel = *function->kernel;
    if (index >= kernel.parameter_count) {
      return refuse(cudaErrorInvalidValue, "kernel %s has %u parameters", kernel.name,
                    kernel.parameter_count);
    }
    *offset = kernel.parameters[index].offset;
    if (size) *size = kernel.parameters[index].size;
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* cluster_size, const void* stub,
                                                 const cudaLaunchConfig_t* config) {
  GRIDSPAN_CALL(cluster_size, stub, record::address(config)) { return refuse_clusters(); });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* cluster_count, const void* stub,
                                           const cudaLaunchConfig_t* config) {
  GRIDSPAN_CALL(cluster_count, stub, record::address(config)) { return refuse_clusters(); });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* stub,
                                                          int block_size, size_t shared_bytes) {
  GRIDSPAN_CALL(blocks, stub, block_size, shared_bytes) {
    if (!blocks) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    return resident_blocks(state, stub, block_size, shared_bytes, *blocks);
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* stub,
                                                                   int block_size,
                                                                   size_t shared_bytes,
                                                                   unsigned int flags) {
  GRIDSPAN_CALL(blocks, stub, block_size, shared_bytes, flags) {
    if (!blocks) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    if (flags > cudaOccupancyDisableCachingOverride) {
      return refuse(cudaErrorInvalidValue, "flags %#x", flags);
    }
    return resident_blocks(state, stub, block_size, shared_bytes, *blocks);
  });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared_bytes, const void* stub,
                                                      int block_count, int block_size) {
  GRIDSPAN_CALL(shared_bytes, stub, block_count, block_size) {
    if (!shared_bytes) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    int most = 0;
    GRIDSPAN_TRY(resident_blocks(state, stub, block_size, 0, most));
    if (block_count < 1 || block_count > most) {
      return refuse(cudaErrorInvalidValue, "%d blocks of %d threads, but %d fit a worker",
                    block_count, block_size, most);
    }
    std::shared_ptr<Function> function;
    GRIDSPAN_TRY(find_function(stub, function));
    *shared_bytes = shared_limit_on_request(state) / static_cast<std::size_t>(block_count) -
                    function->kernel->static_shared;
    return cudaSuccess;
  });
}
