// Commands done in place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/one_device.h"

#include "runtime/schedule/float_mode.h"

namespace gridspan::runtime {

void OneDevice::run(KernelCommand& command) {
  if (fault_.is_set()) return;
  const abi::Kernel& kernel = *command.kernel;
  const abi::LaunchContext context = frame_.of(command);
  const DefaultFloatMode mode;  // a helping host thread may have changed its rounding
  fault_.report(runner_ ? runner_->run(kernel, context)
                        : device_.queue().run_part(kernel, context));
}

GroupRun OneDevice::run_group(std::span<KernelCommand* const> window, const WindowState& state) {
  if (fault_.is_set()) return {};
  const DefaultFloatMode mode;
  const GroupResult done = groups_->run(window, state);
  fault_.report(done.result);
  return {done.launches};
}

void OneDevice::run(CopyCommand& command) {
  if (fault_.is_set()) return;
  fault_.report(device_.memory().copy(command.to, command.from, command.extent));
}

void OneDevice::run(FillCommand& command) {
  if (fault_.is_set()) return;
  fault_.report(device_.memory().fill(command.to, command.extent, command.value));
}

void OneDevice::run(RecordCommand& command) {
  command.event->nanoseconds.store(devices::now_nanoseconds());
}

}  // namespace gridspan::runtime
