// The C library's functions behind LLVM's intrinsics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"

namespace gridspan::transforms {

/// "sin" of llvm.sin: what a target without such an instruction calls, of double; empty for what
/// compilers compute exactly themselves.
llvm::StringRef c_library_name(llvm::Intrinsic::ID id);

}  // namespace gridspan::transforms
