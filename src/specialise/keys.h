// Names in the cache for what a build depends on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"

#include <string>
#include <string_view>

namespace gridspan::specialise {

/// What kernels of the module may be compiled for once more: `best`, unless the program is for a
/// CPU without fused multiply-add, whose results differ.
abi::InstructionSet wider_than(const abi::Module& module, abi::InstructionSet best);

/// Of the module's code and options, its instruction set, `wider`, and the compiler as it is now.
std::string module_key(const abi::Module& module, abi::InstructionSet wider,
                       const std::string& gridcc);

/// Of a kernel's mangled name, which may be too long for a file's.
std::string name_key(std::string_view name);

}  // namespace gridspan::specialise
