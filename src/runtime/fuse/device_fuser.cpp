// Looks at the kernels first, and asks the device about what was made.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/device_fuser.h"

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
                  "' uses variables of its module (" + std::string(kernel->where.file) + ":" +
                  std::to_string(kernel->where.line) + ")");
  return maker_.fuse(module, launches);
}

bool DeviceFuser::load(const abi::Kernel& kernel) {
  for (devices::DeviceCode* code : devices_) {
    const std::string reason = code->refusal(kernel, whole_);
    if (reason.empty()) continue;
    refuse(reason);
    return false;
  }
  return true;
}

}  // namespace gridspan::runtime::fuse
