// Checks launches and prepares them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/launch.h"

#include "runtime/api/launch_limits.h"
#include "runtime/api/reference_table.h"

namespace gridspan::runtime {

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

/// Programs that ask for no errors would go on with wrong results: the first launch of each kernel
/// is told, whatever is logged otherwise.
Status refuse_on_device(Function& function, const std::string& device, const std::string& why) {
  const char* const name = function.kernel->name;
  if (function.is_refusal_told.exchange(true, std::memory_order_relaxed)) {
    return refuse(cudaErrorInvalidDeviceFunction, "kernel %s cannot run on %s", name,
                  device.c_str());
  }
  support::log(support::LogLevel::error, "kernel %s cannot run on %s: %s", name, device.c_str(),
               why.c_str());
  return cudaErrorInvalidDeviceFunction;
}

/// What cannot be verified must not look verified.
void prepare_verification(Runtime& state, const Function& function) {
  if (!state.verifier) return;
  auto prepared = state.verifier->prepare(*function.loaded->module);
  if (!prepared) give_up("GRIDSPAN_VERIFY: " + prepared.error().message);
}

/// Of a GPU, which is asked once.
Status check_on_gpu(const Runtime& state, Function& function, dim3 block) {
  const std::uint32_t threads = block.x * block.y * block.z;
  if (threads <= function.threads_at_home.load(std::memory_order_relaxed)) return cudaSuccess;
  devices::Device& home = *state.devices.front();
  const std::string why = home.code().refusal(*function.kernel, true);
  if (!why.empty()) return refuse_on_device(function, home.facts().name, why);
  return check_registers(state, function, block);
}

}  // namespace

Status check_launch(Runtime& state, const LaunchRequest& request, CheckedLaunch& launch) {
  const auto& [stub, grid, block, arguments, shared_bytes, cooperation] = request;
  std::shared_ptr<Function> function;
  GRIDSPAN_TRY(find_function(stub, function));
  const abi::Kernel& kernel = *function->kernel;
  GRIDSPAN_TRY(check_shape(state, *function, grid, block, shared_bytes));
  if (cooperation == Cooperation::yes) {
    GRIDSPAN_TRY(check_cooperation(state, *function, grid, block, shared_bytes));
  }
  if (!state.memory.is_all_in_reach()) {
    GRIDSPAN_TRY(check_on_gpu(state, *function, block));
  }
  if (kernel.parameter_count > 0 && !arguments) {
    return refuse(cudaErrorInvalidValue, "kernel %s: no arguments given", kernel.name);
  }
  void* const* symbols = symbol_addresses(*function->loaded, state.memory, current_device());
  const std::uint32_t symbol_count = function->loaded->module->symbol_count;
  if (!symbols && symbol_count > 0) {
    return refuse(cudaErrorMemoryAllocation, "kernel %s: no room for its module's variables",
                  kernel.name);
  }
  launch = {std::move(function),
            {symbols, symbol_count},
            {to_dim(grid), to_dim(block), static_cast<std::uint32_t>(shared_bytes)}};
  return cudaSuccess;
}

Status prepare_launch(Runtime& state, Stream& stream, Function& function) {
  GRIDSPAN_TRY(references().bring_up_to_date(state, *function.loaded, stream));
  note_fallback(function);
  prepare_verification(state, function);
  return cudaSuccess;
}

}  // namespace gridspan::runtime
