// Numbers for instructions of a module that last through passes over a copy of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/warp_steps/shared_arrays.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace gridspan::transforms {

/// Where a warp may be brought in step: before accesses that may be to shared memory, and before
/// conditional branches. In a copy of the module each place is a call that no pass takes away or
/// moves memory accesses over.
class Places {
 public:
  explicit Places(llvm::Module& module);

  /// Writes the calls into a copy of `function`, which has its instructions in `copies`.
  void mark(const llvm::Function& function, const llvm::ValueToValueMapTy& copies) const;
  std::set<unsigned> volatile_loads_in(const llvm::Function& function) const;
  llvm::Instruction& at(unsigned place) const { return *instructions_[place]; }
  /// The place that a call stands for.
  static std::optional<unsigned> marked_by(const llvm::Instruction& call);

 private:
  std::vector<llvm::Instruction*> instructions_;
  llvm::DenseMap<const llvm::Function*, std::pair<unsigned, unsigned>> of_function_;  // from, to
};

}  // namespace gridspan::transforms
