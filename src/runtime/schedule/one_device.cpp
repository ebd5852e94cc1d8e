// Commands done in place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/one_device.h"

#include "runtime/schedule/float_mode.h"

#include <algorithm>
#include <cstring>

namespace gridspan::runtime {

void OneDevice::run(KernelCommand& command) {
  if (fault_.is_set()) return;
  const abi::Kernel& kernel = *command.kernel;
  const std::byte* bytes = command.arguments.bytes();
  values_.clear();
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    values_.push_back(bytes + kernel.parameters[i].offset);
  }
  const abi::LaunchContext context{.version = abi::version,
                                   .dynamic_shared = command.shape.dynamic_shared,
                                   .grid = command.shape.grid,
                                   .block = command.shape.block,
                                   .first_block = {0, 0, 0},
                                   .block_count = command.shape.grid,
                                   .arguments = values_.data(),
                                   .symbols = command.symbols.addresses,
                                   .arrays = nullptr,
                                   .scratch = nullptr,
                                   .distinct_arguments = are_distinct(kernel)};
  const DefaultFloatMode mode;  // a helping host thread may have changed its rounding
  fault_.report(runner_ ? runner_->run(kernel, context) : device_.run_part(kernel, context));
}

bool OneDevice::are_distinct(const abi::Kernel& kernel) {
  if (!kernel.distinct) return false;
  bases_.clear();
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    if (kernel.parameters[i].is_pointer == 0) continue;
    const void* pointer = nullptr;
    std::memcpy(&pointer, values_[i], sizeof pointer);
    if (!pointer) continue;
    const Lookup found = allocations_.find(pointer);
    if (!found.is_held() || !has_one_address(found.allocation.kind)) return false;
    if (std::ranges::find(bases_, found.allocation.base) != bases_.end()) return false;
    bases_.push_back(found.allocation.base);
  }
  return true;
}

void OneDevice::run(CopyCommand& command) {
  if (fault_.is_set()) return;
  fault_.report(device_.copy(command.to, command.from, command.extent));
}

void OneDevice::run(FillCommand& command) {
  if (fault_.is_set()) return;
  fault_.report(device_.fill(command.to, command.extent, command.value));
}

void OneDevice::run(RecordCommand& command) { command.event->nanoseconds.store(now_nanoseconds()); }

}  // namespace gridspan::runtime
