// Constant tables of device code: they lie in the program's own file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"

#include <cstdint>

namespace gridspan::devices::cpu {

/// `address` is in memory that nobody writes, of the program or library that `kernel` is in.
bool is_constant_data(const abi::Kernel& kernel, std::uintptr_t address);

}  // namespace gridspan::devices::cpu
