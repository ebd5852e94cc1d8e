// Managed variables, which are the host's, in code for GPUs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     @x = addrspace(1) global i32     @x$managed = addrspace(1) global ptr addrspace(1)
//     store i32 1, @x               ►  %x = load ptr addrspace(1), @x$managed
//                                      store i32 1, %x
//
// A GPU reaches the host's memory at the host's addresses, which the run time writes into
// x$managed before a kernel of the module runs first.
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::codegen::ptx {

/// How the names of such pointers end.
inline constexpr char managed_suffix[] = "$managed";

/// Where a variable's initial value has the address of a managed one, the run time writes that,
/// too. Runs while the module has the annotations of our headers.
void load_managed_addresses(llvm::Module& module);

}  // namespace gridspan::codegen::ptx
