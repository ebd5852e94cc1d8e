// Arrays with rows, and what else must hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/packable.h"

#include "model/relations.h"

#include <algorithm>
#include <string>

namespace gridspan::codegen {

using model::Array;
using model::Dimension;

namespace {

bool has_rows(const Array& array) {
  return array.space == model::AddressSpace::global && array.argument >= 0 && array.offset == 0 &&
         array.rank() > 1;
}

bool is_loop(const model::Kernel& kernel, const std::string& name) {
  const auto dimension = std::ranges::find(kernel.dimensions, name, &Dimension::name);
  if (dimension == kernel.dimensions.end()) return false;
  return dimension->kind == Dimension::Kind::loop ||
         (dimension->kind == Dimension::Kind::product && is_loop(kernel, dimension->base));
}

bool walks_through(const model::Kernel& kernel, const Array& array) {
  if (std::ranges::any_of(array.sets, &model::AccessSet::unbounded)) return false;
  return std::ranges::any_of(array.accesses, [&](const model::Access& access) {
    if (access.relation.is_null()) return false;
    return std::ranges::any_of(model::input_names(access.relation),
                               [&](const std::string& name) { return is_loop(kernel, name); });
  });
}

}  // namespace

/// With remarks, something is done that is no plain access; what needs one device is never cut.
std::vector<ptx::PackableArray> packable_arrays(const model::Kernel& kernel) {
  std::vector<ptx::PackableArray> arrays;
  if (!kernel.remarks.empty() || kernel.rung == model::Rung::one_device) return arrays;
  bool is_useful = false;
  for (const Array& array : kernel.arrays) {
    if (!has_rows(array)) continue;
    is_useful |= walks_through(kernel, array);
    arrays.push_back({static_cast<unsigned>(array.argument), array.element_bytes, array.name});
  }
  if (!is_useful) arrays.clear();
  return arrays;
}

}  // namespace gridspan::codegen
