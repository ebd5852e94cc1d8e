// Different allocations do not overlap, wherever their copies are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/about_arguments.h"

#include <algorithm>

namespace gridspan::runtime {

bool asks_about_arguments(const abi::Kernel& kernel) {
  return std::any_of(
      kernel.forms, kernel.forms + kernel.form_count, [](const abi::BlockForm& form) {
        return (form.needs & (abi::needs_distinct_arguments | abi::needs_small_arguments)) != 0;
      });
}

void AboutArguments::add(const Allocation& allocation) {
  if (!has_one_address(allocation.kind)) return add_unknown();
  // Subscripts of such an array differ by less than 2^31, whatever its elements.
  constexpr std::size_t small_bytes = std::size_t{1} << 31;
  are_small_ &= allocation.size < small_bytes;
  are_distinct_ &= std::ranges::find(bases_, allocation.base) == bases_.end();
  bases_.push_back(allocation.base);
}

}  // namespace gridspan::runtime
