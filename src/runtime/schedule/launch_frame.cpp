// Arguments of a launch, and what is known of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/launch_frame.h"

#include <cstring>

namespace gridspan::runtime {

abi::LaunchContext LaunchFrame::of(const KernelCommand& command) {
  const abi::Kernel& kernel = *command.kernel;
  const std::byte* bytes = command.arguments.bytes();
  values_.clear();
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    values_.push_back(bytes + kernel.parameters[i].offset);
  }
  const AboutArguments about = look_at_arguments(kernel);
  return {.version = abi::version,
          .dynamic_shared = command.shape.dynamic_shared,
          .grid = command.shape.grid,
          .block = command.shape.block,
          .first_block = {0, 0, 0},
          .block_count = command.shape.grid,
          .arguments = values_.data(),
          .symbols = command.symbols.addresses,
          .arrays = nullptr,
          .scratch = nullptr,
          .distinct_arguments = about.are_distinct(),
          .small_arguments = about.are_small()};
}

AboutArguments LaunchFrame::look_at_arguments(const abi::Kernel& kernel) const {
  AboutArguments about;
  if (!allocations_ || !asks_about_arguments(kernel)) {
    about.add_unknown();
    return about;
  }
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    if (kernel.parameters[i].is_pointer == 0) continue;
    const void* pointer = nullptr;
    std::memcpy(&pointer, values_[i], sizeof pointer);
    if (!pointer) continue;
    const Lookup found = allocations_->find(pointer);
    if (found.is_held())
      about.add(found.allocation);
    else
      about.add_unknown();
  }
  return about;
}

}  // namespace gridspan::runtime
