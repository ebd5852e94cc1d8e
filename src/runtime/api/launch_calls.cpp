// Launching kernels and host functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/device_properties.h"
#include "runtime/api/launch.h"
#include "runtime/api/submit.h"

#include <algorithm>
#include <memory>
#include <new>
#include <span>

using namespace gridspan;
using namespace gridspan::runtime;

namespace {

Status launch(Runtime& state, const LaunchRequest& request, cudaStream_t handle,
              std::span<const cudaLaunchAttribute> attributes = {}) {
  CheckedLaunch checked;
  GRIDSPAN_TRY(check_launch(state, request, checked));
  std::shared_ptr<Stream> stream;
  GRIDSPAN_TRY(find_stream_for_work(state, handle, stream));
  if (stream->device != current_device()) {
    return refuse(cudaErrorInvalidResourceHandle,
                  "a launch on device %d into a stream of device %d", current_device(),
                  stream->device);
  }
  const abi::Kernel& kernel = checked.kernel();
  if (support::logs(support::LogLevel::debug)) {
    const auto& [grid, block, shared_bytes] = checked.shape;
    support::log(support::LogLevel::debug, "launch %s grid (%u,%u,%u) block (%u,%u,%u) shared %u",
                 kernel.name, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes);
  }
  if (state.graphs.captures.has(*stream)) {
    graph::Task task = graph::make_kernel(request, checked);
    for (const auto& one : attributes) {
      std::get<graph::KernelTask>(task).attributes[one.id] = one.val;
    }
    return state.graphs.captures.add(*stream, std::move(task));
  }
  GRIDSPAN_TRY(prepare_launch(state, *stream, *checked.function));
  const auto sequence = submit<KernelCommand>(state, *stream, kernel, checked.symbols,
                                              checked.shape, request.arguments);
  if (state.launches_block) return wait_for(state, sequence);
  // What is only begun mostly is by now.
  return state.queue.is_quick() ? refused_launches(state) : cudaSuccess;
}

/// Attributes are hints, except those that change what the kernel may do.
Status check_attribute(const cudaLaunchAttribute& attribute) {
  switch (attribute.id) {
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeProgrammaticStreamSerialization:  // allows an overlap, asks for none
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:  // writes are seen by all in the same order
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
    case cudaLaunchAttributeProgrammaticEvent:  // see record_events
    case cudaLaunchAttributeLaunchCompletionEvent:
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

/// Events that tell when blocks have begun, or have said that others may: at the kernel's end
/// that is true.
Status record_events(Runtime& state, std::span<const cudaLaunchAttribute> attributes,
                     cudaStream_t handle) {
  for (const cudaLaunchAttribute& attribute : attributes) {
    cudaEvent_t event = nullptr;
    if (attribute.id == cudaLaunchAttributeProgrammaticEvent) {
      event = attribute.val.programmaticEvent.event;
    } else if (attribute.id == cudaLaunchAttributeLaunchCompletionEvent) {
      event = attribute.val.launchCompletionEvent.event;
    } else {
      continue;
    }
    graph::Task task;
    GRIDSPAN_TRY(graph::make_record(state, event, task));
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_stream_for_work(state, handle, stream));
    GRIDSPAN_TRY(graph::do_or_capture(state, *stream, std::move(task)));
  }
  return cudaSuccess;
}

Status launch_configured(Runtime& state, const cudaLaunchConfig_t* config, const void* stub,
                         void** arguments) {
  if (!config || (config->numAttrs > 0 && !config->attrs)) {
    return refuse(cudaErrorInvalidValue, "no launch configuration");
  }
  const std::span<const cudaLaunchAttribute> attributes(config->attrs, config->numAttrs);
  for (const cudaLaunchAttribute& one : attributes) GRIDSPAN_TRY(check_attribute(one));
  const LaunchRequest request{stub,
                              config->gridDim,
                              config->blockDim,
                              arguments,
                              config->dynamicSmemBytes,
                              is_cooperative(*config) ? Cooperation::yes : Cooperation::no};
  GRIDSPAN_TRY(launch(state, request, config->stream, attributes));
  return record_events(state, attributes, config->stream);
}

/// The configurations between <<<...>>> and the stub that takes them; nested when arguments launch.
struct Configuration {
  dim3 grid, block;
  std::size_t shared_bytes;
  cudaStream_t stream;
};
/// Only a pointer is thread-local: a process that opens us may have little room for such variables.
/// Destructors of global objects may launch after those of thread_local ones have run, which gets
/// them another array.
struct ConfigurationStack {
  static constexpr unsigned most = 32;
  Configuration* entries = nullptr;
  unsigned depth = 0;
};
constinit thread_local ConfigurationStack configurations{};

struct FreeConfigurations {
  ~FreeConfigurations() {
    delete[] configurations.entries;
    configurations = {};
  }
};

/// Makes the calling thread's array.
bool add_configurations() {
  static thread_local const FreeConfigurations at_exit;
  configurations.entries = new (std::nothrow) Configuration[ConfigurationStack::most];
  return configurations.entries != nullptr;
}

struct Callback {
  cudaStreamCallback_t function;
  cudaStream_t stream;
  void* data;
  Runtime* state;
};
void run_callback(void* data, bool after_fault) {
  const std::unique_ptr<Callback> callback(static_cast<Callback*>(data));
  cudaError_t error = sticky_error(*callback->state);
  // Nobody else may have been told of the fault yet.
  if (after_fault && error == cudaSuccess) error = cudaErrorLaunchFailure;
  callback->function(callback->stream, error, callback->data);
}

}  // namespace

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                         cudaStream_t stream) {
  ConfigurationStack& stack = configurations;
  if (stack.depth == ConfigurationStack::most) return 1;  // the stub is not called then
  if (stack.entries == nullptr && !add_configurations()) return 1;
  stack.entries[stack.depth++] = {grid, block, shared_bytes, stream};
  return 0;
}

cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
  GRIDSPAN_CALL(grid, block, shared_bytes, stream) {
    if (__cudaPushCallConfiguration(grid, block, shared_bytes, stream) == 0) return cudaSuccess;
    return refuse(cudaErrorInvalidConfiguration, "too many launches have begun");
  });
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes,
                                       void* stream) {
  ConfigurationStack& stack = configurations;
  if (stack.depth == 0) {
    return report(__func__, {cudaErrorMissingConfiguration, "a kernel stub was called directly"});
  }
  const Configuration& top = stack.entries[--stack.depth];
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  GRIDSPAN_CALL(function, grid, block, record::address(arguments), shared_bytes, stream) {
    return launch(state, {function, grid, block, arguments, shared_bytes}, stream);
  });
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared_bytes,
                                        cudaStream_t stream) {
  GRIDSPAN_CALL(function, grid, block, record::address(arguments), shared_bytes, stream) {
    return launch(state, {function, grid, block, arguments, shared_bytes, Cooperation::yes},
                  stream);
  });
}

cudaError_t cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams* launches,
                                                   unsigned int launch_count, unsigned int flags) {
  GRIDSPAN_CALL(launches, launch_count, flags) {
    if (!launches) return refuse(cudaErrorInvalidValue, "no launches are given");
    if (launch_count > static_cast<unsigned>(device_count(state))) {
      return refuse(cudaErrorInvalidDevice, "launches on %u devices, but there are %d",
                    launch_count, device_count(state));
    }
    for (unsigned i = 0; i < launch_count; ++i) {
      const cudaLaunchParams& one = launches[i];
      std::shared_ptr<Stream> stream;
      GRIDSPAN_TRY(find_any_stream(state, one.stream, stream));
      const OnDevice there(stream->device);
      GRIDSPAN_TRY(launch(
          state, {one.func, one.gridDim, one.blockDim, one.args, one.sharedMem, Cooperation::yes},
          one.stream));
    }
    return cudaSuccess;
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
    GRIDSPAN_TRY(find_stream_for_work(state, handle, stream));
    return graph::do_or_capture(state, *stream, graph::HostTask{{function, user_data}});
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
    submit<HostCommand>(state, *stream, HostCommand{run_callback, record.release(), true, true});
    return cudaSuccess;
  });
}
