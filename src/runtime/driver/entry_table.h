// Names and addresses of the driver API's functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace gridspan::runtime::driver {

using Address = void (*)();

struct EntryPoint {
  std::string_view name;
  Address function;
  Address per_thread;  // null: streams do not matter to it
};

/// The function that our headers declare under that name, or null.
const EntryPoint* find_entry(std::string_view name);

}  // namespace gridspan::runtime::driver
