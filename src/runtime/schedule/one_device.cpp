// Commands done in place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/one_device.h"

#include "runtime/schedule/float_mode.h"

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
                                   .scratch = nullptr};
  const DefaultFloatMode mode;  // a helping host thread may have changed its rounding
  fault_.report(runner_ ? runner_->run(kernel, context) : device_.run_part(kernel, context));
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
