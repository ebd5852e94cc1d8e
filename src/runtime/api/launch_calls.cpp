// Launching kernels and host functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/launch_limits.h"
#include "runtime/api/reference_table.h"
#include "runtime/api/submit.h"

#include <algorithm>
#include <memory>

using namespace gridspan;
using namespace gridspan::runtime;

namespace {

abi::Dim to_dim(dim3 value) { return {value.x, value.y, value.z}; }

/// Counts launches that cannot run as regions; the first of each kernel is told, with the reason.
void note_fallback(Function& function) {
  const abi::Kernel& kernel = *function.kernel;
  if ((kernel.flags & abi::kernel_needs_fibers) == 0) return;
  const std::uint64_t before = function.fallbacks.fetch_add(1, std::memory_order_relaxed);
  if (before == 0 && support::logs(support::LogLevel::info)) {
    support::log(support::LogLevel::info, "kernel %s runs on fibers (slow): %s", kernel.name,
                 kernel.fiber_reason ? kernel.fiber_reason : "no reason recorded");
  }
}

/// What cannot be verified must not look verified.
void prepare_verification(Runtime& state, const Function& function) {
  if (!state.verifier) return;
  auto prepared = state.verifier->prepare(*function.loaded->module);
  if (!prepared) give_up("GRIDSPAN_VERIFY: " + prepared.error().message);
}

Status launch_plain(Runtime& state, const void* stub, dim3 grid, dim3 block, void** arguments,
                    std::size_t shared_bytes, cudaStream_t handle) {
  std::shared_ptr<Function> function;
  GRIDSPAN_TRY(find_function(stub, function));
  const abi::Kernel& kernel = *function->kernel;
  GRIDSPAN_TRY(check_shape(state, *function, grid, block, shared_bytes));
  std::shared_ptr<Stream> stream;
  GRIDSPAN_TRY(find_stream(state, handle, stream));
  if (kernel.parameter_count > 0 && !arguments) {
    return refuse(cudaErrorInvalidValue, "kernel %s: no arguments given", kernel.name);
  }
  void* const* symbols = symbol_addresses(*function->loaded, state.memory);
  if (!symbols && function->loaded->module->symbol_count > 0) {
    return refuse(cudaErrorMemoryAllocation, "kernel %s: no room for its module's variables",
                  kernel.name);
  }
  if (support::logs(support::LogLevel::debug)) {
    support::log(support::LogLevel::debug, "launch %s grid (%u,%u,%u) block (%u,%u,%u) shared %zu",
                 kernel.name, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes);
  }
  GRIDSPAN_TRY(references().bring_up_to_date(state, *function->loaded, *stream));
  note_fallback(*function);
  prepare_verification(state, *function);
  const LaunchShape shape{to_dim(grid), to_dim(block), static_cast<std::uint32_t>(shared_bytes)};
  const SymbolTable table{symbols, function->loaded->module->symbol_count};
  submit<KernelCommand>(state, *stream, kernel, table, shape, arguments);
  return cudaSuccess;
}

Status launch_cooperative(Runtime& state, const void* stub, dim3 grid, dim3 block, void** arguments,
                          std::size_t shared_bytes, cudaStream_t handle) {
  std::shared_ptr<Function> function;
  GRIDSPAN_TRY(find_function(stub, function));
  GRIDSPAN_TRY(check_shape(state, *function, grid, block, shared_bytes));
  GRIDSPAN_TRY(check_cooperation(state, *function, grid, block, shared_bytes));
  return launch_plain(state, stub, grid, block, arguments, shared_bytes, handle);
}

/// Attributes are hints, except those that change what the kernel may do.
Status check_attribute(const cudaLaunchAttribute& attribute) {
  switch (attribute.id) {
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeProgrammaticStreamSerialization:  // allows an overlap, asks for none
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      return cudaSuccess;
    case cudaLaunchAttributeCooperative:  // see is_cooperative
      return cudaSuccess;
    case cudaLaunchAttributeClusterDimension: {
      const auto& cluster = attribute.val.clusterDim;
      if (cluster.x <= 1 && cluster.y <= 1 && cluster.z <= 1) return cudaSuccess;
      return refuse(cudaErrorNotSupported, "thread block clusters are not supported");
    }
    default:
      break;
  }
  return refuse(cudaErrorNotSupported, "launch attribute %d is not supported",
                static_cast<int>(attribute.id));
}

bool is_cooperative(const cudaLaunchConfig_t& config) {
  return std::any_of(config.attrs, config.attrs + config.numAttrs, [](const auto& attribute) {
    return attribute.id == cudaLaunchAttributeCooperative && attribute.val.cooperative != 0;
  });
}

Status launch_configured(Runtime& state, const cudaLaunchConfig_t* config, const void* stub,
                         void** arguments) {
  if (!config || (config->numAttrs > 0 && !config->attrs)) {
    return refuse(cudaErrorInvalidValue, "no launch configuration");
  }
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    GRIDSPAN_TRY(check_attribute(config->attrs[i]));
  }
  const auto call = is_cooperative(*config) ? launch_cooperative : launch_plain;
  return call(state, stub, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
              config->stream);
}

