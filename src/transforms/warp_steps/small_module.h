// A module of a few functions of another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <memory>

namespace gridspan::transforms {

/// Copies of `functions`, which are of one module, and of what they name: variables with what they
/// begin with, other functions as declarations. All but the first become internal; debug
/// information is left out. Takes as long as these are large, however large the module is: LLVM's
/// CloneModule goes through all of a module, which for each kernel of a module with hundreds of
/// them took minutes. `copies` becomes where each value of theirs went.
std::unique_ptr<llvm::Module> small_module(llvm::ArrayRef<llvm::Function*> functions,
                                           llvm::ValueToValueMapTy& copies);

}  // namespace gridspan::transforms
