// Line tables for region functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace gridspan::transforms {

/// Of a kernel whose code is copied into many functions: all of it is looked through once.
class RegionDebugInfo {
 public:
  explicit RegionDebugInfo(const llvm::Function& kernel);

  /// Gives `region`, whose code is about to be copied from the kernel, a subprogram of its own, and
  /// prepares `map` such that remapping moves copied locations under it. A subprogram belongs to
  /// one function only. Does nothing for kernels without debug information.
  void adopt(llvm::Function& region, llvm::ValueToValueMapTy& map) const;

 private:
  llvm::DISubprogram* original_;
  llvm::SmallVector<llvm::MDNode*> shared_;  // what all these functions have in common
};

}  // namespace gridspan::transforms
