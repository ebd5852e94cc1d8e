// Checks launch shapes as CUDA does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/launch_limits.h"

#include "devices/cpu/cpu_device.h"
#include "support/log.h"

#include <dlfcn.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <string>

namespace gridspan::runtime {

std::size_t shared_limit_on_request(const Runtime& state) {
  return state.facts.max_shared_per_block;
}

std::size_t shared_limit(const Runtime& state) {
  return std::min<std::size_t>(48 * 1024, shared_limit_on_request(state));
}

std::size_t dynamic_shared_limit(const Runtime& state, const Function& function) {
  if (const std::uint32_t asked = function.dynamic_shared_limit.load(std::memory_order_relaxed)) {
    return asked;
  }
  const std::size_t limit = shared_limit(state);
  return limit - std::min<std::size_t>(limit, function.kernel->static_shared);
}

std::uint32_t thread_limit(const abi::Kernel& kernel) {
  return kernel.max_threads ? std::min(kernel.max_threads, abi::max_block_threads)
                            : abi::max_block_threads;
}

std::uint32_t thread_limit(const Runtime& state, const abi::Kernel& kernel) {
  return std::min(thread_limit(kernel), state.devices.front()->code().most_threads(kernel, true));
}

std::uint32_t blocks_of_worker(const Runtime& state, const Function& function,
                               std::uint32_t threads, std::size_t dynamic_shared) {
  namespace cpu = devices::cpu;
  if (threads > thread_limit(state, *function.kernel)) return 0;
  const std::size_t shared = function.kernel->static_shared + dynamic_shared;
  if (shared > shared_limit_on_request(state)) return 0;
  const std::size_t by_shared =
      shared == 0 ? cpu::max_resident_blocks : shared_limit_on_request(state) / shared;
  const auto ours = static_cast<std::uint32_t>(std::min<std::size_t>(
      {by_shared, cpu::max_resident_blocks, cpu::max_resident_threads / threads}));
  devices::Device& home = *state.devices.front();
  return std::min(ours, home.code().resident_blocks(*function.kernel, threads, dynamic_shared));
}

std::uint32_t workers_shown(const Runtime& state) {
  const devices::DeviceFacts& home = state.devices.front()->facts();
  return !state.memory.is_home_in_reach() && registry().has_grid_barriers() ? home.workers
                                                                            : state.facts.workers;
}

namespace {

/// " (NAME in FILE)", as far as the loader knows.
std::string place_of(const void* address) {
  Dl_info found = {};
  if (dladdr(address, &found) == 0 || found.dli_fname == nullptr) return {};
  const std::string name = found.dli_saddr == address && found.dli_sname ? found.dli_sname : "";
  return " (" + name + (name.empty() ? "in " : " in ") + found.dli_fname + ")";
}

/// Said whether or not anybody looks at errors: where two CUDAs meet in a process, a launch that
/// the wrong one gets would otherwise be one that silently does nothing.
void tell_once(const void* stub, const Status& status) {
  if (support::logs(support::LogLevel::warn)) return;  // then every failure is
  static std::mutex mutex;
  static std::set<const void*>& told = *new std::set<const void*>;
  const std::scoped_lock lock(mutex);
  if (told.insert(stub).second) support::log(support::LogLevel::error, "%s", status.reason.c_str());
}

}  // namespace

Status find_function(const void* stub, std::shared_ptr<Function>& function) {
  function = registry().find_function(stub);
  if (function) return cudaSuccess;
  Status status =
      refuse(cudaErrorInvalidDeviceFunction,
             "no kernel is registered for host address %p%s (was the object compiled by gridcc?)",
             stub, place_of(stub).c_str());
  tell_once(stub, status);
  return status;
}

namespace {

bool fits(dim3 value, abi::Dim limit) {
  return value.x >= 1 && value.y >= 1 && value.z >= 1 && value.x <= limit.x && value.y <= limit.y &&
         value.z <= limit.z;
}

}  // namespace

Status check_shape(const Runtime& state, const Function& function, dim3 grid, dim3 block,
                   std::size_t dynamic_shared) {
  const abi::Kernel& kernel = *function.kernel;
  if (!fits(grid, grid_limit)) {
    return refuse(cudaErrorInvalidConfiguration,
                  "kernel %s: grid (%u,%u,%u) is not within (1..2147483647,1..65535,1..65535)",
                  kernel.name, grid.x, grid.y, grid.z);
  }
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (!fits(block, block_limit) || threads > abi::max_block_threads) {
    return refuse(cudaErrorInvalidConfiguration,
                  "kernel %s: block (%u,%u,%u) is not within (1..1024,1..1024,1..64) and 1024 "
                  "threads in all",
                  kernel.name, block.x, block.y, block.z);
  }
  if (threads > thread_limit(kernel)) {
    return refuse(cudaErrorLaunchOutOfResources,
                  "kernel %s: %u threads a block, but __launch_bounds__ says at most %u",
                  kernel.name, static_cast<unsigned>(threads), thread_limit(kernel));
  }
  if (dynamic_shared > dynamic_shared_limit(state, function)) {
    return refuse(cudaErrorInvalidValue,
                  "kernel %s: %zu bytes of dynamic shared memory, but at most %zu (more with "
                  "cudaFuncAttributeMaxDynamicSharedMemorySize)",
                  kernel.name, dynamic_shared, dynamic_shared_limit(state, function));
  }
  return cudaSuccess;
}

Status check_registers(const Runtime& state, Function& function, dim3 block) {
  const abi::Kernel& kernel = *function.kernel;
  const std::uint32_t threads = block.x * block.y * block.z;
  const std::uint32_t most = thread_limit(state, kernel);
  function.threads_at_home.store(most, std::memory_order_relaxed);
  if (threads <= most) return cudaSuccess;
  return refuse(cudaErrorLaunchOutOfResources,
                "kernel %s: %u threads a block, but the device has registers for %u; "
                "__launch_bounds__ would limit them",
                kernel.name, threads, most);
}

Status check_cooperation(const Runtime& state, const Function& function, dim3 grid, dim3 block,
                         std::size_t dynamic_shared) {
  const abi::Kernel& kernel = *function.kernel;
  const bool is_regions =
      state.memory.is_all_in_reach() && state.options.cpu == support::CpuMode::regions &&
      (kernel.flags & (abi::kernel_needs_fibers | abi::kernel_waits_in_loops)) == 0;
  if (is_regions) return cudaSuccess;
  const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  const std::uint64_t most =
      std::uint64_t{workers_shown(state)} *
      blocks_of_worker(state, function, block.x * block.y * block.z, dynamic_shared);
  if (blocks <= most) return cudaSuccess;
  return refuse(cudaErrorCooperativeLaunchTooLarge,
                "kernel %s: a cooperative launch of %llu blocks, of which %llu run together",
                kernel.name, static_cast<unsigned long long>(blocks),
                static_cast<unsigned long long>(most));
}

}  // namespace gridspan::runtime
