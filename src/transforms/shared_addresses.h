// Addresses of shared memory as numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     ptrtoint (ptr addrspace(3) %p)   ►  %p - start of the block's shared memory
//     inttoptr i32 %n to ptr addrspace(3)  ►  start of the block's shared memory + %n
//
// So they fit 32 bits, as programs expect that keep what __cvta_generic_to_shared returns in an
// unsigned. Runs before retarget, which forgets address spaces.
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::transforms {

void lower_shared_addresses(llvm::Module& module);

/// An unsigned subscript of shared memory may go below the pointer: addresses there have 32 bits on
/// GPUs and wrap (`shared + 8` subscripted by `~i`). Sign-extended it gives the same address modulo
/// 2^32. Runs on simplified code, where it shows what pointers point to.
void wrap_shared_subscripts(llvm::Module& module);

}  // namespace gridspan::transforms
