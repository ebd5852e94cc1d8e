// Looks at the kernels first, and asks the device about what was made.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/device_fuser.h"

#include "runtime/fuse/refusal.h"
#include "runtime/schedule/command.h"
#include "support/fused_launches.h"
#include "support/log.h"
#include "support/readable_name.h"

#include <algorithm>
#include <string_view>

namespace gridspan::runtime::fuse {

namespace {

bool uses_variables(const abi::Kernel& kernel) {
  const abi::KernelModel* const model = kernel.model;
  return !model || std::any_of(model->arrays, model->arrays + model->array_count,
                               [](const abi::ModelArray& array) { return array.symbol >= 0; });
}

/// Null: none.
const abi::Kernel* kernel_with_variables(const abi::Module& module,
                                         const support::FusedLaunches& launches) {
  if (module.symbol_count == 0) return nullptr;
  const abi::Kernel* const end = module.kernels + module.kernel_count;
  const abi::Kernel* const found =
      std::find_if(module.kernels, end, [&](const abi::Kernel& kernel) {
        return uses_variables(kernel) &&
               std::ranges::any_of(launches.launches, [&](const auto& launch) {
                 return launch.kernel == std::string_view(kernel.name);
               });
      });
  return found == end ? nullptr : found;
}

/// "'scale(...)' (app.cu:4), 'add(...)' (app.cu:9) as one kernel"
std::string one_of(std::span<KernelCommand* const> launches) {
  std::string names;
  for (const KernelCommand* launch : launches)
    names += (names.empty() ? "'" : ", '") + support::readable_name(launch->kernel->name) + "'" +
             at_line(*launch->kernel);
  return names + " as one kernel";
}

/// Of memory that a thread has for itself, as arrays or for want of registers.
int local_bytes(devices::DeviceCode& code, const abi::Kernel& kernel) {
  const auto needs = code.needs(kernel);
  return needs ? needs->local_bytes : 0;
}

/// The launches have room for blocks of their own threads: that was asked when they were called.
std::string why_too_large(const abi::Kernel& kernel, devices::DeviceCode& code, bool whole,
                          std::span<KernelCommand* const> launches) {
  const abi::Dim& block = launches.front()->shape.block;
  const std::uint32_t most = code.most_threads(kernel, whole);
  if (block.x * block.y * block.z > most)
    return one_of(launches) + ": there are registers for " + std::to_string(most) +
           " threads a block";
  int local = 0;
  for (const KernelCommand* launch : launches) local += local_bytes(code, *launch->kernel);
  const int needed = local_bytes(code, kernel);
  if (needed > local)
    return one_of(launches) + ": a thread spills registers (" + std::to_string(needed) +
           " bytes of local memory, apart " + std::to_string(local) + ")";
  return {};
}

}  // namespace

FusedAnswer DeviceFuser::refuse(const std::string& reason) {
  const std::scoped_lock lock(mutex_);
  if (told_.insert(reason).second)
    support::log(support::LogLevel::info, "fuse: not one kernel on GPUs: %s", reason.c_str());
  return {};
}

FusedAnswer DeviceFuser::fuse(const abi::Module& module, const support::FusedLaunches& launches) {
  if (const abi::Kernel* const kernel = kernel_with_variables(module, launches))
    return refuse("kernel '" + support::readable_name(kernel->name) +
                  "' uses variables of its module" + at_line(*kernel));
  return maker_.fuse(module, launches);
}

bool DeviceFuser::load(const abi::Kernel& kernel, std::span<KernelCommand* const> launches) {
  for (devices::Device* device : devices_) {
    devices::DeviceCode& code = device->code();
    std::string reason = code.refusal(kernel, whole_);
    if (reason.empty()) reason = why_too_large(kernel, code, whole_, launches);
    if (reason.empty()) continue;
    refuse(reason);
    return false;
  }
  return true;
}

}  // namespace gridspan::runtime::fuse
