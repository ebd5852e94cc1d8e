// Why a kernel has no PTX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Module.h"

#include <map>
#include <string>

namespace gridspan::codegen::ptx {

/// By kernel: "file:line: why".
using Reasons = std::map<std::string, std::string>;

/// The text with the line of the instruction, or of its function.
std::string at(const llvm::Instruction& instruction, const std::string& text);

/// What can be seen in the module as clang wrote it: constants that have addresses of managed
/// variables, barrier objects that inline PTX and our headers would share, inline PTX for GPUs
/// later than sm_<architecture>.
Reasons obstacles_in_source(llvm::Module& module, unsigned architecture);

/// What can be seen at the end: functions that nobody defines and no GPU has, too much shared
/// memory.
Reasons obstacles_at_end(llvm::Module& module);

/// What nobody defines and is still named traps: a module with such a name could not be loaded.
/// Vtables name pure virtual functions; functions that no kernel uses (a host's lambdas in tables)
/// call what GPUs lack.
void trap_in_undefined(llvm::Module& module);

/// Takes those kernels out. Whoever holds the address of one holds null.
void leave_out(llvm::Module& module, const Reasons& kernels);

}  // namespace gridspan::codegen::ptx
