// Constant tables of device code: they lie in the program's own file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"

#include <cstdint>

namespace gridspan::devices::cpu {

struct AddressRange {
  std::uintptr_t begin = 0, size = 0;
  bool holds(std::uintptr_t address) const { return address - begin < size; }
};

/// What holds `address` of the memory that nobody writes, of the program or library that `kernel`
/// is in; empty: nothing does.
AddressRange constant_data(const abi::Kernel& kernel, std::uintptr_t address);

}  // namespace gridspan::devices::cpu
