// Functions whose parameters or results are pointers into one address space.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang hands constructors and destructors of classes with virtual bases a table of tables, as a
// pointer to global memory that it makes from a generic one without a cast that means anything:
//
//     define @C2(ptr %this, ptr addrspace(1) %vtt)         define @C2(ptr %this, ptr %vtt.plain)
//                                                    →       %vtt = addrspacecast %vtt.plain
//     call @C2(ptr %p, ptr addrspace(1) bitcast (@VTT))      call @C2(ptr %p, ptr @VTT)
//
// Programs may have others, which name address spaces themselves.
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::transforms {

/// Makes all of them generic, in definitions, declarations and calls, also through pointers.
void make_parameters_plain(llvm::Module& module);

}  // namespace gridspan::transforms
