// Arguments of a launch, and what is known of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/launch_frame.h"

#include <algorithm>
#include <cstring>

namespace gridspan::runtime {

/// Subscripts of such an array differ by less than 2^31, whatever its elements.
constexpr std::size_t small_bytes = std::size_t{1} << 31;

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
          .distinct_arguments = about.are_distinct,
          .small_arguments = about.are_small};
}

LaunchFrame::AboutArguments LaunchFrame::look_at_arguments(const abi::Kernel& kernel) {
  const bool matters =
      std::any_of(kernel.forms, kernel.forms + kernel.form_count, [](const abi::BlockForm& form) {
        return (form.needs & (abi::needs_distinct_arguments | abi::needs_small_arguments)) != 0;
      });
  if (!matters || !allocations_) return {};
  AboutArguments about{.are_distinct = true, .are_small = true};
  bases_.clear();
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    if (kernel.parameters[i].is_pointer == 0) continue;
    const void* pointer = nullptr;
    std::memcpy(&pointer, values_[i], sizeof pointer);
    if (!pointer) continue;
    const Lookup found = allocations_->find(pointer);
    if (!found.is_held() || !has_one_address(found.allocation.kind)) return {};
    about.are_distinct &= std::ranges::find(bases_, found.allocation.base) == bases_.end();
    bases_.push_back(found.allocation.base);
    about.are_small &= found.allocation.size < small_bytes;
  }
  return about;
}

}  // namespace gridspan::runtime
