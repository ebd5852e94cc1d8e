// Commands done in place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/one_device.h"

#include "runtime/schedule/float_mode.h"

#include <algorithm>
#include <cstring>

namespace gridspan::runtime {

/// Subscripts of such an array differ by less than 2^31, whatever its elements.
constexpr std::size_t small_bytes = std::size_t{1} << 31;

void OneDevice::run(KernelCommand& command) {
  if (fault_.is_set()) return;
  const abi::Kernel& kernel = *command.kernel;
  const std::byte* bytes = command.arguments.bytes();
  values_.clear();
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    values_.push_back(bytes + kernel.parameters[i].offset);
  }
  const AboutArguments about = look_at_arguments(kernel);
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
                                   .distinct_arguments = about.are_distinct,
                                   .small_arguments = about.are_small};
  const DefaultFloatMode mode;  // a helping host thread may have changed its rounding
  fault_.report(runner_ ? runner_->run(kernel, context)
                        : device_.queue().run_part(kernel, context));
}

OneDevice::AboutArguments OneDevice::look_at_arguments(const abi::Kernel& kernel) {
  const bool matters =
      std::any_of(kernel.forms, kernel.forms + kernel.form_count, [](const abi::BlockForm& form) {
        return (form.needs & (abi::needs_distinct_arguments | abi::needs_small_arguments)) != 0;
      });
  if (!matters) return {};
  AboutArguments about{.are_distinct = true, .are_small = true};
  bases_.clear();
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    if (kernel.parameters[i].is_pointer == 0) continue;
    const void* pointer = nullptr;
    std::memcpy(&pointer, values_[i], sizeof pointer);
    if (!pointer) continue;
    const Lookup found = allocations_.find(pointer);
    if (!found.is_held() || !has_one_address(found.allocation.kind)) return {};
    about.are_distinct &= std::ranges::find(bases_, found.allocation.base) == bases_.end();
    bases_.push_back(found.allocation.base);
    about.are_small &= found.allocation.size < small_bytes;
  }
  return about;
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
