// Names and addresses of the driver API's functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without the headers: their C++ declares several functions under some of the names.
#include "runtime/driver/entry_table.h"

#include <algorithm>
#include <iterator>

#pragma GCC visibility push(default)
#include "entry_points.h"
#pragma GCC visibility pop

namespace gridspan::runtime::driver {

namespace {

constexpr EntryPoint entry_points[] = {
#include "entry_points.inc"
};

}  // namespace

const EntryPoint* find_entry(std::string_view name) {
  const auto* const end = std::end(entry_points);
  const auto* const found =
      std::find_if(entry_points, end, [&](const EntryPoint& entry) { return entry.name == name; });
  return found == end ? nullptr : found;
}

}  // namespace gridspan::runtime::driver
