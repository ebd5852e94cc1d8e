// Arrays with rows, and what else must hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/packable.h"

#include <algorithm>

namespace gridspan::codegen {

using model::Array;

static bool has_rows(const Array& array) {
  return array.space == model::AddressSpace::global && array.argument >= 0 && array.offset == 0 &&
         array.rank() > 1;
}

static bool is_known(const Array& array) {
  return std::ranges::none_of(array.sets, &model::AccessSet::unbounded);
}

/// With remarks, something is done that is no plain access; what needs one device is never cut.
std::vector<ptx::PackableArray> packable_arrays(const model::Kernel& kernel) {
  std::vector<ptx::PackableArray> arrays;
  if (!kernel.remarks.empty() || kernel.rung == model::Rung::one_device) return arrays;
  bool is_useful = false;
  for (const Array& array : kernel.arrays) {
    if (!has_rows(array)) continue;
    is_useful |= is_known(array);
    arrays.push_back({static_cast<unsigned>(array.argument), array.element_bytes, array.name});
  }
  if (!is_useful) arrays.clear();
  return arrays;
}

}  // namespace gridspan::codegen