/// The configurations between <<<...>>> and the stub that takes them; nested when arguments launch.
/// A plain array: destructors of global objects may launch after thread_local ones were destroyed.
struct Configuration {
  dim3 grid, block;
  std::size_t shared_bytes;
  cudaStream_t stream;
};
struct ConfigurationStack {
  static constexpr unsigned most = 32;
  alignas(Configuration) std::byte entries[most * sizeof(Configuration)];
  unsigned depth;

  Configuration* at(unsigned i) { return reinterpret_cast<Configuration*>(entries) + i; }
};
constinit thread_local ConfigurationStack configurations{};

/// A host function of the program with its argument.
struct HostCall {
  cudaHostFn_t function;
  void* data;
};
void run_host_call(void* data, bool) {
  const std::unique_ptr<HostCall> host_call(static_cast<HostCall*>(data));
  host_call->function(host_call->data);
}

struct Callback {
  cudaStreamCallback_t function;
  cudaStream_t stream;
  void* data;
  Runtime* state;
};
void run_callback(void* data, bool) {
  const std::unique_ptr<Callback> callback(static_cast<Callback*>(data));
  callback->function(callback->stream, sticky_error(*callback->state), callback->data);
}

}  // namespace

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                         cudaStream_t stream) {
  if (configurations.depth == ConfigurationStack::most) return 1;  // the stub is not called then
  new (configurations.at(configurations.depth++)) Configuration{grid, block, shared_bytes, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes,
                                       void* stream) {
  if (configurations.depth == 0) {
    return report(__func__, {cudaErrorMissingConfiguration, "a kernel stub was called directly"});
  }
  const Configuration& top = *configurations.at(--configurations.depth);
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  GRIDSPAN_CALL(function, grid, block, record::address(arguments), shared_bytes, stream) {
    return launch_plain(state, function, grid, block, arguments, shared_bytes, stream);
  });
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared_bytes,
                                        cudaStream_t stream) {
  GRIDSPAN_CALL(function, grid, block, record::address(arguments), shared_bytes, stream) {
    return launch_cooperative(state, function, grid, block, arguments, shared_bytes, stream);
  });
}

cudaError_t cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams* launches,
                                                   unsigned int device_count, unsigned int flags) {
  GRIDSPAN_CALL(launches, device_count, flags) {
    if (!launches) return refuse(cudaErrorInvalidValue, "no launches are given");
    if (device_count != 1) {
      return refuse(cudaErrorInvalidDevice, "launches on %u devices, but there is one",
                    device_count);
    }
    return launch_cooperative(state, launches->func, launches->gridDim, launches->blockDim,
                              launches->args, launches->sharedMem, launches->stream);
  });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  GRIDSPAN_CALL(config, function, record::address(arguments)) {
    return launch_configured(state, config, function, arguments);
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* user_data) {
  GRIDSPAN_CALL(handle, function, user_data) {
    if (!function) return refuse(cudaErrorInvalidValue, "the host function is null");
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_stream(state, handle, stream));
    auto host_call = std::make_unique<HostCall>(function, user_data);
    submit<HostCommand>(state, *stream, HostCommand{run_host_call, host_call.release(), false});
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback,
                                  void* user_data, unsigned int flags) {
  GRIDSPAN_CALL(handle, callback, user_data, flags) {
    if (!callback) return refuse(cudaErrorInvalidValue, "the callback is null");
    if (flags != 0) return refuse(cudaErrorInvalidValue, "flags must be 0");
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_stream(state, handle, stream));
    auto record = std::make_unique<Callback>(callback, handle, user_data, &state);
    submit<HostCommand>(state, *stream, HostCommand{run_callback, record.release(), true});
    return cudaSuccess;
  });
}
